// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"

#include "app/cli/help.h"
#include "core/profile/system_keywords.h"
#include "core/profile/text.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <tuple>

namespace tracedeck::cli {
namespace {

constexpr const char* kProgram = "tracedeck-cli";

constexpr std::array<std::string_view, 20> kCommands{
    "record",          "start",      "status",   "mark",    "stop",          "cancel", "profiles",
    "profile-details", "plan",       "validate", "export",  "check",         "repair", "trim",
    "compress",        "decompress", "merge",    "summary", "export-events", "scrub"};

constexpr const char* kWprGrammar =
    "tracedeck-cli: options of wpr (-start, -stop, …) are not understood yet; see tracedeck-cli --help\n";

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// Splits "500ms" into 500 and "ms".
std::optional<std::pair<std::uint64_t, std::string>> numberAndUnit(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number == 0) {
        return std::nullopt;
    }
    return std::pair(number, lower(std::string(end, text.data() + text.size())));
}

struct Parser {
    CLI::App app{"", kProgram};
    RecordArguments record;
    StartArguments start;
    BackgroundArguments background;
    ProfilesArguments profiles;
    PlanArguments plan;
    DetailsArguments details;
    ExportArguments exported;
    ValidateArguments validated;
    CheckArguments check;
    RewriteArguments rewrite;
    std::string input;
    std::string from;
    std::string to;
    SummaryArguments summary;
    ExportEventsArguments exportEvents;
    ScrubArguments scrub;
    bool asCsv = false;
    bool asJson = false;
    std::string detail = "verbose";
    bool inFile = false;
    bool inMemory = false;
    std::string time;
    std::string maximumSize;
    std::string whenDiskShort = "stop";
    CLI::App* recordCommand = nullptr;
    CLI::App* startCommand = nullptr;
    std::vector<std::pair<CLI::App*, BackgroundArguments::Task>> backgroundCommands;
    CLI::App* profilesCommand = nullptr;
    CLI::App* planCommand = nullptr;
    CLI::App* detailsCommand = nullptr;
    CLI::App* exportCommand = nullptr;
    CLI::App* validateCommand = nullptr;
    CLI::App* checkCommand = nullptr;
    CLI::App* summaryCommand = nullptr;
    CLI::App* exportEventsCommand = nullptr;
    CLI::App* scrubCommand = nullptr;

    Parser() {
        app.set_version_flag("--version", std::string(kProgram) + " " + TRACEDECK_VERSION);
        app.require_subcommand(1);
        addRecord();
        addStart();
        addBackground();
        addProfiles();
        addPlans();
        addValidate();
        addCheck();
        addRewriting();
        addExportEvents();
        addScrub();
    }

    // What the options mean is said in help.cpp.
    void addRecord() {
        recordCommand = app.add_subcommand("record");
        addRecording(*recordCommand, record);
        recordCommand->add_flag("--host", record.usesHost);
        recordCommand->add_option("-o,--output", record.output);
        recordCommand->add_flag("--force", record.replace);
    }

    void addRecording(CLI::App& command, RecordArguments& into) {
        command.add_option("-p,--profile", into.profiles)->required()->expected(1)->take_all()->allow_extra_args(false);
        CLI::Option* file = addVariant(command);
        command.add_option("-t,--time", time);
        command.add_option("--note", into.note);
        CLI::Option* largest = command.add_option("--max-size", maximumSize)->needs(file);
        command.add_option("--when-disk-short", whenDiskShort)
            ->check(CLI::IsMember({"stop", "keep-newest"}, CLI::ignore_case))
            ->needs(file)
            ->excludes(largest);
        command.add_flag("--verbose", into.isVerbose);
    }

    void addStart() {
        startCommand = app.add_subcommand("start");
        addRecording(*startCommand, start.recording);
        startCommand->add_option("--raw-folder", start.rawFolder);
    }

    void addBackground() {
        using Task = BackgroundArguments::Task;
        const auto add = [this](const char* name, Task task) {
            CLI::App* command = app.add_subcommand(name);
            command->add_flag("--verbose", background.isVerbose);
            backgroundCommands.emplace_back(command, task);
            if (task != Task::Status) {
                command->add_option("-r,--recording", background.number)->check(CLI::PositiveNumber);
            }
            return command;
        };
        add("status", Task::Status);
        add("mark", Task::Mark)->add_option("TEXT", background.mark)->required();
        CLI::App* stop = add("stop", Task::Stop);
        stop->add_option("FILE", background.output);
        stop->add_option("--note", background.description);
        stop->add_flag("--force", background.replace);
        add("cancel", Task::Cancel);
    }

