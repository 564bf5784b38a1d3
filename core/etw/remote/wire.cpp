// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/remote/wire.h"

#include "core/etw/remote/codec.h"
#include "core/etw/remote/wire_fields.h"

#include <type_traits>
#include <utility>

namespace tracedeck::etw::remote {
namespace {

constexpr std::size_t kHeaderSize = 12;
constexpr std::size_t kIdOffset = 4;
/// What a list of sessions leaves for the rest of its packet.
constexpr std::size_t kRoomForRest = 256;

// Requests.

template <class C>
void fields(C&, Of<C, request::AskCapabilities>&) {}
template <class C>
void fields(C&, Of<C, request::List>&) {}
template <class C>
void fields(C& c, Of<C, request::Start>& v) {
    auto& [config, file] = v;
    fields(c, config);
    fields(c, file);
}
template <class C>
void fields(C& c, Of<C, request::Enable>& v) {
    auto& [session, provider] = v;
    fields(c, session);
    fields(c, provider);
}
template <class C>
void fields(C& c, Of<C, request::Disable>& v) {
    auto& [session, provider] = v;
    fields(c, session);
    exchangeGuid(c, provider);
}
template <class C>
void fields(C& c, Of<C, request::CaptureState>& v) {
    auto& [session, provider, state] = v;
    fields(c, session);
    exchangeGuid(c, provider);
    fields(c, state);
}
template <class C>
void fields(C& c, Of<C, request::Pause>& v) {
    fields(c, v.session);
}
template <class C>
void fields(C& c, Of<C, request::Resume>& v) {
    fields(c, v.session);
}
template <class C>
void fields(C& c, Of<C, request::Query>& v) {
    fields(c, v.session);
}
template <class C>
void fields(C& c, Of<C, request::Update>& v) {
    auto& [session, config] = v;
    fields(c, session);
    fields(c, config);
}
template <class C>
void fields(C&, Of<C, request::ListRings>&) {}
template <class C>
void fields(C& c, Of<C, request::SaveRing>& v) {
    auto& [session, fileName, file] = v;
    exchangeGuid(c, session);
    exchangeText(c, fileName, limit::kPath, "the name of a file is too long");
    fields(c, file);
}
template <class C>
void fields(C& c, Of<C, request::DiscardRing>& v) {
    exchangeGuid(c, v.session);
}
template <class C, class V>
void endInFile(C& c, V& v) {
    auto& [session, fileName, file] = v;
    fields(c, session);
    exchangeText(c, fileName, limit::kPath, "the name of a file is too long");
    fields(c, file);
}
template <class C>
void fields(C& c, Of<C, request::Flush>& v) {
    endInFile(c, v);
}
template <class C>
void fields(C& c, Of<C, request::Stop>& v) {
    endInFile(c, v);
}
template <class C>
void fields(C& c, Of<C, request::Mark>& v) {
    auto& [session, text] = v;
    fields(c, session);
    exchangeText(c, text, limit::kText, "the text of a mark is too long");
}
template <class C>
void fields(C& c, Of<C, request::RegisterProvider>& v) {
    auto& [writer, name] = v;
    c.number(writer);
    exchangeText(c, name, limit::kName, "the name of a provider is too long");
}
template <class C>
void fields(C& c, Of<C, request::UnregisterProvider>& v) {
    c.number(v.writer);
}
template <class C>
void fields(C& c, Of<C, request::WriteEvent>& v) {
    auto& [writer, event] = v;
    c.number(writer);
    fields(c, event);
}

// Replies.

template <class C>
void fields(C&, Of<C, reply::Done>&) {}
template <class C>
void fields(C& c, Of<C, reply::Failed>& v) {
    fields(c, v.error);
}
template <class C>
void fields(C& c, Of<C, reply::Statistics>& v) {
    auto& [stats, filesLeftOff, limitationsLeftOff] = v;
    fields(c, stats);
    c.number(filesLeftOff);
    c.number(limitationsLeftOff);
}
template <class C>
void fields(C& c, Of<C, reply::Started>& v) {
    auto& [id, statistics, limitations, limitationsLeftOff] = v;
    fields(c, id);
    fields(c, statistics);
    limitationList(c, limitations);
    c.number(limitationsLeftOff);
}
template <class C>
void fields(C& c, Of<C, reply::Sessions>& v) {
    auto& [list, leftOff] = v;
    exchangeList(c, list, kMaximumSessions, 20, "too many sessions", [&c](auto& info) { fields(c, info); });
    c.number(leftOff);
}
template <class C>
void fields(C& c, Of<C, reply::Rings>& v) {
    auto& [list, leftOff] = v;
    exchangeList(c, list, limit::kLeftRings, 32, "too many rings", [&c](auto& ring) { fields(c, ring); });
    c.number(leftOff);
}

template <class C, class Message>
void message(C& c, Message& m) {
    std::uint16_t version = kProtocolVersion;
    auto kind = static_cast<std::uint16_t>(m.body.index());
    c.number(version);
    c.number(kind);
    c.number(m.id);
    c.require(version == kProtocolVersion, "another protocol version");
    c.require(kind < std::variant_size_v<std::remove_const_t<decltype(m.body)>>, "an unknown kind of message");
    if (c.isGood()) {
        exchangeVariant(kind, m.body, [&c](auto& body) { fields(c, body); });
    }
}

template <class Message>
Result<std::vector<std::byte>> encoded(const Message& m) {
    Encoder encoder(kLargestPacket);
    message(encoder, m);
    if (encoder.problem() != nullptr) {
        return fail(ErrorCode::SessionBadParameters, std::string("message to the host: ") + encoder.problem(),
                    win32::kInvalidParameter);
    }
    return encoder.take();
}

template <class Message>
Result<Message> decoded(std::span<const std::byte> packet) {
    if (packet.size() > kLargestPacket) {
        return fail(ErrorCode::InvalidArgument, "message: the packet is too large", win32::kInvalidParameter);
    }
    if (packet.size() >= kHeaderSize) {
        Decoder header(packet);
        std::uint16_t version = 0;
        header.number(version);
        if (version != kProtocolVersion) {
            return fail(ErrorCode::NotSupported, "message of protocol version " + std::to_string(version) +
                                                     "; version " + std::to_string(kProtocolVersion) + " is spoken");
        }
    }
    Message m;
    Decoder decoder(packet);
    message(decoder, m);
    if (decoder.problem() != nullptr) {
        return fail(ErrorCode::InvalidArgument, std::string("message: ") + decoder.problem(), win32::kInvalidParameter);
    }
    return m;
}

// What replies leave off.

void cutText(std::string& text, std::size_t most) {
    if (text.size() > most) {
        std::string cut(most, '\0');
        cut.resize(copyUtf8(text, most, cut.data()));
        text = std::move(cut);
    }
}

void cut(Error& error) {
    cutText(error.detail, limit::kDetail);
}

void cut(std::optional<Error>& error) {
    if (error) {
        cut(*error);
    }
}

template <class T>
std::uint32_t cutList(std::vector<T>& list, std::size_t most) {
    const std::size_t more = list.size() - std::min(list.size(), most);
    list.resize(list.size() - more);
    return static_cast<std::uint32_t>(more);
}

/// By their text, a packet's share of it: the limit in number alone would allow more than a packet holds.
std::uint32_t cut(std::vector<Limitation>& limitations) {
    constexpr std::size_t kShare = kLargestPacket / 4;
    constexpr std::size_t kFixed = 16;
    std::size_t size = 0;
    std::size_t fitting = 0;
    for (Limitation& limitation : limitations) {
        cutText(limitation.detail, limit::kDetail);
        size += kFixed + limitation.detail.size();
        if (size > kShare) {
            break;
        }
        ++fitting;
    }
    return cutList(limitations, std::min(fitting, limit::kLimitations));
}

void cut(reply::Statistics& statistics) {
    constexpr std::size_t kShare = kLargestPacket / 4 / limit::kPath;
    statistics.filesLeftOff += cutList(statistics.stats.files, std::min(kShare, limit::kFiles));
    statistics.limitationsLeftOff += cut(statistics.stats.limitations);
    cut(statistics.stats.writeError);
    cut(statistics.stats.sourceError);
}

/// How many of a list a packet has room for.
template <class T>
std::size_t fittingOf(const std::vector<T>& list) {
    Encoder size(std::numeric_limits<std::size_t>::max());
    std::size_t fitting = 0;
    for (const T& each : list) {
        fields(size, each);
        if (size.size() > kLargestPacket - kRoomForRest) {
            break;
        }
        ++fitting;
    }
    return fitting;
}

void cut(reply::Body& body) {
    if (auto* failed = std::get_if<reply::Failed>(&body)) {
        cut(failed->error);
    } else if (auto* statistics = std::get_if<reply::Statistics>(&body)) {
        cut(*statistics);
    } else if (auto* started = std::get_if<reply::Started>(&body)) {
        cut(started->statistics);
        started->limitationsLeftOff += cut(started->limitations);
    } else if (auto* capabilities = std::get_if<Capabilities>(&body)) {
        static_cast<void>(cut(capabilities->limitations)); // there are not that many codes
        static_cast<void>(cutList(capabilities->providers, limit::kProviders));
        for (Capabilities::Refused& refused : capabilities->refusedGroups) {
            cutText(refused.limitation.detail, limit::kDetail / 16);
        }
    } else if (auto* sessions = std::get_if<reply::Sessions>(&body)) {
        sessions->leftOff += cutList(sessions->list, std::min(fittingOf(sessions->list), kMaximumSessions));
    } else if (auto* rings = std::get_if<reply::Rings>(&body)) {
        rings->leftOff += cutList(rings->list, std::min(fittingOf(rings->list), limit::kLeftRings));
    }
}

} // namespace

bool Request::hasFile() const noexcept {
    return std::visit(
        [](const auto& each) {
            if constexpr (requires { each.file; }) {
                return each.file.isAttached;
            } else {
                return false;
            }
        },
        body);
}

void Request::withholdFile(const Error& why) {
    std::visit(
        [&](auto& each) {
            if constexpr (requires { each.file; }) {
                each.file = {false, why};
            }
        },
        body);
}

Result<std::vector<std::byte>> encode(const Request& request) {
    return encoded(request);
}

Result<std::vector<std::byte>> encode(Reply reply) {
    cut(reply.body);
    return encoded(std::as_const(reply));
}

Result<Request> decodeRequest(std::span<const std::byte> packet) {
    return decoded<Request>(packet);
}

Result<Reply> decodeReply(std::span<const std::byte> packet) {
    return decoded<Reply>(packet);
}

std::uint64_t idOf(std::span<const std::byte> packet) noexcept {
    if (packet.size() < kHeaderSize) {
        return 0;
    }
    Decoder decoder(packet.subspan(kIdOffset));
    std::uint64_t id = 0;
    decoder.number(id);
    return id;
}

} // namespace tracedeck::etw::remote
