// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/recorder/fake_controller.h"

#include "core/base/file.h"
#include "core/etlformat/encode.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace tracedeck::test {
namespace {

constexpr std::uint32_t kBufferSize = 64 * 1024;

Error unknownSession() {
    return {ErrorCode::SessionUnknown, "no such session", etw::win32::kInstanceNotFound};
}

std::vector<std::byte> eventBuffer(Ticks time) {
    etlformat::TraceLoggingEvent event;
    event.name = "Something";
    const auto bytes = etlformat::encode(event, guidFromProviderName("Fake-Provider"), "Fake-Provider", time, 1, 1);
    etlformat::BufferHeader header;
    header.bufferSize = kBufferSize;
    header.savedOffset = static_cast<std::uint32_t>(etlformat::alignEvent(etlformat::kBufferHeaderSize + bytes.size()));
    header.offset = header.savedOffset;
    header.timeStamp = time;
    header.sequenceNumber = 1;
    header.bufferFlag = etlformat::buffer_flag::kProcessorIndex;
    std::vector<std::byte> buffer(kBufferSize, std::byte{0xFF});
    std::fill_n(buffer.begin(), header.savedOffset, std::byte{0});
    std::memcpy(buffer.data(), &header, sizeof(header));
    std::memcpy(buffer.data() + etlformat::kBufferHeaderSize, bytes.data(), bytes.size());
    return buffer;
}

} // namespace

class FakeController::Writer final : public etw::EventWriter {
public:
    Writer(FakeController& controller, const std::string& name)
        : m_controller(controller), m_id(guidFromProviderName(name)) {}
    ~Writer() override {
        const std::lock_guard lock(m_controller.m_mutex);
        --m_controller.m_providers;
    }
    void write(const etlformat::TraceLoggingEvent& event) noexcept override {
        const std::lock_guard lock(m_controller.m_mutex);
        m_controller.m_written.push_back({event});
    }
    [[nodiscard]] const Guid& providerId() const noexcept override { return m_id; }

private:
    FakeController& m_controller;
    Guid m_id;
};

std::string FakeController::Written::field(const std::string& name) const {
    for (const auto& [key, value] : event.fields) {
        if (key == name) {
            if (const auto* text = std::get_if<std::string>(&value)) {
                return *text;
            }
            if (const auto* number = std::get_if<std::uint64_t>(&value)) {
                return std::to_string(*number);
            }
        }
    }
    return {};
}

FakeController::FakeController(const Clock& clock) : m_clock(clock), m_thread([this] { runTasks(); }) {
    m_capabilities.platform = "Fake 1.0";
}

FakeController::~FakeController() {
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void FakeController::post(Call call, std::function<void()> run) {
    {
        const std::lock_guard lock(m_mutex);
        m_tasks.push_back({call, std::move(run)});
    }
    m_changed.notify_all();
}

void FakeController::runTasks() {
    for (;;) {
        Task task;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(
                lock, [this] { return m_isEnding || (!m_tasks.empty() && !m_held.contains(m_tasks.front().call)); });
            if (m_tasks.empty()) {
                return;
            }
            if (m_held.contains(m_tasks.front().call)) {
                return; // ending with a call held back: its completion never comes, which the test must not need
            }
            task = std::move(m_tasks.front());
            m_tasks.pop_front();
        }
        task.run();
    }
}

void FakeController::refuse(Call call, const std::string& object, Error error) {
    const std::lock_guard lock(m_mutex);
    m_refusals[{call, object}] = std::move(error);
}

void FakeController::allow(Call call, const std::string& object) {
    const std::lock_guard lock(m_mutex);
    m_refusals.erase({call, object});
}

void FakeController::hold(Call call) {
    const std::lock_guard lock(m_mutex);
    m_held.insert(call);
}

void FakeController::release() {
    {
        const std::lock_guard lock(m_mutex);
        m_held.clear();
    }
    m_changed.notify_all();
}

void FakeController::waitUntilHeld(Call call) const {
    std::unique_lock lock(m_mutex);
    if (!m_changed.wait_for(lock, std::chrono::seconds(20), [&] {
            return !m_tasks.empty() && m_tasks.front().call == call && m_held.contains(call);
        })) {
        throw std::runtime_error("the call that is to be held back did not come");
    }
}

bool FakeController::isHeld(Call call) const {
    const std::lock_guard lock(m_mutex);
    return !m_tasks.empty() && m_tasks.front().call == call && m_held.contains(call);
}

