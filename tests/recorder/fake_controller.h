// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/etw/controller.h"
#include "core/etw/event_writer.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace tracedeck::test {

/// A controller that does what the test says, on a thread of its own, as the contract wants: a session whose stop is
/// refused, or whose ring cannot be written, is kept. Sessions write real, small .etl files of one event, so that what
/// a recorder does with them is real too.
class FakeController final : public etw::Controller, public etw::EventWriterFactory {
public:
    enum class Call { Capabilities, Start, Enable, Query, List, Stop, Mark };
    struct Written {
        etlformat::TraceLoggingEvent event;
        /// "Text" of an event, or an empty string.
        [[nodiscard]] std::string field(const std::string& name) const;
    };

    explicit FakeController(const Clock& clock);
    ~FakeController() override;

    // The script. Any thread, at any time.
    /// `object`: the session's or provider's name.
    void refuse(Call call, const std::string& object, Error error);
    /// Takes a refusal back.
    void allow(Call call, const std::string& object);
    /// Calls of this kind are carried out no more until release().
    void hold(Call call);
    void release();
    void setStats(const std::string& session, etw::SessionStats stats);
    void setCapabilities(etw::Capabilities capabilities);
    /// The files that stopped sessions leave are no .etl.
    void writeGarbage();

    /// What was asked, in order: "start Events", "enable Events Tracedeck-Recorder", "stop System", without queries.
    [[nodiscard]] std::vector<std::string> calls() const;
    [[nodiscard]] std::size_t queries() const;
    [[nodiscard]] std::size_t runningSessions() const;
    [[nodiscard]] std::vector<Written> written() const;
    [[nodiscard]] std::size_t registeredProviders() const;
    /// Waits until `call` is held back.
    void waitUntilHeld(Call call) const;
    [[nodiscard]] bool isHeld(Call call) const;

    void capabilities(etw::Completion<etw::Capabilities> done) override;
    void start(etw::SessionConfig config, etw::Completion<etw::StartedSession> done) override;
    void enable(etw::SessionId session, etw::ProviderConfig provider, etw::Completion<void> done) override;
    void disable(etw::SessionId session, Guid provider, etw::Completion<void> done) override;
    void captureState(etw::SessionId session, Guid provider, std::uint64_t keywords,
                      etw::Completion<void> done) override;
    void pause(etw::SessionId session, etw::Completion<void> done) override;
    void resume(etw::SessionId session, etw::Completion<void> done) override;
    void query(etw::SessionId session, etw::Completion<etw::SessionStats> done) override;
    void list(etw::Completion<std::vector<etw::SessionInfo>> done) override;
    void update(etw::SessionId session, etw::SessionConfig config, etw::Completion<etw::SessionStats> done) override;
    void flush(etw::SessionId session, std::string fileName, etw::Completion<etw::SessionStats> done) override;
    void stop(etw::SessionId session, std::string fileName, etw::Completion<etw::SessionStats> done) override;
    void mark(etw::SessionId session, std::string text, etw::Completion<void> done) override;
    [[nodiscard]] std::unique_ptr<etw::EventWriter> registerProvider(std::string name) override;

private:
    class Writer;
    struct Task {
        Call call;
        std::function<void()> run;
    };
    void post(Call call, std::function<void()> run);
    void runTasks();
    [[nodiscard]] std::optional<Error> refusalOf(Call call, const std::string& object) const;
    [[nodiscard]] bool isTaken(const std::string& name) const;
    void note(std::string call);
    [[nodiscard]] tracedeck::Status writeFile(const etw::SessionConfig& config, const std::string& path, bool isClosed);

    const Clock& m_clock;
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_changed;
    std::deque<Task> m_tasks;
    std::set<Call> m_held;
    bool m_isEnding = false;
    std::atomic<bool> m_hasGarbage = false;
    std::map<std::pair<Call, std::string>, Error> m_refusals;
    std::map<std::string, etw::SessionStats> m_stats;
    std::map<std::uint64_t, etw::SessionConfig> m_sessions;
    std::uint64_t m_lastId = 0;
    etw::Capabilities m_capabilities;
    std::vector<std::string> m_calls;
    std::size_t m_queries = 0;
    std::vector<Written> m_written;
    std::size_t m_providers = 0;
    std::thread m_thread;
};

} // namespace tracedeck::test
