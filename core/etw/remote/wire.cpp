// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/remote/wire.h"

#include "core/base/utf.h"
#include "core/etw/remote/codec.h"

#include <type_traits>
#include <utility>

namespace tracedeck::etw::remote {
namespace {

constexpr std::size_t kHeaderSize = 12;
constexpr std::size_t kIdOffset = 4;
/// What a list of sessions leaves for the rest of its packet.
constexpr std::size_t kRoomForRest = 256;

using etlformat::TraceLoggingEvent;

// Each fields() takes its type apart by a structured binding, which stops compiling when the type gets another member.

template <class C>
void fields(C& c, Of<C, Error>& v) {
    auto& [code, detail, native] = v;
    exchangeEnum(c, code, ErrorCode::InvalidArgument, ErrorCode::WrongState, "an unknown error code");
    exchangeText(c, detail, limit::kDetail, "the detail of an error is too long");
    c.number(native);
}

template <class C>
void fields(C& c, Of<C, OfferedFile>& v) {
    auto& [isAttached, error] = v;
    exchangeFact(c, isAttached);
    exchangeOptional(c, error, [&c](auto& e) { fields(c, e); });
    c.require(!v.isAttached || !v.error, "a file that is offered and is not");
}

template <class C>
void fields(C& c, Of<C, SessionId>& v) {
    auto& [value] = v;
    c.number(value);
}

template <class C>
void fields(C& c, Of<C, Bytes>& v) {
    auto& [count] = v;
    c.number(count);
}

template <class C>
void fields(C& c, Of<C, GroupMasks>& v) {
    auto& [words] = v;
    for (auto& word : words) {
        c.number(word);
    }
}

template <class C>
void fields(C& c, Of<C, StackCaching>& v) {
    auto& [bucketCount, cacheSizeKib] = v;
    c.number(bucketCount);
    c.number(cacheSizeKib);
}

template <class C, class List>
void hooks(C& c, List& list) {
    exchangeList(c, list, limit::kHooks, 2, "too many hooks", [&c](auto& hook) { c.number(hook); });
}

template <class C>
void fields(C& c, Of<C, SessionConfig>& v) {
    auto& [name, guid, logFileMode, clock, bufferSizeKib, minimumBuffers, maximumBuffers, flushTimer,
           maximumFileSizeMib, logFileName, minimumFreeDisk, kernelGroups, stackHooks, profileInterval, poolTags,
           stackCaching, flushThreshold] = v;
    exchangeText(c, name, limit::kName, "the name of a session is too long");
    exchangeGuid(c, guid);
    c.number(logFileMode);
    exchangeEnum(c, clock, ClockType::Qpc, ClockType::CpuCycle, "an unknown clock");
    c.number(bufferSizeKib);
    c.number(minimumBuffers);
    c.number(maximumBuffers);
    exchangeDuration(c, flushTimer, -limit::kSeconds, limit::kSeconds, "a flush timer beyond all sense");
    c.number(maximumFileSizeMib);
    exchangeText(c, logFileName, limit::kPath, "the name of a file is too long");
    fields(c, minimumFreeDisk);
    fields(c, kernelGroups);
    hooks(c, stackHooks);
    exchangeDuration(c, profileInterval, 0, limit::kNanoseconds, "a profile interval beyond all sense");
    exchangeList(c, poolTags, limit::kPoolTags, 4, "too many pool tags",
                 [&c](auto& tag) { exchangeText(c, tag, limit::kName, "a pool tag is too long"); });
    exchangeOptional(c, stackCaching, [&c](auto& caching) { fields(c, caching); });
    c.number(flushThreshold);
}

template <class C>
void fields(C& c, Of<C, EventFilter>& v) {
    auto& [kind, isFilterIn, level, keyword, ids, names, processIds] = v;
    exchangeEnum(c, kind, EventFilter::Kind::EventId, EventFilter::Kind::ProcessId, "an unknown kind of filter");
    exchangeFact(c, isFilterIn);
    c.number(level);
    c.number(keyword);
    exchangeList(c, ids, limit::kFilterEntries, 2, "a filter of too many ids", [&c](auto& id) { c.number(id); });
    exchangeList(c, names, limit::kFilterEntries, 4, "a filter of too many names",
                 [&c](auto& name) { exchangeText(c, name, limit::kName, "a name in a filter is too long"); });
    exchangeList(c, processIds, limit::kFilterEntries, 4, "a filter of too many processes",
                 [&c](auto& id) { c.number(id); });
}

template <class C>
void fields(C& c, Of<C, CaptureState>& v) {
    auto& [keywords, timeout] = v;
    c.number(keywords);
    exchangeDuration(c, timeout, 0, limit::kSeconds, "a timeout beyond all sense");
}

template <class C>
void fields(C& c, Of<C, ProviderConfig>& v) {
    auto& [provider, name, level, matchAnyKeyword, matchAllKeyword, captureStack, enableProperties, filters, stackHooks,
           needsNonPagedMemory, captureOnStart, captureOnSave, captureOnDemand, isCaptureOnly, timeout] = v;
    exchangeGuid(c, provider);
    exchangeText(c, name, limit::kName, "the name of a provider is too long");
    c.number(level);
    c.number(matchAnyKeyword);
    c.number(matchAllKeyword);
    exchangeFact(c, captureStack);
    c.number(enableProperties);
    exchangeList(c, filters, limit::kFilters, 23, "too many filters", [&c](auto& filter) { fields(c, filter); });
    hooks(c, stackHooks);
    exchangeFact(c, needsNonPagedMemory);
    const auto capture = [&c](auto& state) { fields(c, state); };
    exchangeOptional(c, captureOnStart, capture);
    exchangeOptional(c, captureOnSave, capture);
    exchangeOptional(c, captureOnDemand, capture);
    exchangeFact(c, isCaptureOnly);
    exchangeDuration(c, timeout, 0, limit::kSeconds * 1000, "a timeout beyond all sense");
}

template <class C>
void fields(C& c, Of<C, LossCount>& v) {
    auto& [cause, events, first] = v;
    exchangeEnum(c, cause, LossCause::NoFreeBuffer, LossCause::WriteFailed, "an unknown cause of loss");
    c.number(events);
    exchangeSigned(c, first);
}

template <class C>
void fields(C& c, Of<C, Limitation>& v) {
    auto& [code, detail, count] = v;
    exchangeEnum(c, code, LimitationCode::PerfEventParanoid, LimitationCode::RingNotShared, "an unknown limitation");
    exchangeText(c, detail, limit::kDetail, "the detail of a limitation is too long");
    c.number(count);
}

template <class C, class List>
void limitationList(C& c, List& list) {
    exchangeList(c, list, limit::kLimitations, 14, "too many limitations",
                 [&c](auto& limitation) { fields(c, limitation); });
}

template <class C>
void fields(C& c, Of<C, SessionStats>& v) {
    auto& [bufferSizeKib, numberOfBuffers, freeBuffers, minimumBuffers, maximumBuffers, buffersWritten, eventsProduced,
           eventsRecorded, eventsLost, eventsOverwritten, buffersLost, bytesProduced, fileSize, files, oldest, losses,
           limitations, writeError, sourceError, isAtSizeLimit, isPaused] = v;
    c.number(bufferSizeKib);
    c.number(numberOfBuffers);
    c.number(freeBuffers);
    c.number(minimumBuffers);
    c.number(maximumBuffers);
    c.number(buffersWritten);
    c.number(eventsProduced);
    c.number(eventsRecorded);
    c.number(eventsLost);
    c.number(eventsOverwritten);
    c.number(buffersLost);
    c.number(bytesProduced);
    fields(c, fileSize);
    exchangeList(c, files, limit::kFiles, 4, "too many files",
                 [&c](auto& file) { exchangeText(c, file, limit::kPath, "the name of a file is too long"); });
    exchangeSigned(c, oldest);
    exchangeList(c, losses, kLossCauses, 17, "too many causes of loss", [&c](auto& loss) { fields(c, loss); });
    limitationList(c, limitations);
    const auto error = [&c](auto& e) { fields(c, e); };
    exchangeOptional(c, writeError, error);
    exchangeOptional(c, sourceError, error);
    exchangeFact(c, isAtSizeLimit);
    exchangeFact(c, isPaused);
}

template <class C>
void fields(C& c, Of<C, SessionInfo>& v) {
    auto& [id, name, logFileMode, logFileName, guid] = v;
    fields(c, id);
    exchangeText(c, name, limit::kName, "the name of a session is too long");
    c.number(logFileMode);
    exchangeText(c, logFileName, limit::kPath, "the name of a file is too long");
    exchangeGuid(c, guid);
}

template <class C>
void fields(C& c, Of<C, LeftRing>& v) {
    auto& [session, name, owner, size] = v;
    exchangeGuid(c, session);
    exchangeText(c, name, limit::kName, "the name of a session is too long");
    c.number(owner);
    fields(c, size);
}

template <class C>
void fields(C& c, Of<C, Capabilities::Refused>& v) {
    auto& [group, limitation] = v;
    c.number(group);
    fields(c, limitation);
}

template <class C>
void fields(C& c, Of<C, Capabilities>& v) {
    auto& [platform, isElevated, numberOfProcessors, physicalMemory, kernelGroups, stackHooks, refusedGroups, providers,
           features, hasWindowsProviders, limitations] = v;
    exchangeText(c, platform, limit::kName, "the name of a platform is too long");
    exchangeFact(c, isElevated);
    c.number(numberOfProcessors);
    fields(c, physicalMemory);
    fields(c, kernelGroups);
    hooks(c, stackHooks);
    exchangeList(c, refusedGroups, limit::kRefusedGroups, 18, "too many refused groups",
                 [&c](auto& refused) { fields(c, refused); });
    exchangeList(c, providers, limit::kProviders, 16, "too many providers", [&c](auto& id) { exchangeGuid(c, id); });
    exchangeList(c, features, kFeatures, 1, "too many features", [&c](auto& feature) {
        exchangeEnum(c, feature, Feature::EventFilters, static_cast<Feature>(kFeatures - 1), "an unknown feature");
    });
    exchangeFact(c, hasWindowsProviders);
    limitationList(c, limitations);
}

/// The alternative of a variant that its index says, default-made where it is read.
template <class Variant, class Each>
void exchangeVariant(std::size_t index, Variant& variant, Each each) {
    if constexpr (!std::is_const_v<Variant>) {
        const auto choose = [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
            static_cast<void>(((kIndex == index ? (variant.template emplace<kIndex>(), true) : false) || ...));
        };
        choose(std::make_index_sequence<std::variant_size_v<Variant>>());
    }
    std::visit(each, variant);
}

template <class C>
void fields(C& c, Of<C, TraceLoggingEvent>& v) {
    auto& [name, level, opcode, keyword, members] = v;
    exchangeText(c, name, limit::kName, "the name of an event is too long");
    c.number(level);
    c.number(opcode);
    c.number(keyword);
    exchangeList(c, members, limit::kEventFields, 6, "an event of too many fields", [&c](auto& field) {
        auto& [fieldName, value] = field;
        exchangeText(c, fieldName, limit::kName, "the name of a field is too long");
        auto kind = static_cast<std::uint8_t>(value.index());
        c.number(kind);
        c.require(kind < std::variant_size_v<TraceLoggingEvent::Value>, "an unknown type of field");
        if (!c.isGood()) {
            return;
        }
        exchangeVariant(kind, value, [&c](auto& one) {
            using T = std::remove_const_t<std::remove_reference_t<decltype(one)>>;
            if constexpr (std::is_same_v<T, std::string>) {
                exchangeText(c, one, limit::kEventText, "the text of an event is too long");
            } else if constexpr (std::is_same_v<T, std::int64_t>) {
                exchangeSigned(c, one);
            } else if constexpr (std::is_same_v<T, double>) {
                exchangeReal(c, one);
            } else if constexpr (std::is_same_v<T, bool>) {
                exchangeFact(c, one);
            } else if constexpr (std::is_same_v<T, Guid>) {
                exchangeGuid(c, one);
            } else if constexpr (std::is_same_v<T, TraceLoggingEvent::FileTimeValue>) {
                exchangeSigned(c, one.value);
            } else {
                c.number(one);
            }
        });
    });
}

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
