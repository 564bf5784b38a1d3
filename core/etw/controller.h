// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/types.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tracedeck::etw {

/// Called exactly once with the outcome, on a thread of the controller's own. Must not block and must not throw; it may
/// call the controller again.
template <class T>
using Completion = std::function<void(Result<T>)>;

/// Starts, configures, queries and stops tracing sessions: ETW's control functions as values, so that the sessions may
/// live in this process, in the operating system, or behind a connection.
///
/// Threading: every function may be called from any thread and returns at once. Requests for one session are carried
/// out in the order of their calls. Ownership: sessions belong to the controller, not to the caller. Whether they
/// outlive it is the implementation's: those of the embedded engine end with it (their files are closed properly in its
/// destructor). Errors: ETW's Win32 code in Error::native (etw::win32). Unknown or already stopped session:
/// SessionUnknown (4201).
class Controller {
public:
    virtual ~Controller() = default;

    virtual void capabilities(Completion<Capabilities> done) = 0;

    /// StartTrace, with TraceSetInformation for a system logger. Sizes outside ETW's limits, contradicting modes, an
    /// empty or overlong name: SessionBadParameters. Name or file in use: SessionNameTaken. 64 sessions or 8 system
    /// loggers running: SessionLimit. What the kernel refuses in part is a limitation of the started session; where it
    /// gives nothing at all: KernelEventsRefused, and no session is left behind.
    virtual void start(SessionConfig config, Completion<StartedSession> done) = 0;

    /// EnableTraceEx2(ENABLE): from now on the provider's matching events go to the session. Enabling again replaces
    /// the settings. ProviderUnknown where nobody has registered it and nobody can; WrongState for a ring that a failed
    /// stop() has kept, here and in mark(). TimedOut where the provider has been told and is not done with that within
    /// ProviderConfig::timeout: it is enabled all the same.
    virtual void enable(SessionId session, ProviderConfig provider, Completion<void> done) = 0;
    virtual void disable(SessionId session, Guid provider, Completion<void> done) = 0;
    /// EnableTraceEx2(CAPTURE_STATE): asks the provider to log its state to the session now, with these keywords; done
    /// when it has. The session needs to have enabled it. ProviderUnknown, WrongState as enable().
    virtual void captureState(SessionId session, Guid provider, std::uint64_t keywords, Completion<void> done) = 0;
    /// The same, waiting no longer than CaptureState::timeout: TimedOut then, and what the provider still logs comes
    /// later. Where a controller cannot limit its waiting it is captureState().
    virtual void captureStateWithin(SessionId session, Guid provider, CaptureState state, Completion<void> done) {
        captureState(session, provider, state.keywords, std::move(done));
    }

    /// From now on nothing is produced for the session, until resume(): no event, no loss, no snapshot of what happens
    /// meanwhile. What a later reader needs in order to understand the rest (processes, threads and images that come
    /// and go) is recorded all the same. A paused session is flushed, queried, marked and stopped like any other.
    /// Pausing a paused session, and resuming one that runs: WrongState.
    virtual void pause(SessionId session, Completion<void> done) = 0;
    virtual void resume(SessionId session, Completion<void> done) = 0;

    virtual void query(SessionId session, Completion<SessionStats> done) = 0;
    virtual void list(Completion<std::vector<SessionInfo>> done) = 0;

    /// ControlTrace(UPDATE): maximumBuffers (may only grow, within the limits of start()) and flushTimer of `config`
    /// count; of a system logger also kernelGroups, stackHooks and profileInterval (TraceSetInformation): other kernel
    /// events from now on. The rest must be as it was given to start() or as start() made it; anything else:
    /// SessionBadParameters.
    virtual void update(SessionId session, SessionConfig config, Completion<SessionStats> done) = 0;

    /// ControlTrace(FLUSH). File modes: everything recorded so far is in the file on return. kBuffering: the ring is
    /// written to `fileName` (a complete file, with the kernel's rundown) and recording goes on; empty: BadPathname.
    virtual void flush(SessionId session, std::string fileName, Completion<SessionStats> done) = 0;

    /// ControlTrace(STOP). The file is complete and closed when `done` is called; a file that could not be written to
    /// the end is closed all the same: the statistics say so (writeError), the call succeeds.
    ///
    /// kBuffering writes the ring to `fileName` (a complete file with the final rundown; it must not exist), or drops
    /// it where that is empty. Where the file cannot be created or written to its end the call fails, nothing is left
    /// of the file, and the session is kept: it takes up no more events, but its ring stays as it is, its name stays
    /// taken, and query() answers, until stop() succeeds with another name or an empty one.
    virtual void stop(SessionId session, std::string fileName, Completion<SessionStats> done) = 0;

    /// EtwSetMark: a Mark event (0x0F22) in a system logger's stream, stamped on arrival. UTF-8 text of one line.
    virtual void mark(SessionId session, std::string text, Completion<void> done) = 0;
};

} // namespace tracedeck::etw
