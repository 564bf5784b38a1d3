// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/exit_code.h"
#include "core/base/bytes.h"
#include "core/etl/export.h"
#include "core/etl/scrub.h"
#include "core/profile/document.h"
#include "core/recorder/recorder.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tracedeck::cli {

struct RecordArguments {
    std::vector<std::string> profiles; ///< "CPU", "CPU.Light", "file.wprp", "file.wprp!CPU"
    profile::DetailLevel detail = profile::DetailLevel::Verbose;
    profile::LoggingMode mode = profile::LoggingMode::Memory;
    std::chrono::milliseconds timeLimit{0};
    std::string output; ///< empty: a generated name in the user's recordings folder
    std::string note;
    bool replace = false;
    std::optional<std::uint32_t> maximumFileSizeMib;
    recorder::WhenDiskShort whenDiskShort = recorder::WhenDiskShort::StopAndSave;
    bool usesHost = false; ///< sessions live in tracedeck-host, whatever the rights of this process
    bool isVerbose = false;
};

/// A recording that goes on when the program has ended.
struct StartArguments {
    RecordArguments recording; ///< without an output
    std::string rawFolder;     ///< for the raw files; empty: the user's recordings folder
};

/// What is to be done with recordings that have begun: status, stop, cancel and mark.
struct BackgroundArguments {
    enum class Task : std::uint8_t { Status, Stop, Cancel, Mark };
    Task task = Task::Status;
    std::uint32_t number = 0; ///< as status counts; 0: the only one
    std::string output;       ///< stop; empty: a generated name in the user's recordings folder
    std::string description;  ///< stop: what happened, kept in the trace
    bool replace = false;
    std::string mark; ///< its text
    bool isVerbose = false;
};

struct ProfilesArguments {
    std::string file; ///< empty: those that come with the program
    bool isVerbose = false;
};

/// What plan, profile-details and export choose from.
struct ChoiceArguments {
    std::vector<std::string> profiles; ///< "CPU+DiskIO" is two
    profile::DetailLevel detail = profile::DetailLevel::Verbose;
    profile::LoggingMode mode = profile::LoggingMode::Memory;
    bool isVerbose = false;
};

struct PlanArguments {
    ChoiceArguments choice;
    bool asJson = false;
};

struct DetailsArguments {
    ChoiceArguments choice;
};

struct ExportArguments {
    ChoiceArguments choice;
    std::string output;
    std::string name; ///< of the new profile; empty: those of the profiles, joined
    bool replace = false;
};

struct ValidateArguments {
    std::vector<std::string> files;
    bool asJson = false;
    bool isVerbose = false;
};

struct CheckArguments {
    std::string file;
    bool asJson = false;
    bool isVerbose = false;
};

/// The commands that write an .etl file from others.
struct RewriteArguments {
    enum class What : std::uint8_t { Repair, Trim, Compress, Decompress, Merge };
    What what = What::Repair;
    std::vector<std::string> inputs; ///< one, but for Merge
    std::string output;              ///< empty: a name beside the input
    bool replace = false;
    std::optional<std::chrono::nanoseconds> from; ///< Trim; from the recording's start
    std::optional<std::chrono::nanoseconds> to;
    std::string fromMark; ///< Trim; text of a mark, instead of a time
    std::string toMark;
    bool isVerbose = false;
};

struct ExportEventsArguments {
    std::string input;
    std::string output; ///< "-": standard output
    etl::ExportFormat format = etl::ExportFormat::Csv;
    bool replace = false;
    bool isVerbose = false;
};

struct ScrubArguments {
    etl::ScrubRequest request;
    bool isVerbose = false;
};

struct SummaryArguments {
    CheckArguments file;
};

/// Nothing to do any more: help or a complaint, ready to be printed.
struct Answer {
    std::string text;
    ExitCode code = ExitCode::Ok;
};

using Arguments = std::variant<RecordArguments, StartArguments, BackgroundArguments, ProfilesArguments, PlanArguments,
                               DetailsArguments, ExportArguments, ValidateArguments, CheckArguments, RewriteArguments,
                               SummaryArguments, ExportEventsArguments, ScrubArguments, Answer>;

/// `words` without the program's name.
[[nodiscard]] Arguments parseArguments(std::vector<std::string> words);

/// "10", "10s", "500ms", "2m", "1h"; nothing for anything else and for no time at all.
[[nodiscard]] std::optional<std::chrono::milliseconds> parseDuration(std::string_view text);
/// "0", "2.5", "2.5s", "500ms", "1.5m", "1h"; nothing for anything else and for more than 200 years.
[[nodiscard]] std::optional<std::chrono::nanoseconds> parseMoment(std::string_view text);
/// "500", "500MB", "2GB" in MiB; nothing for anything else, for 0 and for more than 4 PB.
[[nodiscard]] std::optional<std::uint32_t> parseMebibytes(std::string_view text);

} // namespace tracedeck::cli
