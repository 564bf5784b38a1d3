// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/rewrite_report.h"
#include "core/etl/recode.h"
#include "core/etl/summary.h"
#include "core/etlformat/hooks.h"
#include "core/etlformat/kernel_events.h"
#include "tests/cli/program.h"
#include "tests/recorder/stage.h"
#include "tests/support/catch.h"
#include "tests/support/shared_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/etl/raw_file.h"

#include <unistd.h>

#include <csignal>
#include <filesystem>

namespace tracedeck::cli {
namespace {

using namespace std::chrono_literals;
using test::contextSwitch;
using test::Ended;
using test::RawFile;
using test::run;
using What = RewriteArguments::What;

constexpr Ticks kStart = 1'000'000;
constexpr Ticks kSecond = 1'000'000'000;

/// Ten events a second, for nine seconds.
std::vector<std::byte> recording(bool isClosed) {
    RawFile::Options options;
    options.isClosed = isClosed;
    RawFile raw(options);
    for (Ticks i = 0; i < 90; ++i) {
        raw.add(static_cast<std::uint16_t>(i % 2), contextSwitch(kStart + i * kSecond / 10)).cut(0);
    }
    return raw.bytes();
}

etl::Summary summaryOf(const std::string& path) {
    auto summary = etl::summarize(systemFiles(), path);
    REQUIRE(summary.has_value());
    return *summary;
}

void checkIndependently(const std::string& path) {
    const test::CheckerVerdict verdict = test::runCheckers(path);
    INFO(verdict.complaints);
    CHECK(verdict.complaints.empty());
}

std::size_t filesIn(const std::string& folder) {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

} // namespace

TEST_CASE("A file of an ended recorder is repaired beside it, and once is enough", "[cli][rewrite]") {
    const test::TemporaryFolder folder;
    test::writeFile(folder.file("x.etl"), recording(false));
    const Ended ended = run({"repair", folder.file("x.etl")});
    CAPTURE(ended.output, ended.errors);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.output, Catch::Contains("x-repaired.etl") && Catch::Contains("90 events") &&
                                 Catch::Contains("the recorder was ended"));
    CHECK(summaryOf(folder.file("x-repaired.etl")).verdict() == etl::Summary::Verdict::Good);
    CHECK(test::readFile(folder.file("x.etl")) == recording(false));
    checkIndependently(folder.file("x-repaired.etl"));
    const Ended again = run({"repair", folder.file("x-repaired.etl")});
    CHECK(again.code == 0);
    CHECK_THAT(again.output, Catch::Contains("needs no repair"));
    CHECK(filesIn(folder.path()) == 2);
}

TEST_CASE("What a repair could not save is told, and told to scripts", "[cli][rewrite]") {
    const test::TemporaryFolder folder;
    std::vector<std::byte> bytes = recording(false);
    test::bufferHeader(bytes, 3).bufferSize = 7;
    bytes.resize(bytes.size() - 10);
    test::writeFile(folder.file("x.etl"), bytes);
    const Ended ended = run({"repair", folder.file("x.etl"), folder.file("y.etl")});
    CAPTURE(ended.output, ended.errors);
    CHECK(ended.code == 1);
    CHECK_THAT(ended.output, Catch::Contains("1 buffer of") && Catch::Contains("at offset 24,576") &&
                                 Catch::Contains("a buffer size of 7 bytes") && Catch::Contains("never written whole"));
    checkIndependently(folder.file("y.etl"));
}

TEST_CASE("Nothing is written over unless that is asked for", "[cli][rewrite]") {
    const test::TemporaryFolder folder;
    test::writeFile(folder.file("x.etl"), recording(false));
    test::writeFile(folder.file("y.etl"), recording(true));
    const std::string output = GENERATE(as<std::string>(), "x.etl", "y.etl");
    const Ended refused = run({"repair", folder.file("x.etl"), folder.file(output)});
    CHECK(refused.code == 4);
    CHECK_THAT(refused.errors, Catch::Contains("[FileExists]"));
    CHECK(test::readFile(folder.file("x.etl")) == recording(false));
    CHECK(run({"repair", "--force", folder.file("x.etl"), folder.file(output)}).code == 0);
    CHECK(summaryOf(folder.file(output)).verdict() == etl::Summary::Verdict::Good);
    CHECK(summaryOf(folder.file(output)).events == 93);
}

TEST_CASE("A recording is compressed and comes back", "[cli][rewrite]") {
    const test::TemporaryFolder folder;
    test::writeFile(folder.file("x.etl"), recording(true));
    const Ended small = run({"compress", folder.file("x.etl")});
    CAPTURE(small.output, small.errors);
    CHECK(small.code == 0);
    CHECK_THAT(small.output, Catch::Contains("every event is as it was"));
    CHECK(std::filesystem::file_size(folder.file("x-compressed.etl")) * 4 <
          std::filesystem::file_size(folder.file("x.etl")));
    checkIndependently(folder.file("x-compressed.etl"));
    CHECK_THAT(run({"compress", folder.file("x-compressed.etl")}).output, Catch::Contains("compressed already"));
    CHECK(run({"decompress", folder.file("x-compressed.etl"), folder.file("back.etl")}).code == 0);
    CHECK(summaryOf(folder.file("back.etl")).events == 93);
    CHECK_THAT(run({"decompress", folder.file("x.etl")}).output, Catch::Contains("not compressed"));
    CHECK(filesIn(folder.path()) == 3);
}

TEST_CASE("An open file is not compressed, and what helps is told", "[cli][rewrite]") {
    const test::TemporaryFolder folder;
    test::writeFile(folder.file("x.etl"), recording(false));
    const Ended refused = run({"compress", folder.file("x.etl")});
    CHECK(refused.code == 1);
    CHECK_THAT(refused.errors, Catch::Contains("never closed") && Catch::Contains("tracedeck-cli repair"));
    CHECK(filesIn(folder.path()) == 1);
}

TEST_CASE("A span of time is cut out", "[cli][rewrite]") {
    const test::TemporaryFolder folder;
    test::writeFile(folder.file("x.etl"), recording(true));
    const Ended ended = run({"trim", folder.file("x.etl"), folder.file("y.etl"), "--from", "2.5s", "--to", "3500ms"});
    CAPTURE(ended.output, ended.errors);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.output, Catch::Contains("11 events") && Catch::Contains("79 events"));
    CHECK(summaryOf(folder.file("y.etl")).first == kStart + 25 * kSecond / 10);
    CHECK(summaryOf(folder.file("y.etl")).last == kStart + 35 * kSecond / 10);
    checkIndependently(folder.file("y.etl"));
    CHECK(run({"trim", folder.file("x.etl"), folder.file("z.etl"), "--from", "1h"}).code == 2);
    CHECK_FALSE(std::filesystem::exists(folder.file("z.etl")));
}

