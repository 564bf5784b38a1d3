// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/host/engine_backend.h"
#include "app/host/listening.h"
#include "app/host/options.h"
#include "app/host/privileges.h"
#include "app/host/ring_store.h"
#include "app/host/shared_kernel_source.h"
#include "app/host/system_authority.h"
#include "app/host/system_log.h"
#include "app/signals/program_start.h"
#include "core/etw/remote/host_place.h"
#include "core/sources/linux/linux_kernel_source.h"

#include <pthread.h>
#include <sys/signalfd.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <spdlog/spdlog.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <thread>

namespace {

using namespace tracedeck;
using host::ExitCode;

constexpr std::chrono::minutes kIdleExit{5};

/// What can be read from when somebody asks the program to end. Threads that are started later leave the signals to it.
Result<etw::remote::Descriptor> endingSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int each : {SIGTERM, SIGINT}) {
        sigaddset(&signals, each);
    }
    std::signal(SIGHUP, SIG_IGN); // a terminal that goes away ends no recording
    if (const int failure = pthread_sigmask(SIG_BLOCK, &signals, nullptr); failure != 0) {
        return fail(errnoError(failure, "block signals"));
    }
    etw::remote::Descriptor descriptor(signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!descriptor.isOpen()) {
        return fail(errnoError(errno, "signalfd"));
    }
    return descriptor;
}

/// Who has started this through pkexec, which sets the variable and nothing else of the caller's.
Result<std::uint32_t> userOfPkexec() {
    const char* text = std::getenv("PKEXEC_UID");
    const std::string_view digits = text != nullptr ? text : "";
    std::uint32_t uid = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), uid);
    if (error != std::errc() || end != digits.data() + digits.size() || geteuid() != 0) {
        return fail(ErrorCode::InvalidArgument, "--for-user is for pkexec to use");
    }
    return uid;
}

/// Where clients come from.
struct Entrance {
    std::vector<etw::remote::Descriptor> sockets;
    std::optional<host::ListeningPlace> place;
    std::optional<std::uint32_t> authorised;
    bool isStartedOnDemand = false;
};

Result<Entrance> openEntrance(const host::Options& options) {
    Entrance entrance;
    auto activated = host::activatedSockets();
    if (!activated) {
        return fail(activated.error());
    }
    if (!activated->empty()) {
        entrance.sockets = std::move(*activated);
        entrance.isStartedOnDemand = true;
        return entrance;
    }
    std::string path = options.socket;
    Status prepared;
    if (options.isForUser) {
        const auto user = userOfPkexec();
        if (!user) {
            return fail(user.error());
        }
        entrance.authorised = *user;
        entrance.isStartedOnDemand = true;
        prepared = host::prepareUserFolder(etw::remote::userFolder(*user));
        path = etw::remote::userSocket(*user);
    } else if (path.empty()) {
        prepared = host::prepareUsualFolder(etw::remote::kHostFolder);
        path = etw::remote::machineSocket();
    }
    if (!prepared) {
        return fail(prepared.error());
    }
    auto place = host::ListeningPlace::open(path, !options.isForUser && options.socket.empty(), entrance.authorised);
    if (!place) {
        return fail(place.error());
    }
    entrance.place.emplace(std::move(*place));
    entrance.sockets.push_back(entrance.place->takeSocket());
    return entrance;
}

/// Where rings outlive this process; empty where there is no such place, and they do not.
Result<std::string> openRingFolder(const host::Options& options) {
    if (!options.ringFolder.empty()) {
        const Status prepared = host::prepareRingFolder(options.ringFolder, host::Foreign::IsRefused);
        return prepared ? Result<std::string>(options.ringFolder) : fail(prepared.error());
    }
    std::string folder = host::usualRingFolder();
    if (const Status prepared = host::prepareRingFolder(folder, host::Foreign::IsMovedAside); !prepared) {
        spdlog::error("recordings in memory will not survive the end of this host: {}", prepared.error().detail);
        folder.clear();
    }
    return folder;
}

Result<void> serve(const host::Options& options) {
    auto ending = endingSignals();
    if (!ending) {
        return fail(ending.error());
    }
    host::raiseDescriptorLimit();
    auto entrance = openEntrance(options);
    if (!entrance) {
        return fail(entrance.error());
    }
    const auto ringFolder = openRingFolder(options);
    if (!ringFolder) {
        return fail(ringFolder.error());
    }
    if (const Status dropped = host::dropPrivileges(); !dropped) {
        return fail(dropped.error());
    }

    static const SystemClock clock; // a call of the kernel source that does not return may outlive everything else here
    const auto kernel =
        std::make_shared<host::SharedKernelSource::Common>(std::make_unique<linux_source::LinuxKernelSource>(
            linux_source::LinuxKernelSource::Environment{&clock, nullptr, {}}));
    host::SystemAuthority authority(entrance->authorised);
    etw::remote::Server::Setup setup;
    setup.backend = [&](std::uint32_t user) {
        return std::make_unique<host::EngineBackend>(clock, options.limits.disk,
                                                     std::make_unique<host::SharedKernelSource>(kernel),
                                                     host::RingPlace{*ringFolder, user});
    };
    if (!ringFolder->empty()) {
        setup.rings = std::make_shared<host::RingStore>(clock, *ringFolder);
    }
    setup.authority = &authority;
    setup.limits = options.limits;
    setup.processors = kernel->identity.numberOfProcessors;
    const std::chrono::seconds usual = entrance->isStartedOnDemand ? kIdleExit : std::chrono::minutes(0);
    if (const auto idle = options.idleExit.value_or(usual); idle.count() != 0) {
        setup.idleTimeout = idle;
    }
    etw::remote::Server server(std::move(setup));
    for (etw::remote::Descriptor& socket : entrance->sockets) {
        server.listen(std::move(socket));
    }
    sd_notify(0, "READY=1");
    if (entrance->place) {
        // For whoever has started it and waits.
        std::printf("%s\n", entrance->place->path().c_str());
        std::fflush(stdout);
        spdlog::info("listening at {}", entrance->place->path());
    }
    if (options.isForUser) {
        host::leaveTerminal();
    }
    const auto end = server.run(ending->get());
    sd_notify(0, "STOPPING=1");
    spdlog::info(end == etw::remote::Server::End::Idle ? "nobody needs the host any more"
                                                       : "the host was asked to end; sessions are closed");
    return {};
}

} // namespace

int main(int argc, char** argv) {
    app::prepareProgram();
    try {
        const auto parsed = host::parseOptions({argv + 1, argv + argc});
        if (const auto* answer = std::get_if<host::Answer>(&parsed)) {
            std::fputs(answer->text.c_str(), answer->code == ExitCode::Ok ? stdout : stderr);
            return static_cast<int>(answer->code);
        }
        const auto& options = std::get<host::Options>(parsed);
        host::logToSystem(options.isVerbose);
        if (const Result<void> served = serve(options); !served) {
            spdlog::error("{}", served.error().detail);
            return static_cast<int>(ExitCode::Failed);
        }
        return static_cast<int>(ExitCode::Ok);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tracedeck-host: %s\n", error.what());
        return static_cast<int>(ExitCode::Failed);
    }
}
