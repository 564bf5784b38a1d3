// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace tracedeck::app {

/// Has the last word where a library ends the program without asking: when the display goes away, Qt's X11 platform
/// calls exit(), and its Wayland platform warns and calls _exit(). `rescue` runs once, before either.
///
/// Threading: the main thread, which those calls are made on; calls on others are let go.
/// Ownership: one at a time; when it is destroyed the program ends in the ordinary way.
class ExitGuard final {
public:
    explicit ExitGuard(std::function<void()> rescue);
    ~ExitGuard();
    ExitGuard(const ExitGuard&) = delete;
    ExitGuard& operator=(const ExitGuard&) = delete;
};

} // namespace tracedeck::app
