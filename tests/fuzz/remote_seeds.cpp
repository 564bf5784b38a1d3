// SPDX-License-Identifier: GPL-3.0-or-later
// Writes what remote_fuzz begins with into the folder that TRACEDECK_SEEDS names: a message of each kind, and a life of
// a session.
#include "core/etw/remote/wire.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace tracedeck;
using namespace tracedeck::etw;
using namespace tracedeck::etw::remote;

namespace {

using Bytes8 = std::vector<std::byte>;

void write(const std::string& folder, const std::string& name, const Bytes8& bytes) {
    std::ofstream file(folder + "/" + name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

SessionConfig config() {
    SessionConfig v;
    v.name = "Seed";
    v.logFileName = "/seed.etl";
    v.stackHooks = {0x0F2E};
    v.poolTags = {"Tag"};
    v.stackCaching = StackCaching{1, 2};
    return v;
}

ProviderConfig provider() {
    ProviderConfig v;
    v.name = "Provider";
    v.filters = {{EventFilter::Kind::EventName, true, 1, 2, {3}, {"name"}, {4}}};
    v.stackHooks = {1};
    v.captureOnStart = CaptureState{1, std::chrono::seconds(2)};
    return v;
}

std::vector<request::Body> requests() {
    return {request::AskCapabilities{},
            request::RegisterProvider{1, "Provider"},
            request::Start{config(), {true, {}}},
            request::Enable{{1}, provider()},
            request::WriteEvent{1, {"Event", 4, 0, 1, {{"text", std::string("t")}, {"flag", true}, {"real", 1.5}}}},
            request::CaptureState{{1}, {}, {1, {}}},
            request::Pause{{1}},
            request::Resume{{1}},
            request::Query{{1}},
            request::List{},
            request::Update{{1}, config()},
            request::Mark{{1}, "mark"},
            request::Flush{{1}, "/ring.etl", {true, {}}},
            request::Disable{{1}, {}},
            request::Stop{{1}, "/ring.etl", {false, Error{ErrorCode::FileExists, "there", 17}}},
            request::UnregisterProvider{1},
            request::ListRings{},
            request::SaveRing{Guid{}, "/left.etl", {true, {}}},
            request::SaveRing{Guid{}, "/left.etl", {false, Error{ErrorCode::DiskFull, "full", 28}}},
            request::DiscardRing{Guid{}}};
}

std::vector<reply::Body> replies() {
    SessionStats stats;
    stats.files = {"/seed.etl"};
    stats.losses = {{LossCause::DiskFull, 1, 2}};
    stats.limitations = {{LimitationCode::NoTracefs, "detail", 1}};
    stats.writeError = Error{ErrorCode::DiskFull, "full", 28};
    Capabilities capabilities;
    capabilities.features = {Feature::CircularFiles};
    capabilities.refusedGroups = {{1, {LimitationCode::NoTracefs, "detail", 0}}};
    return {reply::Failed{{ErrorCode::DiskFull, "full", 28}},
            reply::Done{},
            capabilities,
            reply::Started{{1}, {stats, 0, 0}, stats.limitations, 0},
            reply::Statistics{stats, 1, 2},
            reply::Sessions{{{{1}, "Seed", 1, "/seed.etl"}}, 3},
            reply::Rings{{{Guid{}, "Seed", 1000, kib(64)}}, 1}};
}

} // namespace

int main() {
    const char* folder = std::getenv("TRACEDECK_SEEDS");
    if (folder == nullptr) {
        std::fputs("TRACEDECK_SEEDS names no folder\n", stderr);
        return 2;
    }
    std::filesystem::create_directories(folder);
    Bytes8 life{std::byte{1}};
    for (const request::Body& body : requests()) {
        const Bytes8 packet = encode(Request{body.index() + 1, body}).value();
        Bytes8 one{std::byte{0}};
        one.insert(one.end(), packet.begin(), packet.end());
        write(folder, "request " + std::to_string(body.index()) + " of " + std::to_string(one.size()), one);
        for (int sender = 0; sender < 2; ++sender) { // by both clients, in turn
            life.push_back(static_cast<std::byte>(packet.size()));
            life.push_back(static_cast<std::byte>(packet.size() >> 8U));
            life.insert(life.end(), packet.begin(), packet.end());
        }
    }
    write(folder, "life", life);
    for (const reply::Body& body : replies()) {
        Bytes8 one{std::byte{0}};
        const Bytes8 packet = encode(Reply{body.index() + 1, body}).value();
        one.insert(one.end(), packet.begin(), packet.end());
        write(folder, "reply " + std::to_string(body.index()), one);
    }
    return 0;
}