void FakeController::setStats(const std::string& session, etw::SessionStats stats) {
    const std::lock_guard lock(m_mutex);
    m_stats[session] = std::move(stats);
}

void FakeController::setCapabilities(etw::Capabilities capabilities) {
    const std::lock_guard lock(m_mutex);
    m_capabilities = std::move(capabilities);
}

void FakeController::writeGarbage() {
    m_hasGarbage = true;
}

std::vector<std::string> FakeController::calls() const {
    const std::lock_guard lock(m_mutex);
    return m_calls;
}

std::size_t FakeController::queries() const {
    const std::lock_guard lock(m_mutex);
    return m_queries;
}

std::size_t FakeController::runningSessions() const {
    const std::lock_guard lock(m_mutex);
    return m_sessions.size();
}

std::vector<FakeController::Written> FakeController::written() const {
    const std::lock_guard lock(m_mutex);
    return m_written;
}

std::size_t FakeController::registeredProviders() const {
    const std::lock_guard lock(m_mutex);
    return m_providers;
}

std::optional<Error> FakeController::refusalOf(Call call, const std::string& object) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_refusals.find({call, object});
    return found == m_refusals.end() ? std::nullopt : std::optional(found->second);
}

bool FakeController::isTaken(const std::string& name) const {
    const std::lock_guard lock(m_mutex);
    const auto lower = [](std::string text) {
        std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
        return text;
    };
    return std::any_of(m_sessions.begin(), m_sessions.end(),
                       [&](const auto& session) { return lower(session.second.name) == lower(name); });
}

void FakeController::note(std::string call) {
    const std::lock_guard lock(m_mutex);
    m_calls.push_back(std::move(call));
}

tracedeck::Status FakeController::writeFile(const etw::SessionConfig& config, const std::string& path, bool isClosed) {
    // A session's own file is there already when it is completed; a ring's must not be.
    auto file = systemFiles().create(path, isClosed && !config.logFileName.empty() ? FileSystem::Existing::Replace
                                                                                   : FileSystem::Existing::Refuse);
    if (!file) {
        return fail(file.error());
    }
    if (m_hasGarbage) {
        const std::vector<std::byte> garbage(4096, std::byte{0x55});
        return (*file)->writeAt(0, garbage);
    }
    etlformat::TraceIdentity identity;
    identity.perfFreq = m_clock.frequency();
    identity.startTicks = m_clock.ticks() - 1;
    identity.startTime = m_clock.wallTime();
    identity.bootTime = kUnixEpoch;
    etlformat::LogfileSummary summary;
    summary.bufferSize = kBufferSize;
    summary.logFileMode = config.logFileMode;
    summary.loggerName = config.name;
    summary.logFileName = path;
    if (isClosed) {
        summary.buffersWritten = 2;
        summary.endTime = identity.startTime + 1;
    }
    const auto head = etlformat::encodeHeaderBuffer(identity, summary);
    const auto events = eventBuffer(m_clock.ticks());
    tracedeck::Status written = (*file)->writeAt(0, head);
    if (written) {
        written = (*file)->writeAt(head.size(), events);
    }
    return written ? (*file)->close() : written;
}

void FakeController::capabilities(etw::Completion<etw::Capabilities> done) {
    post(Call::Capabilities, [this, done = std::move(done)] {
        if (const auto refusal = refusalOf(Call::Capabilities, "")) {
            done(fail(*refusal));
            return;
        }
        std::unique_lock lock(m_mutex);
        const etw::Capabilities copy = m_capabilities;
        lock.unlock();
        done(copy);
    });
}

void FakeController::start(etw::SessionConfig config, etw::Completion<etw::StartedSession> done) {
    post(Call::Start, [this, config = std::move(config), done = std::move(done)] {
        note("start " + config.name);
        if (isTaken(config.name)) {
            done(fail(ErrorCode::SessionNameTaken, config.name, etw::win32::kAlreadyExists));
            return;
        }
        if (const auto refusal = refusalOf(Call::Start, config.name)) {
            done(fail(*refusal));
            return;
        }
        if (!config.logFileName.empty()) {
            if (const tracedeck::Status written = writeFile(config, config.logFileName, false); !written) {
                done(fail(written.error()));
                return;
            }
        }
        etw::StartedSession started;
        {
            const std::lock_guard lock(m_mutex);
            started.id = {++m_lastId};
            started.stats = m_stats[config.name];
            m_sessions[started.id.value] = config;
        }
        done(started);
    });
}

