// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace tracedeck::etl {

struct ScrubRequest {
    std::string input;
    std::string output;
    bool replace = false;
    std::string salt;          ///< the same one gives the same replacements; empty: a new one, which nobody learns
    bool keepsNotes = false;   ///< what the user typed: notes, marks, the description of the problem
    bool dropsUnknown = false; ///< payloads that nothing tells the meaning of become zeros
};

struct ScrubResult {
    struct Unknown {
        std::string name; ///< as in Summary::names
        std::uint64_t events = 0;
    };
    std::uint64_t events = 0;
    // Values that were replaced.
    std::uint64_t commandLines = 0;
    std::uint64_t paths = 0;     ///< of files, keys and objects, and names of programs
    std::uint64_t texts = 0;     ///< other texts: names of machines and threads, texts of self-describing events
    std::uint64_t users = 0;     ///< SIDs
    std::uint64_t addresses = 0; ///< of networks, and numbers that identify a machine
    std::uint64_t notes = 0;
    std::uint64_t binaries = 0;   ///< fields of bytes, which became zeros
    std::uint64_t damaged = 0;    ///< places that are left out of the output
    std::vector<Unknown> unknown; ///< whose payloads are as they were, or zeros with dropsUnknown; most frequent first
    std::uint64_t unknownEvents = 0;
    std::uint64_t bytes = 0; ///< of the output
    /// Nothing is left that was not understood.
    [[nodiscard]] bool isClean(const ScrubRequest& request) const noexcept {
        return request.dropsUnknown || unknownEvents == 0;
    }
};

using ScrubProgress = std::function<void(double fraction)>;

/// Writes a recording again without what says whose it is: command lines, users, names of machines, paths of files,
/// addresses of networks, and every text of self-describing events become letters that follow from them and the salt
/// (see Replacer), notes too unless they are kept. Sizes and times stay: no event moves, and analysis finds the same
/// processes, stacks and files under other names.
///
/// Kept, because analysis needs it or it says nothing: names of providers, events and fields; files of the operating
/// system, and programs that are such; well-known kinds of files; ids of processes and threads, and all other numbers;
/// the names of sessions that recorders use; the time zone; the recorder's list of what was turned on.
/// Stacks keep their addresses; what a walk took for one and can be none becomes zero. Texts of up to six bytes on a
/// stack look like addresses and stay.
/// Bytes between events and behind the last one of a buffer are cleared, damaged places left out. Compressed buffers
/// are written uncompressed.
///
/// Payloads of manifest events, of classic ones but for those that merges add, of WPP messages and of kernel events
/// without a known layout cannot be told apart into names and numbers: they are listed, and the output is not clean
/// unless dropsUnknown makes them zeros.
///
/// The output appears under its name when it is whole. Errors: those of opening and reading, NotAnEtl, DiskFull,
/// FileExists, those of writing, Cancelled. After an error there is no output.
[[nodiscard]] Result<ScrubResult> scrub(FileSystem& files, const ScrubRequest& request,
                                        const ScrubProgress& progress = {}, std::stop_token stop = {});

} // namespace tracedeck::etl
