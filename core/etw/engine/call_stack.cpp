// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/call_stack.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include "core/etw/engine/current_thread.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#endif

namespace tracedeck::etw::engine {

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

namespace {

/// As both ABIs have it at the address that the frame pointer holds.
struct FrameRecord {
    std::uintptr_t caller; ///< the record of the function that called
    std::uintptr_t returnAddress;
};
constexpr std::uintptr_t kLowestCode = 4096; // nothing is ever mapped below

struct Range {
    std::uintptr_t low = 0;
    std::uintptr_t high = 0; ///< 0: not known
    [[nodiscard]] bool holds(std::uintptr_t record) const noexcept {
        return record >= low && record < high && high - record >= sizeof(FrameRecord) &&
               record % sizeof(std::uintptr_t) == 0;
    }
};

/// A thread on more stacks than these, say of coroutines, does not ask for each.
constexpr int kMostQuestions = 4;
constinit thread_local Range knownStack;
constinit thread_local int questions = 0;

/// Reads /proc/self/maps piece by piece: "from-to …\n", hexadecimal, ascending.
class Mappings {
public:
    Mappings() noexcept : m_file(::open("/proc/self/maps", O_RDONLY | O_CLOEXEC)) {}
    ~Mappings() {
        if (m_file >= 0) {
            ::close(m_file);
        }
    }
    Mappings(const Mappings&) = delete;
    Mappings& operator=(const Mappings&) = delete;

    /// False at the end.
    bool next(Range& range) noexcept {
        const bool isRead = number(range.low, '-') && number(range.high, ' ');
        for (int c = ' '; isRead && c != '\n' && c >= 0;) {
            c = get();
        }
        return isRead;
    }

private:
    bool number(std::uintptr_t& value, char end) noexcept {
        value = 0;
        for (int c = get(); c >= 0; c = get()) {
            if (c == end) {
                return true;
            }
            constexpr std::uintptr_t kBase = 16;
            const bool isDigit = c >= '0' && c <= '9';
            value = value * kBase + static_cast<std::uintptr_t>(isDigit ? c - '0' : c - 'a' + 10);
        }
        return false;
    }
    int get() noexcept {
        if (m_at == m_end) {
            ssize_t got = 0;
            do {
                got = m_file < 0 ? 0 : ::read(m_file, m_block.data(), m_block.size());
            } while (got < 0 && errno == EINTR);
            m_at = 0;
            m_end = got > 0 ? static_cast<std::size_t>(got) : 0;
        }
        return m_at == m_end ? -1 : static_cast<unsigned char>(m_block[m_at++]);
    }

    int m_file;
    std::array<char, 4096> m_block{};
    std::size_t m_at = 0;
    std::size_t m_end = 0;
};

/// The mapping that holds `record`. The main thread's stack grows down into what is free below.
[[gnu::noinline]] Range stackAround(std::uintptr_t record) noexcept {
    const int error = errno; // of the code that logs
    Range around;
    Mappings mappings;
    std::uintptr_t below = 0;
    for (Range range; mappings.next(range); below = range.high) {
        if (range.holds(record)) {
            around = range;
            if (currentThreadId() == currentProcessId()) {
                around.low = below;
            }
            break;
        }
    }
    errno = error;
    return around;
}

/// Without the signature that the processor may have put into its upper bits.
std::uintptr_t plainAddress(std::uintptr_t address) noexcept {
#ifdef __aarch64__
    register std::uintptr_t link asm("x30") = address;
    asm("hint #7" : "+r"(link)); // xpaclri: nothing on processors without signatures
    return link;
#else
    return address;
#endif
}

} // namespace

// What is read belongs to other functions' frames.
__attribute__((no_sanitize("address"))) std::size_t walkStack(const void* frame,
                                                              std::span<std::uint64_t, kMostFrames> into) noexcept {
    const auto* record = static_cast<const FrameRecord*>(frame);
    Range stack = knownStack;
    if (!stack.holds(reinterpret_cast<std::uintptr_t>(record)) && questions < kMostQuestions) {
        ++questions;
        stack = stackAround(reinterpret_cast<std::uintptr_t>(record));
        knownStack = stack;
    }
    std::size_t frames = 0;
    while (frames < into.size()) {
        const std::uintptr_t address = plainAddress(record->returnAddress);
        if (address < kLowestCode) {
            break; // the thread's first function
        }
        into[frames++] = address;
        const std::uintptr_t caller = record->caller;
        if (caller <= reinterpret_cast<std::uintptr_t>(record) || !stack.holds(caller) ||
            !stack.holds(reinterpret_cast<std::uintptr_t>(record))) {
            break;
        }
        record = reinterpret_cast<const FrameRecord*>(caller); // NOLINT(performance-no-int-to-ptr)
    }
    return frames;
}

#else

std::size_t walkStack(const void*, std::span<std::uint64_t, kMostFrames>) noexcept {
    return 0;
}

#endif

} // namespace tracedeck::etw::engine