TEST_CASE("A span from mark to mark is cut out, and marks that are not clear are listed", "[cli][rewrite]") {
    const test::TemporaryFolder folder;
    RawFile raw;
    for (Ticks i = 0; i < 90; ++i) {
        raw.add(0, contextSwitch(kStart + i * kSecond / 10));
        if (i % 30 == 0) {
            raw.add(0, test::perfinfoEvent(etlformat::hook::kMark, 0, kStart + i * kSecond / 10,
                                           etlformat::encodeMark(i == 60 ? "end" : "begin")));
        }
    }
    raw.write(folder.file("x.etl"));
    const Ended ended = run({"trim", folder.file("x.etl"), folder.file("y.etl"), "--to-mark", "end", "--from", "5"});
    CAPTURE(ended.output, ended.errors);
    CHECK(ended.code == 0);
    CHECK(summaryOf(folder.file("y.etl")).first == kStart + 5 * kSecond);
    CHECK(summaryOf(folder.file("y.etl")).last == kStart + 6 * kSecond);
    for (const char* name : {"begin", "middle"}) {
        const Ended wrong = run({"trim", folder.file("x.etl"), folder.file("z.etl"), "--from-mark", name});
        CAPTURE(wrong.errors);
        CHECK(wrong.code == 2);
        CHECK_THAT(wrong.errors, Catch::Contains("'begin' at 0.000000000 s, 'begin' at 3.000000000 s, 'end' at 6"));
        CHECK_FALSE(std::filesystem::exists(folder.file("z.etl")));
    }
}

