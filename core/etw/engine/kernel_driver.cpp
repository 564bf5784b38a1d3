// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/kernel_driver.h"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <spdlog/spdlog.h>
#include <system_error>
#include <utility>

namespace tracedeck::etw::engine {

/// What a source has instead of the session: it can be closed, and lives as long as the source's thread.
class KernelDriver::Door final : public KernelSink {
public:
    explicit Door(KernelSink& sink) : m_sink(&sink) {}

    bool write(std::uint32_t processor, Ticks time, std::span<const std::byte> head, std::span<const std::byte> payload,
               std::span<const std::byte> more) noexcept override {
        const Visit visit(*this);
        return visit.sink != nullptr && visit.sink->write(processor, time, head, payload, more);
    }
    void refused(std::uint32_t processor, Ticks time) noexcept override {
        const Visit visit(*this);
        if (visit.sink != nullptr) {
            visit.sink->refused(processor, time);
        }
    }
    void lost(LossCause cause, std::uint64_t events, Ticks first) noexcept override {
        const Visit visit(*this);
        if (visit.sink != nullptr) {
            visit.sink->lost(cause, events, first);
        }
    }
    [[nodiscard]] Ticks oldest() const noexcept override {
        const Visit visit(*this);
        return visit.sink != nullptr ? visit.sink->oldest() : 0;
    }

    /// Returns when nobody is inside, which is at once: what a sink does is short.
    void close() noexcept {
        m_sink.store(nullptr);
        while (m_inside.load() != 0) {
            std::this_thread::yield();
        }
    }

private:
    struct Visit {
        explicit Visit(const Door& door) noexcept : of(door) {
            of.m_inside.fetch_add(1); // before the pointer is looked at
            sink = of.m_sink.load();
        }
        ~Visit() { of.m_inside.fetch_sub(1, std::memory_order_release); }
        Visit(const Visit&) = delete;
        Visit& operator=(const Visit&) = delete;
        const Door& of;
        KernelSink* sink = nullptr;
    };
    std::atomic<KernelSink*> m_sink;
    mutable std::atomic<int> m_inside{0};
};

struct KernelDriver::Shared {
    Shared(KernelSink& sink, std::shared_ptr<void> ownerOfSource) : owner(std::move(ownerOfSource)), door(sink) {}

    void work() {
        std::unique_lock lock(mutex);
        while (true) {
            changed.wait(lock, [this] { return isEnding || job; });
            if (!job) {
                break;
            }
            const auto current = std::exchange(job, nullptr);
            lock.unlock();
            std::optional<Error> thrown;
            try {
                current(*this);
            } catch (const std::exception& error) {
                thrown = Error{ErrorCode::OutOfMemory, std::string("kernel source: ") + error.what(),
                               win32::kNoSystemResources};
            }
            lock.lock();
            failure = failure ? failure : thrown;
            isDone = true;
            changed.notify_all();
        }
        lock.unlock();
        run.reset();
    }

