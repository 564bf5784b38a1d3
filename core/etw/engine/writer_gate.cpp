// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/writer_gate.h"

#include <thread>

#ifdef __linux__
#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tracedeck::etw::engine {

constinit thread_local WriterRecord* knownWriterRecord = nullptr;

#ifdef __linux__

namespace {

constexpr std::size_t kRecords = 2048; ///< untouched ones take up no memory
constinit std::array<WriterRecord, kRecords> writerRecords;
constinit std::atomic<std::size_t> recordsUsed{0}; ///< none behind has ever been taken

long membarrier(int command) noexcept {
    return ::syscall(__NR_membarrier, command, 0U, 0);
}

void giveBack(void* record) noexcept {
    knownWriterRecord = nullptr;
    static_cast<WriterRecord*>(record)->isTaken.store(false, std::memory_order_release);
}

/// Whether threads need not fence, and the key by which a thread that ends gives its record back.
struct Asymmetry {
    Asymmetry() noexcept
        : isPossible(membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0 &&
                     ::pthread_key_create(&key, giveBack) == 0) {}
    pthread_key_t key{};
    const bool isPossible;
};
const Asymmetry& asymmetry() noexcept {
    static const Asymmetry known;
    return known;
}

bool isPossible() noexcept {
    return asymmetry().isPossible;
}

} // namespace

WriterRecord* WriterGate::recordOfThread() noexcept {
    if (!isPossible()) {
        return nullptr;
    }
    for (std::size_t i = 0; i < kRecords; ++i) {
        if (writerRecords[i].isTaken.load(std::memory_order_relaxed) ||
            writerRecords[i].isTaken.exchange(true, std::memory_order_acquire)) {
            continue;
        }
        // The first keys of a process have their place in the thread itself: nothing is allocated.
        if (::pthread_setspecific(asymmetry().key, &writerRecords[i]) != 0) {
            writerRecords[i].isTaken.store(false, std::memory_order_release);
            return nullptr;
        }
        std::size_t used = recordsUsed.load();
        while (used < i + 1 && !recordsUsed.compare_exchange_weak(used, i + 1)) {
        }
        knownWriterRecord = &writerRecords[i];
        return knownWriterRecord;
    }
    return nullptr;
}

bool WriterGate::isQuiet(std::size_t slot) noexcept {
    if (isPossible()) {
        membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED); // cannot fail for a process that has registered
        const std::uint64_t bit = std::uint64_t{1} << slot;
        for (std::size_t i = 0; i < recordsUsed.load(); ++i) {
            if ((writerRecords[i].inside.load(std::memory_order_acquire) & bit) != 0) {
                return false;
            }
        }
    }
    for (std::uint32_t i = 0; i < m_processors; ++i) {
        if (m_counters[slot * m_processors + i].writers.load() != 0) {
            return false;
        }
    }
    return true;
}

void WriterGate::waitUntilQuiet(std::size_t slot) noexcept {
    if (isPossible()) {
        membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    }
    const std::uint64_t bit = std::uint64_t{1} << slot;
    // Once each is enough: who comes later finds what there is then.
    for (std::size_t i = 0; i < recordsUsed.load(); ++i) {
        while ((writerRecords[i].inside.load(std::memory_order_acquire) & bit) != 0) {
            std::this_thread::yield();
        }
    }
    for (std::uint32_t i = 0; i < m_processors; ++i) {
        while (m_counters[slot * m_processors + i].writers.load() != 0) {
            std::this_thread::yield();
        }
    }
}

#else

namespace {

bool isPossible() noexcept {
    return false;
}

} // namespace

WriterRecord* WriterGate::recordOfThread() noexcept {
    return nullptr;
}

bool WriterGate::isQuiet(std::size_t slot) noexcept {
    for (std::uint32_t i = 0; i < m_processors; ++i) {
        if (m_counters[slot * m_processors + i].writers.load() != 0) {
            return false;
        }
    }
    return true;
}

void WriterGate::waitUntilQuiet(std::size_t slot) noexcept {
    while (!isQuiet(slot)) {
        std::this_thread::yield();
    }
}

#endif

WriterGate::WriterGate(std::uint32_t processors)
    : m_processors(processors), m_counters(std::make_unique<Counter[]>(kMaximumSessions * processors)) {
    static_cast<void>(isPossible()); // asked of the system here, and not by the first event
}

} // namespace tracedeck::etw::engine