TEST_CASE("Files are merged into one that is none of them", "[cli][rewrite]") {
    const test::TemporaryFolder folder;
    test::writeFile(folder.file("a.etl"), recording(true));
    test::writeFile(folder.file("b.etl"), recording(true));
    const Ended ended = run({"merge", folder.file("c.etl"), folder.file("a.etl"), folder.file("b.etl")});
    CAPTURE(ended.output, ended.errors);
    CHECK(ended.code == 0);
    CHECK(summaryOf(folder.file("c.etl")).events == 183);
    checkIndependently(folder.file("c.etl"));
    const std::string other = folder.path() + "/../" + std::filesystem::path(folder.path()).filename().string();
    const Ended refused = run({"merge", "--force", other + "/b.etl", folder.file("a.etl"), folder.file("b.etl")});
    CHECK(refused.code == 2);
    CHECK_THAT(refused.errors, Catch::Contains("OUT.etl comes first"));
    CHECK(test::readFile(folder.file("b.etl")) == recording(true));
}

TEST_CASE("Files that cannot be read or written are errors of files", "[cli][rewrite]") {
    const test::TemporaryFolder folder;
    test::writeFile(folder.file("x.etl"), recording(true));
    test::writeFile(folder.file("text.etl"), std::vector<std::byte>(1000, std::byte{'a'}));
    CHECK(run({"repair", folder.file("none.etl")}).code == 4);
    CHECK(run({"repair", folder.file("text.etl")}).code == 1);
    CHECK(run({"compress", folder.file("x.etl"), folder.file("no/where.etl")}).code == 4);
    CHECK(run({"compress", "--force", folder.file("x.etl"), "/dev/null"}).code == 2);
    CHECK(run({"compress", "--force", folder.file("x.etl"), folder.path()}).code == 2);
    CHECK(filesIn(folder.path()) == 2);
}

TEST_CASE("The commands that write files take their arguments", "[cli][arguments]") {
    const auto parsed = [](std::vector<std::string> words) {
        const Arguments arguments = parseArguments(std::move(words));
        REQUIRE(std::holds_alternative<RewriteArguments>(arguments));
        return std::get<RewriteArguments>(arguments);
    };
    CHECK(parsed({"repair", "a.etl"}).output.empty());
    CHECK(parsed({"compress", "a.etl", "b.etl", "--force"}).replace);
    CHECK(parsed({"decompress", "a.etl"}).what == What::Decompress);
    const auto merge = parsed({"merge", "out.etl", "a.etl", "b.etl"});
    CHECK(merge.what == What::Merge);
    CHECK(merge.output == "out.etl");
    CHECK(merge.inputs == std::vector<std::string>{"a.etl", "b.etl"});
    const auto trim = parsed({"trim", "a.etl", "b.etl", "--from", "0", "--to", "1.5m"});
    CHECK(trim.inputs == std::vector<std::string>{"a.etl"});
    CHECK(parsed({"trim", "a.etl", "b.etl", "--from-mark", "a mark", "--to", "2"}).fromMark == "a mark");
    CHECK(parsed({"trim", "a.etl", "b.etl", "--to-mark", "b"}).toMark == "b");
    CHECK(trim.from == 0s);
    CHECK(trim.to == 90s);
    const auto [words, part] = GENERATE(table<std::vector<std::string>, std::string>({
        {{"repair"}, "IN"},
        {{"repair", ""}, "IN is empty"},
        {{"merge", "out.etl"}, "IN"},
        {{"trim", "a.etl", "b.etl"}, "--from or --from-mark, --to or --to-mark, or both"},
        {{"trim", "a.etl", "b.etl", "--from", "1", "--from-mark", "x"}, "excludes"},
        {{"trim", "a.etl", "b.etl", "--from", "soon"}, "'soon' is no time"},
        {{"trim", "a.etl", "b.etl", "--from", "-1"}, "-1"},
        {{"trim", "a.etl", "b.etl", "--from", "2", "--to", "2"}, "--to is not behind --from"},
    }));
    const Arguments wrong = parseArguments(words);
    REQUIRE(std::holds_alternative<Answer>(wrong));
    CHECK(std::get<Answer>(wrong).code == ExitCode::Usage);
    CHECK_THAT(std::get<Answer>(wrong).text, Catch::Contains(part));
    for (const char* command : {"repair", "trim", "compress", "decompress", "merge"}) {
        const Arguments help = parseArguments({command, "--help"});
        CHECK_THAT(std::get<Answer>(help).text,
                   Catch::Contains(command) && Catch::Contains("--force") && Catch::Contains("130 cancelled"));
    }
}