    const std::shared_ptr<void> owner; ///< goes last
    Door door;
    std::unique_ptr<KernelRun> run; ///< of the thread
    std::mutex mutex;
    std::condition_variable changed;
    // Guarded by mutex:
    std::function<void(Shared&)> job;
    bool isDone = false;
    bool isEnding = false;
    std::optional<Error> failure; ///< what a call has thrown first
};

Result<std::unique_ptr<KernelDriver>> KernelDriver::start(KernelSource& source, const KernelRequest& request,
                                                          KernelSink& sink, std::chrono::milliseconds limit,
                                                          std::shared_ptr<void> owner) {
    std::unique_ptr<KernelDriver> driver(new KernelDriver(limit));
    driver->m_shared = std::make_shared<Shared>(sink, std::move(owner));
    try {
        driver->m_thread = std::thread([shared = driver->m_shared] { shared->work(); });
    } catch (const std::system_error& error) {
        return fail(ErrorCode::OutOfMemory, std::string("a thread for the kernel source: ") + error.what(),
                    win32::kNoSystemResources);
    }
    struct Outcome {
        Status status;
        std::vector<Limitation> limitations;
    };
    const auto outcome = std::make_shared<Outcome>(); // outlives this call where it is given up
    const bool isAnswered = driver->call([&source, request, outcome](Shared& shared) {
        try {
            auto run = source.start(request, shared.door);
            if (run) {
                shared.run = std::move(*run);
                outcome->limitations = shared.run->limitations();
            } else {
                outcome->status = fail(run.error());
            }
        } catch (const std::exception& error) { // no memory, or a thread that it wanted
            outcome->status =
                fail(ErrorCode::OutOfMemory, std::string("kernel source: ") + error.what(), win32::kNoSystemResources);
        }
    });
    if (!isAnswered) {
        return fail(stalledError());
    }
    if (!outcome->status) {
        return fail(outcome->status.error());
    }
    driver->m_limitations = std::move(outcome->limitations);
    return driver;
}

KernelDriver::~KernelDriver() {
    {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->isEnding = true;
    }
    m_shared->changed.notify_all();
    if (m_isStalled) {
        m_thread.detach();
    } else if (m_thread.joinable()) {
        m_thread.join();
    }
}

bool KernelDriver::call(std::function<void(Shared&)> job) {
    if (m_isStalled) {
        return false;
    }
    std::unique_lock lock(m_shared->mutex);
    m_shared->isDone = false;
    m_shared->job = std::move(job);
    m_shared->changed.notify_all();
    if (m_shared->changed.wait_for(lock, m_limit, [this] { return m_shared->isDone; })) {
        return true;
    }
    lock.unlock();
    m_isStalled = true;
    m_shared->door.close();
    spdlog::error("kernel source: no answer within {} ms; what it has given up to now is kept", m_limit.count());
    return false;
}

Status KernelDriver::callForStatus(std::function<Status(KernelRun&)> job) {
    const auto status = std::make_shared<Status>();
    const bool isAnswered = call([job = std::move(job), status](Shared& shared) {
        try {
            *status = job(*shared.run);
        } catch (const std::exception& error) {
            *status =
                fail(ErrorCode::OutOfMemory, std::string("kernel source: ") + error.what(), win32::kNoSystemResources);
        }
    });
    return isAnswered ? *status : Status(fail(stalledError()));
}

Error KernelDriver::stalledError() {
    return {ErrorCode::KernelSourceFailed, "the source of the kernel's events does not answer any more", 0};
}

void KernelDriver::drain() {
    static_cast<void>(call([](Shared& shared) { shared.run->drain(); })); // failure() tells
}

void KernelDriver::rundown() {
    static_cast<void>(call([](Shared& shared) { shared.run->rundown(); }));
}

Status KernelDriver::mark(const std::string& text) {
    return callForStatus([text](KernelRun& run) {
        run.mark(text);
        return Status();
    });
}

Status KernelDriver::pause() {
    return callForStatus([](KernelRun& run) { return run.pause(); });
}

Status KernelDriver::resume() {
    return callForStatus([](KernelRun& run) { return run.resume(); });
}

Status KernelDriver::reconfigure(const KernelRequest& request) {
    return callForStatus([request](KernelRun& run) { return run.reconfigure(request); });
}

void KernelDriver::stop() {
    static_cast<void>(call([](Shared& shared) { shared.run->stop(); }));
}

std::optional<Error> KernelDriver::failure() {
    const auto failure = std::make_shared<std::optional<Error>>();
    if (!call([failure](Shared& shared) { *failure = shared.run->failure(); })) {
        return stalledError();
    }
    const std::lock_guard lock(m_shared->mutex);
    return *failure ? *failure : m_shared->failure;
}

std::vector<Limitation> KernelDriver::limitations() {
    const auto found = std::make_shared<std::vector<Limitation>>();
    if (call([found](Shared& shared) { *found = shared.run->limitations(); })) {
        m_limitations = std::move(*found);
    }
    return m_limitations;
}

} // namespace tracedeck::etw::engine
