// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace tracedeck::test {

/// A test that lets the program log an error says so first; an error line nobody expected fails the test it fell in.
///
/// Threading: any thread may log; expectErrors() is for the test's own thread.
class ExpectErrors {
public:
    /// Error lines that contain `part` are expected while this lives; the destructor fails the test where none came.
    explicit ExpectErrors(std::string part);
    ~ExpectErrors();
    ExpectErrors(const ExpectErrors&) = delete;
    ExpectErrors& operator=(const ExpectErrors&) = delete;
};

/// Done by runTests() for every test program.
void installLogGuard();
/// Error lines that no ExpectErrors announced, since the last call; joined by line breaks.
std::string takeUnexpectedErrors();

} // namespace tracedeck::test
