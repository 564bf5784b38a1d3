// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/call_stack.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include "core/etw/engine/current_thread.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <pthread.h>
#include <string_view>
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

/// What lies below the main thread's stack may be its own later: the kernel maps nothing else within so much of its
/// top, which it may grow to.
constexpr std::uintptr_t kMainStack = std::uintptr_t{128} * 1024 * 1024;

/// Found once. A signal handler that comes in between finds the same.
constinit thread_local Range ownStack;
constinit thread_local bool isLookedFor = false;

/// Reads /proc/self/maps piece by piece: "from-to … name\n", hexadecimal, ascending.
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
        constexpr std::string_view kMain = "[stack]";
        std::size_t same = 0; // of the last characters, as many as begin that name
        for (int c = ' '; isRead && c != '\n' && c >= 0;) {
            c = get();
            if (c != '\n' && c >= 0) {
                same = same < kMain.size() && c == kMain[same] ? same + 1 : 0;
            }
        }
        m_isMainStack = same == kMain.size();
        return isRead;
    }
    /// Of the last one.
    [[nodiscard]] bool isMainStack() const noexcept { return m_isMainStack; }

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
    bool m_isMainStack = false;
    std::array<char, 4096> m_block{};
    std::size_t m_at = 0;
    std::size_t m_end = 0;
};

/// The part of the calling thread's own stack that stays what it is while the thread lives. What else the mapping holds
/// may be somebody else's, who may unmap it. The C library puts a thread's descriptor on top of its stack; the main
/// thread's is not there, but the kernel names that stack.
[[gnu::noinline]] Range findOwnStack() noexcept {
    const int error = errno; // of the code that logs
    const bool isMain = currentThreadId() == currentProcessId();
    const auto descriptor = reinterpret_cast<std::uintptr_t>(::pthread_self());
    Range own;
    Mappings mappings;
    std::uintptr_t below = 0;
    for (Range range; mappings.next(range); below = range.high) {
        if (isMain && mappings.isMainStack()) {
            own = {std::max(below, range.high - std::min(range.high, kMainStack)), range.high};
            break;
        }
        if (!isMain && range.low <= descriptor && descriptor < range.high) {
            own = {range.low, descriptor};
            break;
        }
    }
    errno = error;
    return own;
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
    if (!isLookedFor) {
        const Range found = findOwnStack();
        ownStack.low = found.low; // nothing is held before the other bound is there
        std::atomic_signal_fence(std::memory_order_release);
        ownStack.high = found.high;
        std::atomic_signal_fence(std::memory_order_release);
        isLookedFor = true;
    }
    const Range stack = ownStack;
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
