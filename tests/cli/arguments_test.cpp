// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/format.h"
#include "app/cli/help.h"
#include "tests/support/catch.h"

#include <map>

namespace tracedeck::cli {
namespace {

using namespace std::chrono_literals;

Answer answerTo(std::vector<std::string> words) {
    const Arguments parsed = parseArguments(std::move(words));
    REQUIRE(std::holds_alternative<Answer>(parsed));
    return std::get<Answer>(parsed);
}

} // namespace

TEST_CASE("A recording's arguments arrive as they were written", "[cli][arguments]") {
    const Arguments parsed =
        parseArguments({"record", "-p", "CPU", "-p", "GeneralProfile.Light", "--detail", "light", "--file", "-t", "2m",
                        "-o", "out.etl", "--note", "a note", "--force", "--max-size", "2GB"});
    REQUIRE(std::holds_alternative<RecordArguments>(parsed));
    const auto& record = std::get<RecordArguments>(parsed);
    CHECK(record.profiles == std::vector<std::string>{"CPU", "GeneralProfile.Light"});
    CHECK(record.detail == profile::DetailLevel::Light);
    CHECK(record.mode == profile::LoggingMode::File);
    CHECK(record.timeLimit == 120s);
    CHECK(record.output == "out.etl");
    CHECK(record.note == "a note");
    CHECK(record.replace);
    CHECK(record.maximumFileSizeMib == 2048U);
    CHECK_FALSE(record.usesHost);
    CHECK(std::get<RecordArguments>(parseArguments({"record", "-p", "CPU", "--host"})).usesHost);
}

TEST_CASE("Without options a recording is verbose, in memory and without end", "[cli][arguments]") {
    const auto record = std::get<RecordArguments>(parseArguments({"record", "-p", "CPU"}));
    CHECK(record.detail == profile::DetailLevel::Verbose);
    CHECK(record.mode == profile::LoggingMode::Memory);
    CHECK(record.timeLimit == 0s);
    CHECK(record.output.empty());
    CHECK_FALSE(record.replace);
    CHECK_FALSE(record.maximumFileSizeMib);
}

TEST_CASE("What happens when the disk is short can be chosen for files", "[cli][arguments]") {
    using recorder::WhenDiskShort;
    const auto chosen = [](std::vector<std::string> more) {
        std::vector<std::string> words{"record", "-p", "CPU"};
        words.insert(words.end(), more.begin(), more.end());
        return std::get<RecordArguments>(parseArguments(words)).whenDiskShort;
    };
    CHECK(chosen({}) == WhenDiskShort::StopAndSave);
    CHECK(chosen({"--file", "--when-disk-short", "stop"}) == WhenDiskShort::StopAndSave);
    CHECK(chosen({"--file", "--when-disk-short", "keep-newest"}) == WhenDiskShort::KeepNewest);
    CHECK(std::get<StartArguments>(parseArguments({"start", "-p", "CPU", "--file", "--when-disk-short", "keep-newest"}))
              .recording.whenDiskShort == WhenDiskShort::KeepNewest);
}

TEST_CASE("A note may be empty", "[cli][arguments]") {
    CHECK(std::get<RecordArguments>(parseArguments({"record", "-p", "CPU", "--note", ""})).note.empty());
}

TEST_CASE("Wrong arguments are told in one line with the place of help", "[cli][arguments]") {
    const auto [words, part] = GENERATE(table<std::vector<std::string>, std::string>({
        {{"record"}, "--profile"},
        {{"record", "-p", "CPU", "-t", ""}, "--time is empty"},
        {{"record", "-p", "CPU", "--file", "--max-size", ""}, "--max-size is empty"},
        {{"record", "-p", "CPU", "-o", ""}, "--output is empty"},
        {{"record", "-p", "CPU", "--when-disk-short", "stop"}, "requires --file"},
        {{"record", "-p", "CPU", "--file", "--when-disk-short", "burn"}, "burn"},
        {{"record", "-p", "CPU", "--file", "--max-size", "1GB", "--when-disk-short", "keep-newest"}, "excludes"},
        {{"record", "-p", ""}, "--profile is empty"},
        {{"record", "-p", "CPU", "--note", std::string(40'000, 'x')}, "--note: the text is longer"},
        {{"profiles", ""}, "FILE is empty"},
        {{"record", "-p"}, "--profile"},
        {{"record", "-p", "CPU", "--file", "--memory"}, "--memory"},
        {{"record", "-p", "CPU", "--detail", "much"}, "much"},
        {{"export", "CPU", "out.wprp", "--name", "My\xFFname"}, "--name: the byte 0xFF is no UTF-8 text"},
        {{"export", "CPU", "out.wprp", "--name", "My\x01name"}, "--name: the control character U+0001"},
        {{"export", "CPU", "out.wprp", "--name", "\xFF\xFEM"}, "--name: the byte 0xFF is no UTF-8 text"},
        {{"record", "-p", "CPU", "-t", "soon"}, "soon"},
        {{"record", "-p", "CPU", "-t", "0"}, "0"},
        {{"record", "-p", "CPU", "-t", "-5"}, "5"},
        {{"record", "-p", "CPU", "--max-size", "5"}, "--file"},
        {{"record", "-p", "CPU", "--file", "--max-size", "big"}, "big"},
        {{"record", "-p", "CPU", "surplus"}, "surplus"},
        {{"check"}, "FILE"},
        {{"summary"}, "FILE"},
        {{"export-events", "in.etl"}, "OUT"},
        {{"scrub", "in.etl"}, "OUT"},
        {{"scrub", "in.etl", "out.etl", "--salt", ""}, "--salt is empty"},
        {{"export-events", "in.etl", "out.txt"}, "--csv or --json"},
        {{"export-events", "in.etl", "-"}, "--csv or --json"},
        {{"export-events", "in.etl", "-", "--csv", "--json"}, "--json"},
        {{"export", "in.etl", "out.csv"}, "export-events"},
        {{"dance"}, "dance"},
    }));
    const Answer answer = answerTo(words);
    CAPTURE(answer.text);
    CHECK(answer.code == ExitCode::Usage);
    CHECK(answer.text.starts_with("tracedeck-cli: "));
    CHECK(answer.text.find(part) != std::string::npos);
    CHECK(answer.text.find("--help") != std::string::npos);
    CHECK(std::count(answer.text.begin(), answer.text.end(), '\n') == 2);
}

TEST_CASE("First arguments that begin with a dash are kept for the grammar of wpr", "[cli][arguments]") {
    const std::string word = GENERATE("-start", "-stop", "-profiles", "--verbose", "-?");
    const Answer answer = answerTo({word, "CPU"});
    CHECK(answer.code == ExitCode::Usage);
    CHECK(std::count(answer.text.begin(), answer.text.end(), '\n') == 1);
    CHECK(answer.text.find("wpr") != std::string::npos);
}

TEST_CASE("Help names every option and every exit code", "[cli][help]") {
    const std::map<std::string, std::vector<std::string>> expected{
        {"",
         {"record", "profiles", "check", "summary", "--version", "Examples", " 0 ", " 1 ", " 2 ", " 3 ", " 4 ", " 130 ",
          " 141 "}},
        {"record",
         {"-p", "--profile", "--detail", "--file", "--memory", "-t", "--time", "-o", "--output", "--note", "--force",
          "--max-size", "--when-disk-short", "--host", "--verbose", "Ctrl+C", "Examples"}},
        {"profiles", {"FILE.wprp", "--verbose"}},
        {"plan", {"--detail", "--file", "--memory", "--json", "--verbose"}},
        {"profile-details", {"--detail", "--file", "--memory", "--verbose"}},
        {"export", {"--name", "--force", "--detail", "--file", "--memory", "OUT.wprp"}},
        {"validate", {"FILE.wprp", "--json"}},
        {"check", {"--json", "FILE.etl", "--verbose"}},
        {"repair", {"IN.etl", "OUT.etl", "--force", "--verbose"}},
        {"trim", {"IN.etl", "OUT.etl", "--from", "--to", "--from-mark", "--to-mark", "--force", "--verbose"}},
        {"compress", {"IN.etl", "OUT.etl", "--force", "--verbose"}},
        {"decompress", {"IN.etl", "OUT.etl", "--force", "--verbose"}},
        {"merge", {"IN.etl", "OUT.etl", "--force", "--verbose"}},
        {"export-events", {"OUT", "--csv", "--json", "--force", "FILE.etl"}},
        {"scrub", {"OUT", "--salt", "--keep-notes", "--drop-unknown", "--force"}},
        {"summary", {"--json", "FILE.etl", "--verbose"}}};
    for (const auto& [command, words] : expected) {
        std::vector<std::string> line{"--help"};
        if (!command.empty()) {
            line.insert(line.begin(), command);
        }
        const Answer answer = answerTo(line);
        CHECK(answer.code == ExitCode::Ok);
        CHECK(answer.text == helpText(command));
        for (const std::string& word : words) {
            CAPTURE(command, word);
            CHECK(answer.text.find(word) != std::string::npos);
        }
        // Eighty columns would be nice, a hundred and ten are what a terminal has.
        for (std::size_t begin = 0; begin < answer.text.size();) {
            const std::size_t end = answer.text.find('\n', begin);
            CHECK(end - begin <= 115);
            begin = end + 1;
        }
    }
    CHECK(answerTo({"--version"}).text == std::string("tracedeck-cli ") + TRACEDECK_VERSION + "\n");
    CHECK(answerTo({}).code == ExitCode::Usage);
}

TEST_CASE("Times are numbers with a unit", "[cli][arguments]") {
    CHECK(parseDuration("10") == 10s);
    CHECK(parseDuration("10s") == 10s);
    CHECK(parseDuration("500ms") == 500ms);
    CHECK(parseDuration("2m") == 120s);
    CHECK(parseDuration("1H") == 3600s);
    const std::string bad = GENERATE("", "0", "s", "-1", "1.5", "10 s", "10x", "99999999999999999999", "9999999h");
    CHECK_FALSE(parseDuration(bad));
}

TEST_CASE("Sizes are numbers with a unit", "[cli][arguments]") {
    CHECK(parseMebibytes("500") == 500U);
    CHECK(parseMebibytes("500MB") == 500U);
    CHECK(parseMebibytes("2gb") == 2048U);
    const std::string bad = GENERATE("", "0", "MB", "-1", "5KB", "1.5GB", "4294967296", "4194304GB");
    CHECK_FALSE(parseMebibytes(bad));
}

TEST_CASE("Every error has an exit code that says what kind it is", "[cli][exit]") {
    CHECK(exitCodeOf({ErrorCode::FileExists, "", 0}) == ExitCode::FileError);
    CHECK(exitCodeOf({ErrorCode::ProfileUnknown, "", 0}) == ExitCode::Usage);
    CHECK(exitCodeOf({ErrorCode::KernelEventsRefused, "", 0}) == ExitCode::NothingRecorded);
    CHECK(exitCodeOf({ErrorCode::NotAnEtl, "", 0}) == ExitCode::Problems);
}

TEST_CASE("Numbers and texts are made readable", "[cli][format]") {
    CHECK(grouped(0) == "0");
    CHECK(grouped(999) == "999");
    CHECK(grouped(1204331) == "1,204,331");
    CHECK(size(Bytes{17}) == "17 bytes");
    CHECK(size(kib(4)) == "4.0 KB");
    CHECK(size(mib(2048)) == "2.0 GB");
    CHECK(clockTime(3'725'900ms) == "01:02:05");
    CHECK(length(9'840ms) == "9.8 s");
    CHECK(length(125s) == "2 min 5 s");
    CHECK(listed({"a", "b", "c"}, 2) == "a, b and 1 more");
    CHECK(fitted("äöü", 3) == "äöü");
    CHECK(fitted("äöüx", 3) == "äö…");
    CHECK(fitted("abc", 0).empty());
    CHECK(printable("a\x1b[31mb\xff") == "a?[31mb?");
}

} // namespace tracedeck::cli
