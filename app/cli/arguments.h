// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/exit_code.h"
#include "core/base/bytes.h"
#include "core/profile/document.h"

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
    bool usesHost = false; ///< sessions live in tracedeck-host, whatever the rights of this process
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

/// Nothing to do any more: help or a complaint, ready to be printed.
struct Answer {
    std::string text;
    ExitCode code = ExitCode::Ok;
};

using Arguments = std::variant<RecordArguments, ProfilesArguments, PlanArguments, DetailsArguments, ExportArguments,
                               ValidateArguments, CheckArguments, Answer>;

/// `words` without the program's name.
[[nodiscard]] Arguments parseArguments(std::vector<std::string> words);

/// "10", "10s", "500ms", "2m", "1h"; nothing for anything else and for no time at all.
[[nodiscard]] std::optional<std::chrono::milliseconds> parseDuration(std::string_view text);
/// "500", "500MB", "2GB" in MiB; nothing for anything else, for 0 and for more than 4 PB.
[[nodiscard]] std::optional<std::uint32_t> parseMebibytes(std::string_view text);

} // namespace tracedeck::cli