void FakeController::enable(etw::SessionId session, etw::ProviderConfig provider, etw::Completion<void> done) {
    post(Call::Enable, [this, session, provider = std::move(provider), done = std::move(done)] {
        std::unique_lock lock(m_mutex);
        const std::string name = m_sessions[session.value].name;
        lock.unlock();
        note("enable " + name + " " + provider.name);
        const auto refusal = refusalOf(Call::Enable, provider.name);
        done(refusal ? Result<void>(fail(*refusal)) : Result<void>());
    });
}

void FakeController::query(etw::SessionId session, etw::Completion<etw::SessionStats> done) {
    post(Call::Query, [this, session, done = std::move(done)] {
        std::unique_lock lock(m_mutex);
        ++m_queries;
        const auto found = m_sessions.find(session.value);
        const std::string name = found == m_sessions.end() ? "" : found->second.name;
        const etw::SessionStats stats = m_stats[name];
        lock.unlock();
        if (const auto refusal = refusalOf(Call::Query, name)) {
            done(fail(*refusal));
        } else if (name.empty()) {
            done(fail(unknownSession()));
        } else {
            done(stats);
        }
    });
}

void FakeController::stop(etw::SessionId session, std::string fileName, etw::Completion<etw::SessionStats> done) {
    post(Call::Stop, [this, session, fileName = std::move(fileName), done = std::move(done)] {
        std::unique_lock lock(m_mutex);
        const auto found = m_sessions.find(session.value);
        if (found == m_sessions.end()) {
            lock.unlock();
            done(fail(unknownSession()));
            return;
        }
        const etw::SessionConfig config = found->second;
        const etw::SessionStats stats = m_stats[config.name];
        lock.unlock();
        note("stop " + config.name);
        if (const auto refusal = refusalOf(Call::Stop, config.name)) {
            done(fail(*refusal));
            return;
        }
        const std::string path = config.logFileName.empty() ? fileName : config.logFileName;
        if (!path.empty()) {
            const tracedeck::Status written = writeFile(config, path, true);
            // What its own file cannot hold is lost with it; a ring is kept until it has gone somewhere.
            if (!written && config.logFileName.empty()) {
                done(fail(written.error()));
                return;
            }
        }
        lock.lock();
        m_sessions.erase(session.value);
        lock.unlock();
        done(stats);
    });
}

void FakeController::mark(etw::SessionId session, std::string text, etw::Completion<void> done) {
    post(Call::Mark, [this, session, text = std::move(text), done = std::move(done)] {
        std::unique_lock lock(m_mutex);
        const std::string name = m_sessions[session.value].name;
        lock.unlock();
        note("mark " + name + " " + text);
        done({});
    });
}

// The recorder has no use for these.
void FakeController::captureState(etw::SessionId, Guid, std::uint64_t, etw::Completion<void> done) {
    done(fail(ErrorCode::NotSupported, "captureState"));
}

void FakeController::pause(etw::SessionId, etw::Completion<void> done) {
    done(fail(ErrorCode::NotSupported, "pause"));
}

void FakeController::resume(etw::SessionId, etw::Completion<void> done) {
    done(fail(ErrorCode::NotSupported, "resume"));
}

void FakeController::disable(etw::SessionId, Guid, etw::Completion<void> done) {
    done(fail(ErrorCode::NotSupported, "disable"));
}
void FakeController::list(etw::Completion<std::vector<etw::SessionInfo>> done) {
    post(Call::List, [this, done = std::move(done)] {
        if (const auto refusal = refusalOf(Call::List, "")) {
            done(fail(*refusal));
            return;
        }
        std::vector<etw::SessionInfo> infos;
        {
            const std::lock_guard lock(m_mutex);
            for (const auto& [id, config] : m_sessions) {
                infos.push_back({{id}, config.name, config.logFileMode, config.logFileName, config.guid});
            }
        }
        done(std::move(infos));
    });
}
void FakeController::update(etw::SessionId, etw::SessionConfig, etw::Completion<etw::SessionStats> done) {
    done(fail(ErrorCode::NotSupported, "update"));
}
void FakeController::flush(etw::SessionId, std::string, etw::Completion<etw::SessionStats> done) {
    done(fail(ErrorCode::NotSupported, "flush"));
}

std::unique_ptr<etw::EventWriter> FakeController::registerProvider(std::string name) {
    {
        const std::lock_guard lock(m_mutex);
        ++m_providers;
    }
    return std::make_unique<Writer>(*this, name);
}

} // namespace tracedeck::test
