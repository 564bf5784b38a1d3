// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/etlformat/trace_logging.h"
#include "core/etw/remote/left_rings.h"
#include "core/etw/types.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

/// What a controller and a session host say to each other.
///
/// One message is one packet: protocol version, kind and id (16, 16 and 64 bits, little endian), then the fields of the
/// kind in the order of their declaration: numbers little endian, texts and lists behind a 32-bit count, what may be
/// absent behind a byte of 0 or 1. Nothing is aligned, nothing may follow. Every count, every enumeration and the
/// packet as a whole have a limit; a packet that breaks one is refused whole. Kinds and enumerations are sent as their
/// numbers: a change of any is a new protocol version.
namespace tracedeck::etw::remote {

constexpr std::uint16_t kProtocolVersion = 2;
/// Fits into a socket's buffer as Linux sets it up (net.core.wmem_default, 208 KiB).
constexpr std::size_t kLargestPacket = std::size_t{128} * 1024;

/// Limits of what a message can carry. Those of ETW that are smaller are the engine's to check, which says better why.
namespace limit {
constexpr std::size_t kName = 4096; ///< bytes of a session's or provider's name; 1024 UTF-16 units have up to 3072
constexpr std::size_t kPath = 4096; ///< PATH_MAX
constexpr std::size_t kText = 16384;
constexpr std::size_t kDetail = 2048; ///< of errors and limitations; longer ones are cut
constexpr std::size_t kHooks = 1024;
constexpr std::size_t kPoolTags = 64;
constexpr std::size_t kFilters = 16;
constexpr std::size_t kFilterEntries = 1024;
constexpr std::size_t kEventFields = 256;
constexpr std::size_t kEventText = 61440; ///< a TraceLogging event's texts are cut to that anyway
constexpr std::size_t kFiles = 64;
constexpr std::size_t kLimitations = 256;
constexpr std::size_t kProviders = 2048;
constexpr std::size_t kRefusedGroups = 256;
constexpr std::size_t kLeftRings = 256;
constexpr std::int64_t kSeconds = 1'000'000'000;         ///< either sign
constexpr std::int64_t kNanoseconds = 3'600'000'000'000; ///< of a profile interval, from 0
} // namespace limit

/// A file that the client wants written: its descriptor travels beside the packet, or why there is none.
struct OfferedFile {
    bool isAttached = false;
    std::optional<Error> error; ///< the client could not open it; never beside a descriptor
    friend bool operator==(const OfferedFile&, const OfferedFile&) = default;
};

/// Controller's functions, EventWriterFactory's, and what concerns rings that hosts have left. All are answered, but
/// for WriteEvent and UnregisterProvider.
namespace request {
struct AskCapabilities {};
struct Start {
    SessionConfig config;
    OfferedFile file; ///< config.logFileName is no more than its name
};
struct Enable {
    SessionId session;
    ProviderConfig provider;
};
struct Disable {
    SessionId session;
    Guid provider;
};
struct CaptureState {
    SessionId session;
    Guid provider;
    etw::CaptureState state;
};
struct Pause {
    SessionId session;
};
struct Resume {
    SessionId session;
};
struct Query {
    SessionId session;
};
struct List {};
struct Update {
    SessionId session;
    SessionConfig config;
};
struct Flush {
    SessionId session;
    std::string fileName;
    OfferedFile file;
};
struct Stop {
    SessionId session;
    std::string fileName;
    OfferedFile file;
};
struct Mark {
    SessionId session;
    std::string text;
};
/// `writer` is the client's own number of it.
struct RegisterProvider {
    std::uint32_t writer = 0;
    std::string name;
};
struct UnregisterProvider {
    std::uint32_t writer = 0;
};
struct WriteEvent {
    std::uint32_t writer = 0;
    etlformat::TraceLoggingEvent event;
};
/// `session`: the GUID that it was started with.
struct ListRings {};
struct SaveRing {
    Guid session;
    std::string fileName;
    OfferedFile file;
};
struct DiscardRing {
    Guid session;
};
/// The kind on the wire is the index here.
using Body =
    std::variant<AskCapabilities, Start, Enable, Disable, CaptureState, Pause, Resume, Query, List, Update, Flush, Stop,
                 Mark, RegisterProvider, UnregisterProvider, WriteEvent, ListRings, SaveRing, DiscardRing>;
} // namespace request

struct Request {
    std::uint64_t id = 0; ///< the client's own, told back in the reply
    request::Body body;
    /// The descriptor that should have come with it.
    [[nodiscard]] bool hasFile() const noexcept;
    /// As if the client had had none, for this reason.
    void withholdFile(const Error& why);
};

namespace reply {
struct Failed {
    Error error;
};
struct Done {};
struct Sessions {
    std::vector<SessionInfo> list;
    std::uint32_t leftOff = 0; ///< that found no room in the packet
};
/// The lists of files and of limitations are cut to their limits.
struct Statistics {
    SessionStats stats;
    std::uint32_t filesLeftOff = 0;
    std::uint32_t limitationsLeftOff = 0;
};
struct Started {
    SessionId id;
    Statistics statistics;
    std::vector<Limitation> limitations;
    std::uint32_t limitationsLeftOff = 0;
};
struct Rings {
    std::vector<LeftRing> list;
    std::uint32_t leftOff = 0; ///< that found no room in the packet
};
/// The kind on the wire is the index here.
using Body = std::variant<Failed, Done, Capabilities, Started, Statistics, Sessions, Rings>;
} // namespace reply

struct Reply {
    std::uint64_t id = 0;
    reply::Body body;
};

/// As a packet. SessionBadParameters (win32::kInvalidParameter) where it breaks a limit: nothing is sent then.
[[nodiscard]] Result<std::vector<std::byte>> encode(const Request& request);
/// As above; what can be told in part is cut to fit, and the number left off set.
[[nodiscard]] Result<std::vector<std::byte>> encode(Reply reply);

/// InvalidArgument where the packet is none of these, says more than it may, or less or more than its kind has;
/// NotSupported where it is of another protocol version.
[[nodiscard]] Result<Request> decodeRequest(std::span<const std::byte> packet);
[[nodiscard]] Result<Reply> decodeReply(std::span<const std::byte> packet);
/// The id of a packet, be the rest as it may; 0 where there is none.
[[nodiscard]] std::uint64_t idOf(std::span<const std::byte> packet) noexcept;

} // namespace tracedeck::etw::remote
