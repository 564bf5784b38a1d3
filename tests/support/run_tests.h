// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

namespace tracedeck::test {

/// What main() of a test program does: runs the tests under the log guard, which fails one that logs an error line
/// unannounced. `whyNot`: a reason to run none of them here, which is printed; empty: run. For programs with a main()
/// of their own; the others get one from main.cpp.
[[nodiscard]] int runTests(int argc, char** argv, const std::function<std::string()>& whyNot = {});

} // namespace tracedeck::test
