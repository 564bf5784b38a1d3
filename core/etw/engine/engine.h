// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/etw/controller.h"
#include "core/etw/engine/kernel_source.h"
#include "core/etw/engine/memory.h"
#include "core/etw/engine/real_time.h"
#include "core/etw/event_writer.h"

#include <chrono>
#include <functional>
#include <memory>

namespace tracedeck::etw::engine {

/// The embedded ETW: sessions in this process, with ETW's semantics and file format.
///
/// Threading: one control thread carries out the requests and calls completions; another one tells providers what they
/// want to be told (EnableCallback), while the first waits for it, but not forever; one thread per session with a file,
/// or in real time, moves full buffers out. Writers of events never lock, allocate or call the system, but for a
/// thread's first event with a stack (call_stack.h). Ownership: `clock`, `files` and `kernel` must outlive the engine;
/// `kernel` may be null (no kernel events then). The destructor stops every session and closes its file properly, when
/// providers that are being told have returned; rings are dropped, or left where the environment says so. Errors: those
/// of Controller; where the system has no thread for the engine, every request is refused at once (OutOfMemory), on the
/// caller's thread.
class Engine final : public Controller, public EventWriterFactory, public ProviderFactory {
public:
    struct Environment {
        const Clock* clock = nullptr;
        FileSystem* files = nullptr;
        KernelSource* kernel = nullptr;
        std::function<Bytes()> availableMemory = engine::availableMemory; ///< any thread
        /// Where rings lie in shared memory and outlive the process (shared_ring.h); empty: in memory of its own.
        std::string ringFolder{};
        /// The user whom a session is for; control thread. None: this process's.
        std::function<std::uint32_t(const SessionConfig&)> ownerOf{};
        /// What becomes of the rings in that folder that are recorded to when the engine ends.
        enum class Rings : std::uint8_t { Dropped, Left } ringsAtEnd = Rings::Dropped;
        /// How long one call of the kernel source may take, a rundown included; the session goes on without it then.
        std::chrono::milliseconds sourceTimeout = std::chrono::seconds(60);
        /// Kept as long as a call of the kernel source has not returned, be it longer than the engine lives.
        std::shared_ptr<void> kernelOwner{};
    };
    explicit Engine(Environment environment);
    ~Engine() override;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    void capabilities(Completion<Capabilities> done) override;
    void start(SessionConfig config, Completion<StartedSession> done) override;
    void enable(SessionId session, ProviderConfig provider, Completion<void> done) override;
    void disable(SessionId session, Guid provider, Completion<void> done) override;
    void captureState(SessionId session, Guid provider, std::uint64_t keywords, Completion<void> done) override;
    void captureStateWithin(SessionId session, Guid provider, CaptureState state, Completion<void> done) override;
    void pause(SessionId session, Completion<void> done) override;
    void resume(SessionId session, Completion<void> done) override;
    void query(SessionId session, Completion<SessionStats> done) override;
    void list(Completion<std::vector<SessionInfo>> done) override;
    void update(SessionId session, SessionConfig config, Completion<SessionStats> done) override;
    void flush(SessionId session, std::string fileName, Completion<SessionStats> done) override;
    void stop(SessionId session, std::string fileName, Completion<SessionStats> done) override;
    void mark(SessionId session, std::string text, Completion<void> done) override;

    /// OpenTrace of a session in real time (kRealTime): real_time.h says what its consumer gets. SessionUnknown;
    /// SessionBadParameters where it is no such session.
    void openRealTime(SessionId session, Completion<std::shared_ptr<RealTimeConsumer>> done);

    [[nodiscard]] std::unique_ptr<EventWriter> registerProvider(std::string name) override;
    [[nodiscard]] std::unique_ptr<EventWriter> registerSelfDescribing(std::string name,
                                                                      EnableCallback callback) override;
    /// A provider of another process, whose events are handed over by this one: they are stamped when they arrive and
    /// carry that process's id (and that of its main thread).
    [[nodiscard]] std::unique_ptr<EventWriter> registerProviderOf(std::uint32_t processId, std::string name);
    [[nodiscard]] std::unique_ptr<ManifestWriter> registerManifest(const Guid& provider,
                                                                   EnableCallback callback) override;
    [[nodiscard]] std::unique_ptr<ClassicWriter> registerClassic(const Guid& control, EnableCallback callback) override;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace tracedeck::etw::engine
