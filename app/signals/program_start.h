// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tracedeck::app {

/// Sees to it that no recording is lost by how a program was started. The first thing in main(), before anything opens
/// a file:
/// - Standard descriptors that are closed (`2>&-`) become /dev/null: else the next file or socket gets their numbers,
///   and what is meant for the terminal goes into it.
/// - SIGPIPE is ignored: a reader of the output that went away must not end a recording.
/// - SIGXFSZ is ignored: a limit on the size of files makes writing fail, as a full disk does.
void prepareProgram() noexcept;

} // namespace tracedeck::app
