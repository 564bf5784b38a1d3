// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/utf.h"
#include "core/etw/remote/codec.h"
#include "core/etw/remote/wire.h"

#include <type_traits>
#include <utility>

/// How the types that messages are made of are written and read, by one function for both: part of wire.cpp.
namespace tracedeck::etw::remote {

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

} // namespace tracedeck::etw::remote
