// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/types.h"
#include "core/plan/plan.h"
#include "core/profile/document.h"

#include <string>
#include <string_view>
#include <vector>

namespace tracedeck::test {

/// A Linux machine as the kernel source describes one: 2 processors, 8 GB, perf_event and tracefs at hand.
inline etw::Capabilities linuxMachine() {
    using namespace etlformat;
    etw::Capabilities machine;
    machine.platform = "Linux 6.1.0";
    machine.isElevated = true;
    machine.numberOfProcessors = 2;
    machine.physicalMemory = mib(8192);
    for (const std::uint32_t served : {group::kProcess, group::kThread, group::kLoader, group::kProfile,
                                       group::kContextSwitch, group::kDispatcher}) {
        machine.kernelGroups.set(served);
    }
    machine.stackHooks = {hook::kSampledProfile, hook::kCSwitch, hook::kReadyThread};
    machine.providers = {guidFromProviderName("Tracedeck-Recorder")};
    return machine;
}

/// A Windows machine that serves every group and stack that has a name.
etw::Capabilities windowsMachine();

/// A document of the given Profiles content; the test fails where it has errors.
profile::Document documentOf(const std::string& profiles);

/// One system collector (1024 KB × 20), one event collector "Events" (64 KB × 8), a system provider, an event provider
/// and the profile "P" in Verbose.File and Verbose.Memory that uses them. Each piece can be replaced.
struct Pieces {
    std::string systemBuffers = R"(<BufferSize Value="1024"/><Buffers Value="20"/>)";
    std::string eventBuffers = R"(<BufferSize Value="64"/><Buffers Value="8"/>)";
    std::string keywords = R"(<Keyword Value="CSwitch"/><Keyword Value="SampledProfile"/>)";
    std::string stacks = R"(<Stack Value="SampledProfile"/>)";
    std::string provider =
        R"(<EventProvider Id="EP" Name="*Test" Level="4"><Keywords><Keyword Value="0x6"/></Keywords></EventProvider>)";
    std::string moreProfiles;
    [[nodiscard]] profile::Document document() const;
};

/// The only session of a kind; the test fails where there is none.
const plan::PlannedSession& sessionOf(const plan::RecordingPlan& plan, plan::PlannedSession::Kind kind);
const etw::ProviderConfig* providerOf(const plan::PlannedSession& session, std::string_view name);
/// "severity object: limitation detail" of each diagnostic, for readable comparisons.
std::vector<std::string> summary(const plan::RecordingPlan& plan);

} // namespace tracedeck::test