    /// Detail and mode; returns the option for the mode "file".
    CLI::Option* addVariant(CLI::App& command) {
        command.add_option("--detail", detail)->check(CLI::IsMember({"light", "verbose"}, CLI::ignore_case));
        CLI::Option* file = command.add_flag("--file", inFile);
        CLI::Option* memory = command.add_flag("--memory", inMemory);
        file->excludes(memory);
        return file;
    }

    CLI::App* addChoice(const char* name, ChoiceArguments& choice) {
        CLI::App* command = app.add_subcommand(name);
        command->add_option("PROFILES", choice.profiles)->required();
        addVariant(*command);
        command->add_flag("--verbose", choice.isVerbose);
        return command;
    }

    void addPlans() {
        planCommand = addChoice("plan", plan.choice);
        planCommand->add_flag("--json", plan.asJson);
        detailsCommand = addChoice("profile-details", details.choice);
        exportCommand = addChoice("export", exported.choice);
        exportCommand->add_option("--name", exported.name);
        exportCommand->add_flag("--force", exported.replace);
    }

    void addValidate() {
        validateCommand = app.add_subcommand("validate");
        validateCommand->add_option("FILES", validated.files)->required();
        validateCommand->add_flag("--json", validated.asJson);
        validateCommand->add_flag("--verbose", validated.isVerbose);
    }

    void addProfiles() {
        profilesCommand = app.add_subcommand("profiles");
        profilesCommand->add_option("FILE", profiles.file);
        profilesCommand->add_flag("--verbose", profiles.isVerbose);
    }

    void addCheck() {
        checkCommand = addReader("check", check);
        summaryCommand = addReader("summary", summary.file);
    }

    void addExportEvents() {
        exportEventsCommand = app.add_subcommand("export-events");
        exportEventsCommand->add_option("FILE", exportEvents.input)->required();
        exportEventsCommand->add_option("OUT", exportEvents.output)->required();
        CLI::Option* csv = exportEventsCommand->add_flag("--csv", asCsv);
        exportEventsCommand->add_flag("--json", asJson)->excludes(csv);
        exportEventsCommand->add_flag("--force", exportEvents.replace);
        exportEventsCommand->add_flag("--verbose", exportEvents.isVerbose);
    }

    void addScrub() {
        etl::ScrubRequest& request = scrub.request;
        scrubCommand = app.add_subcommand("scrub");
        scrubCommand->add_option("FILE", request.input)->required();
        scrubCommand->add_option("OUT", request.output)->required();
        scrubCommand->add_option("--salt", request.salt);
        scrubCommand->add_flag("--keep-notes", request.keepsNotes);
        scrubCommand->add_flag("--drop-unknown", request.dropsUnknown);
        scrubCommand->add_flag("--force", request.replace);
        scrubCommand->add_flag("--verbose", scrub.isVerbose);
    }

    /// The name of the output says what is wanted, unless an option does.
    [[nodiscard]] std::optional<std::string> finishExportEvents() {
        const std::string name = lower(exportEvents.output);
        if (!asCsv && !asJson) {
            asCsv = name.ends_with(".csv");
            asJson = name.ends_with(".json") || name.ends_with(".jsonl");
        }
        if (!asCsv && !asJson) {
            return "export-events wants --csv or --json, or an output that ends in .csv, .json or .jsonl";
        }
        exportEvents.format = asCsv ? etl::ExportFormat::Csv : etl::ExportFormat::JsonLines;
        return std::nullopt;
    }

    CLI::App* addReader(const char* name, CheckArguments& arguments) {
        CLI::App* command = app.add_subcommand(name);
        command->add_option("FILE", arguments.file)->required();
        command->add_flag("--json", arguments.asJson);
        command->add_flag("--verbose", arguments.isVerbose);
        return command;
    }

    CLI::App* addRewrite(const char* name, RewriteArguments::What what) {
        CLI::App* command = app.add_subcommand(name);
        command->add_flag("--force", rewrite.replace);
        command->add_flag("--verbose", rewrite.isVerbose);
        command->callback([this, what] { rewrite.what = what; });
        return command;
    }

