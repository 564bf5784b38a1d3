// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls.h"

#include "tests/support/catch.h"

using tracedeck::recorder::State;
using tracedeck::ui::Controls;
using tracedeck::ui::controlsFor;

TEST_CASE("What can be done follows from the state of the recorder", "[ui][controls]") {
    struct Row {
        State state;
        bool isReady;
        Controls expected;
    };
    // Columns: record, stop, mark, edit, save, discard, cancel save; live, stopped, progress are seen.
    const auto row =
        GENERATE(Row{State::Idle, true, {true, false, false, true, false, false, false, false, false, false}},
                 Row{State::Idle, false, {false, false, false, true, false, false, false, false, false, false}},
                 Row{State::Starting, true, {false, false, false, false, false, false, false, true, false, false}},
                 Row{State::Recording, true, {false, true, true, false, false, true, false, true, false, false}},
                 Row{State::Recording, false, {false, true, true, false, false, true, false, true, false, false}},
                 Row{State::Stopping, true, {false, false, false, false, false, false, false, true, false, true}},
                 Row{State::Stopped, true, {false, false, false, false, true, true, false, true, true, false}},
                 Row{State::Saving, true, {false, false, false, false, false, false, true, false, false, true}},
                 Row{State::Verifying, true, {false, false, false, false, false, false, true, false, false, true}});
    CAPTURE(static_cast<int>(row.state), row.isReady);
    CHECK(controlsFor(row.state, row.isReady) == row.expected);
}