TEST_CASE("Moments are numbers with a fraction and a unit", "[cli][arguments]") {
    CHECK(parseMoment("0") == 0ns);
    CHECK(parseMoment("2.5") == 2500ms);
    CHECK(parseMoment("2.5S") == 2500ms);
    CHECK(parseMoment("0.001ms") == 1us);
    CHECK(parseMoment("1h") == 3600s);
    const std::string bad = GENERATE("", "s", "-1", "+1", "1e3", "nan", "inf", "1.5.2", "2 s", "2x", "9999999h");
    CHECK_FALSE(parseMoment(bad));
}

TEST_CASE("A name beside a file is not one that belongs to it", "[cli][rewrite]") {
    CHECK(nameBeside("/a/x.etl", What::Repair) == "/a/x-repaired.etl");
    CHECK(nameBeside("x", What::Compress) == "x-compressed.etl");
    CHECK(nameBeside(".etl", What::Decompress) == ".etl-decompressed.etl");
}

namespace {

/// A recording without an end: whoever reads it goes on until he is told to stop. What is written is dropped.
class EndlessFiles final : public FileSystem {
public:
    explicit EndlessFiles(int signal) : m_signal(signal) {
        const std::vector<std::byte> all = recording(true);
        m_first.assign(all.begin(), all.begin() + 8192);
        m_other.assign(all.begin() + 8192, all.begin() + 2 * 8192);
    }
    [[nodiscard]] int open() const { return m_open; }

    Result<std::unique_ptr<OutputFile>> create(const std::string&, Existing) override {
        ++m_open;
        return std::make_unique<Output>(m_signal);
    }
    Result<std::unique_ptr<InputFile>> open(const std::string& path) override {
        if (path != "endless") {
            return fail(ErrorCode::FileNotFound, path);
        }
        return std::make_unique<Input>(*this);
    }
    Result<Bytes> freeSpace(const std::string&) override { return Bytes{0}; }
    Result<std::uint64_t> volumeOf(const std::string&) override { return std::uint64_t{0}; }
    tracedeck::Status rename(const std::string& from, const std::string&, Existing) override {
        return fail(ErrorCode::AccessDenied, from);
    }
    tracedeck::Status remove(const std::string&) override {
        --m_open;
        return {};
    }

private:
    class Input final : public InputFile {
    public:
        explicit Input(const EndlessFiles& files) : m_files(files) {}
        std::uint64_t size() const noexcept override { return std::uint64_t{1} << 50U; }
        Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> into) override {
            for (std::size_t i = 0; i < into.size(); ++i, ++offset) {
                const auto& buffer = offset < 8192 ? m_files.m_first : m_files.m_other;
                into[i] = buffer[static_cast<std::size_t>(offset % 8192)];
            }
            return into.size();
        }

    private:
        const EndlessFiles& m_files;
    };
    class Output final : public OutputFile {
    public:
        explicit Output(int signal) : m_signal(signal) {}
        tracedeck::Status writeAt(std::uint64_t, std::span<const std::byte>) override {
            if (m_signal != 0) {
                ::kill(::getpid(), m_signal);
                m_signal = 0;
            }
            return {};
        }
        tracedeck::Status resize(std::uint64_t) override { return {}; }
        tracedeck::Status sync() override { return {}; }
        tracedeck::Status close() override { return {}; }

    private:
        int m_signal;
    };
    std::vector<std::byte> m_first;
    std::vector<std::byte> m_other;
    int m_signal;
    int m_open = 0;
};

} // namespace

TEST_CASE("Ctrl+C and a request to end cancel, and nothing is left behind", "[cli][rewrite]") {
    test::needApplication();
    const int signal = GENERATE(SIGINT, SIGTERM);
    const test::TemporaryFolder folder;
    EndlessFiles files(signal);
    Console console;
    RewriteArguments arguments;
    arguments.what = What::Compress;
    arguments.inputs = {"endless"};
    arguments.output = folder.file("out.etl");
    CHECK(rewriteFile(arguments, files, console) == ExitCode::Discarded);
    CHECK(files.open() == 0);
    CHECK(filesIn(folder.path()) == 0);
}

} // namespace tracedeck::cli