    void addRewriting() {
        using What = RewriteArguments::What;
        const std::array<std::pair<const char*, What>, 3> ofOne{
            {{"repair", What::Repair}, {"compress", What::Compress}, {"decompress", What::Decompress}}};
        for (const auto& [name, what] : ofOne) {
            CLI::App* command = addRewrite(name, what);
            command->add_option("IN", input)->required();
            command->add_option("OUT", rewrite.output);
        }
        CLI::App* trim = addRewrite("trim", What::Trim);
        trim->add_option("IN", input)->required();
        trim->add_option("OUT", rewrite.output)->required();
        CLI::Option* fromTime = trim->add_option("--from", from);
        CLI::Option* toTime = trim->add_option("--to", to);
        trim->add_option("--from-mark", rewrite.fromMark)->excludes(fromTime);
        trim->add_option("--to-mark", rewrite.toMark)->excludes(toTime);
        CLI::App* merge = addRewrite("merge", What::Merge);
        merge->add_option("OUT", rewrite.output)->required();
        merge->add_option("IN", rewrite.inputs)->required();
    }

    /// What CLI11 leaves as text.
    [[nodiscard]] std::optional<std::string> finishRewrite() {
        if (rewrite.what != RewriteArguments::What::Merge) {
            rewrite.inputs = {input};
        }
        for (const auto& [name, text, moment] :
             {std::tuple("--from", &from, &rewrite.from), std::tuple("--to", &to, &rewrite.to)}) {
            if (!text->empty()) {
                *moment = parseMoment(*text);
                if (!*moment) {
                    return std::string(name) + ": '" + *text + "' is no time; write 2.5, 2.5s, 500ms or 2m";
                }
            }
        }
        const bool hasEdge = rewrite.from || rewrite.to || !rewrite.fromMark.empty() || !rewrite.toMark.empty();
        if (rewrite.what == RewriteArguments::What::Trim && !hasEdge) {
            return "trim wants --from or --from-mark, --to or --to-mark, or both";
        }
        if (rewrite.from && rewrite.to && *rewrite.from >= *rewrite.to) {
            return "--to is not behind --from";
        }
        return std::nullopt;
    }

    [[nodiscard]] std::string complaint(const std::string& what) const {
        const auto used = app.get_subcommands();
        const std::string help = used.empty() ? kProgram : std::string(kProgram) + " " + used.front()->get_name();
        return std::string(kProgram) + ": " + what + "\n  see " + help + " --help\n";
    }

    /// An option that was given without anything in it, as a shell does with an unset variable.
    [[nodiscard]] static std::optional<std::string> emptyOption(const CLI::App& command) {
        for (const CLI::Option* option : command.get_options()) {
            const auto& values = option->results();
            const bool mayBeEmpty = option->get_items_expected_max() == 0 || option->check_lname("note");
            if (!mayBeEmpty && std::find(values.begin(), values.end(), std::string()) != values.end()) {
                return option->get_name() + " is empty; give it a value or leave it out";
            }
        }
        return std::nullopt;
    }

    /// WPR writes "Light", scripts write "light".
    [[nodiscard]] profile::DetailLevel chosenDetail() const {
        return lower(detail) == "light" ? profile::DetailLevel::Light : profile::DetailLevel::Verbose;
    }

    void finishChoice(ChoiceArguments& choice) const {
        choice.detail = chosenDetail();
        choice.mode = inFile ? profile::LoggingMode::File : profile::LoggingMode::Memory;
    }

    /// The last word is the file to write.
    [[nodiscard]] std::optional<std::string> finishExport() {
        if (exported.choice.profiles.size() < 2) {
            return "export wants profiles and the file to write";
        }
        if (lower(exported.choice.profiles.front()).ends_with(".etl")) {
            return "export writes profiles; export-events writes what is in a recording";
        }
        // Else the file could not be read again. The letter keeps a byte order mark from being one.
        if (const auto wrong = profile::decode("x" + exported.name).problem) {
            return "--name: " + wrong->message;
        }
        exported.output = std::move(exported.choice.profiles.back());
        exported.choice.profiles.pop_back();
        finishChoice(exported.choice);
        return std::nullopt;
    }

