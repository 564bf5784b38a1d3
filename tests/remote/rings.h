// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/wait.h"
#include "tests/remote/test_host.h"

#include <string>
#include <vector>

namespace tracedeck::test {

inline etw::SessionConfig ringOf(const std::string& name) {
    etw::SessionConfig config;
    config.name = name;
    config.guid = randomGuid();
    config.logFileMode = etlformat::mode::kBuffering;
    config.bufferSizeKib = 16;
    config.minimumBuffers = 64;
    return config;
}

inline Result<etw::StartedSession> startAt(etw::Controller& controller, const etw::SessionConfig& config) {
    return etw::await<etw::StartedSession>([&](auto done) { controller.start(config, std::move(done)); });
}

inline std::vector<etw::remote::LeftRing> leftOf(etw::remote::RemoteController& controller) {
    const auto left =
        etw::await<std::vector<etw::remote::LeftRing>>([&](auto done) { controller.leftRings(std::move(done)); });
    REQUIRE(left.has_value());
    return *left;
}

} // namespace tracedeck::test
