// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/recorder/fake_controller.h"
#include "tests/recorder/stage.h"
#include "tests/support/catch.h"
#include "tests/support/failing_device.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace tracedeck::test {

/// Asks for a refusal because of the recorder's state.
inline void requireWrongState(const Status& status) {
    REQUIRE_FALSE(status);
    CHECK(status.error().code == ErrorCode::WrongState);
}

/// A recorder on a fake controller, with a folder of its own.
struct RecorderStage {
    TemporaryFolder folder;
    ManualClock clock;
    FakeController controller{clock};
    std::optional<Watched> watched{std::in_place,
                                   recorder::Recorder::Environment{&controller, &controller, &systemFiles(), &clock}};

    recorder::Recorder& recorder() { return watched->recorder; }
    recorder::Request request(const PlanOptions& options = {}) const {
        recorder::Request request;
        request.plan = makePlan(options);
        request.workFolder = folder.path();
        request.note = "a note";
        return request;
    }
    void record(const PlanOptions& options = {}) {
        REQUIRE(recorder().start(request(options)));
        REQUIRE(watched->waitForState(recorder::State::Recording));
    }
    void recordAndStop(const PlanOptions& options = {}) {
        record(options);
        REQUIRE(recorder().stop());
        REQUIRE(watched->waitForSignal("stopped"));
    }
    std::vector<FakeController::Written> written(const std::string& name) const {
        auto all = controller.written();
        all.erase(std::remove_if(all.begin(), all.end(), [&](const auto& w) { return w.event.name != name; }),
                  all.end());
        return all;
    }
};

} // namespace tracedeck::test