    /// What CLI11 leaves as text.
    [[nodiscard]] std::optional<std::string> finishRecording(RecordArguments& into) {
        if (auto wrong = tooLongNote(into.note)) {
            return wrong;
        }
        into.detail = chosenDetail();
        into.mode = inFile ? profile::LoggingMode::File : profile::LoggingMode::Memory;
        into.whenDiskShort = lower(whenDiskShort) == "keep-newest" ? recorder::WhenDiskShort::KeepNewest
                                                                   : recorder::WhenDiskShort::StopAndSave;
        if (!time.empty()) {
            const auto limit = parseDuration(time);
            if (!limit) {
                return "--time: '" + time + "' is no time; write 10, 10s, 500ms or 2m";
            }
            into.timeLimit = *limit;
        }
        if (!maximumSize.empty()) {
            into.maximumFileSizeMib = parseMebibytes(maximumSize);
            if (!into.maximumFileSizeMib) {
                return "--max-size: '" + maximumSize + "' is no size; write 500, 500MB or 2GB";
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] static std::optional<std::string> tooLongNote(const std::string& note) {
        constexpr std::size_t kLongestNote = 32 * 1024; // what an event holds, with room for the plan
        return note.size() > kLongestNote ? std::optional<std::string>("--note: the text is longer than 32 KB")
                                          : std::nullopt;
    }

    /// The command that was given, if it is one of these.
    [[nodiscard]] bool finishBackground() {
        const auto used = std::find_if(backgroundCommands.begin(), backgroundCommands.end(),
                                       [](const auto& command) { return command.first->parsed(); });
        if (used == backgroundCommands.end()) {
            return false;
        }
        background.task = used->second;
        return true;
    }
};

bool isFlagOfOurs(const std::string& word) {
    return word == "-h" || word == "--help" || word == "--version";
}

} // namespace

ExitCode exitCodeOf(const Error& error) noexcept {
    switch (error.code) {
    case ErrorCode::FileNotFound:
    case ErrorCode::FolderNotFound:
    case ErrorCode::FileExists:
    case ErrorCode::AccessDenied:
    case ErrorCode::DiskFull:
    case ErrorCode::ReadFailed:
    case ErrorCode::WriteFailed:
    case ErrorCode::VerificationFailed:
        return ExitCode::FileError;
    case ErrorCode::InvalidArgument:
    case ErrorCode::ProfileMalformed:
    case ErrorCode::ProfileInvalid:
    case ErrorCode::ProfileUnknown:
    case ErrorCode::ProfileVariantMissing:
    case ErrorCode::SessionBadParameters:
        return ExitCode::Usage;
    case ErrorCode::NotAnEtl:
    case ErrorCode::EtlDamaged:
        return ExitCode::Problems;
    case ErrorCode::NotSupported:
    case ErrorCode::Cancelled:
    case ErrorCode::OutOfMemory:
    case ErrorCode::Internal:
    case ErrorCode::TimedOut:
    case ErrorCode::StrictRefused:
    case ErrorCode::NothingToRecord:
    case ErrorCode::SessionNameTaken:
    case ErrorCode::SessionUnknown:
    case ErrorCode::SessionLimit:
    case ErrorCode::ProviderUnknown:
    case ErrorCode::HostUnreachable:
    case ErrorCode::KernelEventsRefused:
    case ErrorCode::KernelSourceBusy:
    case ErrorCode::KernelSourceFailed:
    case ErrorCode::WrongState:
        return ExitCode::NothingRecorded;
    }
    return ExitCode::NothingRecorded;
}

std::optional<std::chrono::milliseconds> parseDuration(std::string_view text) {
    using Milliseconds = std::chrono::milliseconds;
    const auto parts = numberAndUnit(text);
    if (!parts) {
        return std::nullopt;
    }
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> kUnits{
        {{"", 1000}, {"s", 1000}, {"ms", 1}, {"m", 60'000}, {"h", 3'600'000}}};
    const auto* unit =
        std::find_if(kUnits.begin(), kUnits.end(), [&](const auto& known) { return known.first == parts->second; });
    constexpr std::uint64_t kLongest = 365ULL * 24 * 3600 * 1000;
    if (unit == kUnits.end() || parts->first > kLongest / static_cast<std::uint64_t>(unit->second)) {
        return std::nullopt;
    }
    return Milliseconds(static_cast<std::int64_t>(parts->first) * unit->second);
}

std::optional<std::chrono::nanoseconds> parseMoment(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc() || !(number >= 0)) {
        return std::nullopt;
    }
    constexpr std::array<std::pair<std::string_view, double>, 5> kUnits{
        {{"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"m", 60e9}, {"h", 3600e9}}};
    const std::string unit = lower(std::string(end, text.data() + text.size()));
    const auto* known = std::find_if(kUnits.begin(), kUnits.end(), [&](const auto& one) { return one.first == unit; });
    constexpr double kLongest = 200 * 365.0 * 24 * 3600e9;
    if (known == kUnits.end() || number * known->second > kLongest) {
        return std::nullopt;
    }
    return std::chrono::nanoseconds(std::llround(number * known->second));
}

std::optional<std::uint32_t> parseMebibytes(std::string_view text) {
    const auto parts = numberAndUnit(text);
    if (!parts) {
        return std::nullopt;
    }
    const std::string& unit = parts->second;
    std::uint64_t factor = 0;
    if (unit.empty() || unit == "m" || unit == "mb" || unit == "mib") {
        factor = 1;
    } else if (unit == "g" || unit == "gb" || unit == "gib") {
        factor = 1024;
    }
    if (factor == 0 || parts->first > std::numeric_limits<std::uint32_t>::max() / factor) {
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(parts->first * factor);
}

Arguments parseArguments(std::vector<std::string> words) {
    if (!words.empty() && words.front().starts_with('-') && !isFlagOfOurs(words.front())) {
        return Answer{kWprGrammar, ExitCode::Usage};
    }
    Parser parser;
    if (words.empty()) {
        return Answer{std::string(helpText({})), ExitCode::Usage};
    }
    const std::string& command = words.front();
    const bool isKnown = std::find(kCommands.begin(), kCommands.end(), command) != kCommands.end();
    if (!command.starts_with('-') && !isKnown) {
        const std::string_view near = profile::nearest(command, kCommands);
        return Answer{parser.complaint("'" + command + "' is no command" +
                                       (near.empty() ? std::string() : "; did you mean '" + std::string(near) + "'?")),
                      ExitCode::Usage};
    }
    try {
        std::reverse(words.begin(), words.end()); // as CLI11 wants them
        parser.app.parse(std::move(words));
    } catch (const CLI::CallForHelp&) {
        const auto used = parser.app.get_subcommands();
        return Answer{std::string(helpText(used.empty() ? std::string() : used.front()->get_name())), ExitCode::Ok};
    } catch (const CLI::CallForVersion& version) {
        return Answer{std::string(version.what()) + "\n", ExitCode::Ok};
    } catch (const CLI::ParseError& error) {
        return Answer{parser.complaint(error.what()), ExitCode::Usage};
    }
    for (const CLI::App* used : parser.app.get_subcommands()) {
        if (const auto wrong = Parser::emptyOption(*used)) {
            return Answer{parser.complaint(*wrong), ExitCode::Usage};
        }
    }
    if (parser.recordCommand->parsed()) {
        if (const auto wrong = parser.finishRecording(parser.record)) {
            return Answer{parser.complaint(*wrong), ExitCode::Usage};
        }
        return parser.record;
    }
    if (parser.startCommand->parsed()) {
        if (const auto wrong = parser.finishRecording(parser.start.recording)) {
            return Answer{parser.complaint(*wrong), ExitCode::Usage};
        }
        return parser.start;
    }
    if (parser.finishBackground()) {
        if (const auto wrong = Parser::tooLongNote(parser.background.description)) {
            return Answer{parser.complaint(*wrong), ExitCode::Usage};
        }
        return parser.background;
    }
    if (parser.profilesCommand->parsed()) {
        return parser.profiles;
    }
    if (parser.planCommand->parsed()) {
        parser.finishChoice(parser.plan.choice);
        return parser.plan;
    }
    if (parser.detailsCommand->parsed()) {
        parser.finishChoice(parser.details.choice);
        return parser.details;
    }
    if (parser.exportCommand->parsed()) {
        if (const auto wrong = parser.finishExport()) {
            return Answer{parser.complaint(*wrong), ExitCode::Usage};
        }
        return parser.exported;
    }
    if (parser.validateCommand->parsed()) {
        return parser.validated;
    }
    if (parser.exportEventsCommand->parsed()) {
        if (const auto wrong = parser.finishExportEvents()) {
            return Answer{parser.complaint(*wrong), ExitCode::Usage};
        }
        return parser.exportEvents;
    }
    if (parser.scrubCommand->parsed()) {
        return parser.scrub;
    }
    if (parser.summaryCommand->parsed()) {
        return parser.summary;
    }
    if (parser.checkCommand->parsed()) {
        return parser.check;
    }
    if (const auto wrong = parser.finishRewrite()) {
        return Answer{parser.complaint(*wrong), ExitCode::Usage};
    }
    return parser.rewrite;
}

} // namespace tracedeck::cli
