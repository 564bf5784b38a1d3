// SPDX-License-Identifier: GPL-3.0-or-later
// What a session host is told by clients it does not know: messages, and what the host does because of them. The first
// byte says which: even, one message; odd, several for the dispatcher, each behind its size in two bytes.
#include "core/etw/remote/dispatcher.h"
#include "core/etw/remote/wire.h"

#include <sys/mman.h>

#include <spdlog/spdlog.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <span>

using namespace tracedeck;
using namespace tracedeck::etw;
using namespace tracedeck::etw::remote;

namespace {

void require(bool isTrue) {
    if (!isTrue) {
        std::abort();
    }
}

class FakeWriter final : public EventWriter {
public:
    void write(const etlformat::TraceLoggingEvent& event) noexcept override { require(event.fields.size() < 10'000); }
    [[nodiscard]] const Guid& providerId() const noexcept override { return m_id; }

private:
    Guid m_id;
};

/// Sessions without anything in them: what has started runs until it is stopped, and takes its file.
class FakeBackend final : public Backend, public Controller {
public:
    Controller& controller() noexcept override { return *this; }
    DescriptorFiles& files() noexcept override { return m_files; }
    std::unique_ptr<EventWriter> registerProvider(std::string, std::uint32_t) override {
        return std::make_unique<FakeWriter>();
    }

    void capabilities(Completion<Capabilities> done) override { done(Capabilities{}); }
    void start(SessionConfig config, Completion<StartedSession> done) override {
        if (!config.logFileName.empty()) {
            auto file = m_files.create(config.logFileName, FileSystem::Existing::Refuse);
            if (!file) {
                done(fail(file.error()));
                return;
            }
            m_open[config.logFileName] = std::move(*file);
        }
        StartedSession started;
        started.id = {++m_last};
        started.stats.bufferSizeKib = config.bufferSizeKib % 64;
        started.stats.maximumBuffers = config.maximumBuffers % 64;
        m_running[m_last] = config.logFileName;
        done(std::move(started));
    }
    void enable(SessionId id, ProviderConfig, Completion<void> done) override { answer(id, std::move(done)); }
    void disable(SessionId id, Guid, Completion<void> done) override { answer(id, std::move(done)); }
    void captureState(SessionId id, Guid, std::uint64_t, Completion<void> done) override {
        answer(id, std::move(done));
    }
    void pause(SessionId id, Completion<void> done) override { answer(id, std::move(done)); }
    void resume(SessionId id, Completion<void> done) override { answer(id, std::move(done)); }
    void query(SessionId id, Completion<SessionStats> done) override { answer(id, std::move(done)); }
    void list(Completion<std::vector<SessionInfo>> done) override { done(std::vector<SessionInfo>{}); }
    void update(SessionId id, SessionConfig, Completion<SessionStats> done) override { answer(id, std::move(done)); }
    void flush(SessionId id, std::string, Completion<SessionStats> done) override { answer(id, std::move(done)); }
    void stop(SessionId id, std::string, Completion<SessionStats> done) override {
        answer(id, std::move(done));
        if (const auto found = m_running.find(id.value); found != m_running.end()) {
            m_open.erase(found->second);
            m_running.erase(found);
        }
    }
    void mark(SessionId id, std::string, Completion<void> done) override { answer(id, std::move(done)); }

private:
    template <class T>
    void answer(SessionId id, Completion<T> done) {
        if (!m_running.contains(id.value)) {
            done(fail(ErrorCode::SessionUnknown, "none", win32::kInstanceNotFound));
        } else if constexpr (std::is_void_v<T>) {
            done({});
        } else {
            done(T{});
        }
    }
    DescriptorFiles m_files{mib(1)};
    std::map<std::uint64_t, std::string> m_running;
    std::map<std::string, std::unique_ptr<OutputFile>> m_open;
    std::uint64_t m_last = 0;
};

/// Two rings, one of each client's, as long as nobody discards them. Saving one writes something.
class FakeRings final : public LeftRings {
public:
    std::vector<Kept> list() override {
        const std::lock_guard lock(m_mutex);
        return m_kept;
    }
    Status save(const std::string& place, FileSystem& files, const std::string& target,
                const std::stop_token&) override {
        require(!place.empty());
        auto file = files.create(target, FileSystem::Existing::Refuse);
        if (!file) {
            return fail(file.error());
        }
        const std::array<std::byte, 100> bytes{};
        return (*file)->writeAt(0, bytes);
    }
    Status discard(const std::string& place) override {
        const std::lock_guard lock(m_mutex);
        require(std::erase_if(m_kept, [&](const Kept& each) { return each.place == place; }) <= 1);
        return {};
    }

private:
    std::mutex m_mutex;
    std::vector<Kept> m_kept{{{Guid{}, "Seed", 1000, mib(2000)}, "a"}, {{Guid{}, "Seed", 0, mib(1)}, "b"}};
};

class FakeAuthority final : public Authority {
public:
    void recordSystem(std::shared_ptr<const Peer> peer, Completion<void> done) override {
        if (peer->uid == 0) {
            done({});
        } else {
            done(fail(ErrorCode::AccessDenied, "no", win32::kAccessDenied));
        }
    }
};

/// What was understood is said again in the same way.
template <class Decode>
void checkMessage(std::span<const std::byte> bytes, Decode decode) {
    const auto message = decode(bytes);
    if (!message) {
        require(!message.error().detail.empty());
        return;
    }
    const auto again = encode(*message);
    require(again.has_value());
}

void dispatch(std::span<const std::byte> bytes) {
    FakeAuthority authority;
    auto inbox = std::make_shared<Inbox>();
    Server::Setup setup;
    setup.backend = [](std::uint32_t) { return std::make_unique<FakeBackend>(); };
    setup.authority = &authority;
    setup.rings = std::make_shared<FakeRings>();
    setup.limits.sessions = 4;
    Dispatcher dispatcher(std::move(setup), inbox);
    std::array clients{dispatcher.connected(Peer{1000, 1000, 10, {}, {}}),
                       dispatcher.connected(Peer{0, 0, 11, {}, {}})};
    std::size_t asked = 0;
    std::size_t answered = 0;
    for (std::size_t turn = 0; bytes.size() > 2; ++turn) {
        const std::size_t size = std::to_integer<std::size_t>(bytes[0]) | std::to_integer<std::size_t>(bytes[1]) << 8U;
        bytes = bytes.subspan(2);
        const auto packet = bytes.first(std::min(size, bytes.size()));
        bytes = bytes.subspan(packet.size());
        auto request = decodeRequest(packet);
        if (!request) {
            continue;
        }
        Descriptor file;
        if (request->hasFile()) {
            file.reset(::memfd_create("fuzz", MFD_CLOEXEC));
        }
        ++asked;
        dispatcher.handle(clients[turn % 2], std::move(*request), std::move(file), [&](reply::Body body) {
            ++answered;
            require(encode(Reply{1, std::move(body)}).has_value());
        });
        inbox->carryOut();
        inbox->carryOut(); // what consent has led to
    }
    require(answered <= asked);
    for (auto& client : clients) {
        dispatcher.disconnected(std::move(client));
    }
    inbox->carryOut();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const bool isQuiet = [] {
        spdlog::set_level(spdlog::level::off);
        return true;
    }();
    if (size == 0 || !isQuiet) {
        return 0;
    }
    const auto bytes = std::as_bytes(std::span(data, size)).subspan(1);
    if (data[0] % 2 == 0) {
        checkMessage(bytes, decodeRequest);
        checkMessage(bytes, decodeReply);
    } else {
        dispatch(bytes);
    }
    return 0;
}
