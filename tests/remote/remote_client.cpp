// SPDX-License-Identifier: GPL-3.0-or-later
// A client of a host in a process of its own, for tests to start, to stop and to kill:
//   remote_client SOCKET start NAME FILE|-     starts a session (-: a ring) and writes events until it is killed
//   remote_client SOCKET start-system NAME FILE  the same, of the kernel, and ends
//   remote_client SOCKET list                  names, one a line
//   remote_client SOCKET stop NAME [FILE]      "stopped EVENTS"
//   remote_client SOCKET left                  sessions that have left rings, "GUID NAME" a line
//   remote_client SOCKET save-left GUID FILE   "saved" or "nothing"
//   remote_client SOCKET discard-left GUID     "discarded"
// Failures: "failed CODE DETAIL", exit status 1.
#include "core/etw/remote/packet_socket.h"
#include "core/etw/remote/remote_controller.h"
#include "core/etw/wait.h"

#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace tracedeck;
using namespace tracedeck::etw;

template <class T>
T orEnd(Result<T> outcome) {
    if (!outcome) {
        std::printf("failed %s %s\n", std::string(toString(outcome.error().code)).c_str(),
                    outcome.error().detail.c_str());
        std::fflush(stdout);
        _exit(1);
    }
    if constexpr (!std::is_void_v<T>) {
        return std::move(*outcome);
    }
}

SessionConfig configOf(const std::string& name, const std::string& file) {
    SessionConfig config;
    config.name = name;
    if (file == "-") {
        config.logFileMode = etlformat::mode::kBuffering;
    } else {
        config.logFileName = file;
    }
    return config;
}

void start(remote::RemoteController& controller, const std::string& name, const std::string& file) {
    const auto writer = controller.registerProvider("Remote-Client");
    const auto started =
        orEnd(await<StartedSession>([&](auto done) { controller.start(configOf(name, file), std::move(done)); }));
    orEnd(await<void>([&](auto done) {
        controller.enable(started.id, {writer->providerId(), "", 0xFF, 0, 0, false}, std::move(done));
    }));
    std::printf("started\n");
    std::fflush(stdout);
    for (std::uint32_t number = 0;; ++number) {
        writer->write({"Event", 4, 0, 1, {{"number", number}, {"text", std::string("some text of an event")}}});
        if (number % 256 == 255) { // no faster than the host reads
            orEnd(await<SessionStats>([&](auto done) { controller.query(started.id, std::move(done)); }));
        }
    }
}

void startSystem(remote::RemoteController& controller, const std::string& name, const std::string& file) {
    SessionConfig config = configOf(name, file);
    config.logFileMode |= etlformat::mode::kSystemLogger;
    config.kernelGroups.set(etlformat::group::kProfile);
    orEnd(await<StartedSession>([&](auto done) { controller.start(std::move(config), std::move(done)); }));
    std::printf("started\n");
}

std::vector<SessionInfo> list(remote::RemoteController& controller) {
    return orEnd(await<std::vector<SessionInfo>>([&](auto done) { controller.list(std::move(done)); }));
}

int stop(remote::RemoteController& controller, const std::string& name, const std::string& file) {
    for (const SessionInfo& info : list(controller)) {
        if (info.name == name) {
            const auto last =
                orEnd(await<SessionStats>([&](auto done) { controller.stop(info.id, file, std::move(done)); }));
            std::printf("stopped %llu\n", static_cast<unsigned long long>(last.eventsRecorded));
            return 0;
        }
    }
    std::printf("failed SessionUnknown no session of that name is told\n");
    return 1;
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() < 2) {
        return 2;
    }
    remote::RemoteController controller(orEnd(remote::connectTo(words[0])));
    if (words[1] == "start" && words.size() == 4) {
        start(controller, words[2], words[3]);
    } else if (words[1] == "start-system" && words.size() == 4) {
        startSystem(controller, words[2], words[3]);
    } else if (words[1] == "list") {
        for (const SessionInfo& info : list(controller)) {
            std::printf("%s\n", info.name.c_str());
        }
    } else if (words[1] == "stop" && words.size() >= 3) {
        return stop(controller, words[2], words.size() > 3 ? words[3] : std::string());
    } else if (words[1] == "left") {
        const auto left =
            orEnd(await<std::vector<remote::LeftRing>>([&](auto done) { controller.leftRings(std::move(done)); }));
        for (const remote::LeftRing& ring : left) {
            std::printf("%s %s\n", toString(ring.session).c_str(), ring.name.c_str());
        }
    } else if (words[1] == "save-left" && words.size() == 4) {
        std::printf("%s\n", orEnd(controller.save(parseGuid(words[2]).value(), words[3])) ? "saved" : "nothing");
    } else if (words[1] == "discard-left" && words.size() == 3) {
        orEnd(controller.discard(parseGuid(words[2]).value()));
        std::printf("discarded\n");
    } else {
        return 2;
    }
    return 0;
}
