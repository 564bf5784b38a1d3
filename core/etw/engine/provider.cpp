// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/provider.h"

#include "core/etw/engine/current_thread.h"
#include "core/etw/engine/session.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace tracedeck::etw::engine {
namespace {

using etlformat::EventHeader;
using etlformat::ExtendedItem;
using etlformat::FullHeader;

constexpr auto kEveryEvent = [](const Enabling&) { return true; };

/// What an event shares whichever sessions it goes to, beside itself.
struct Logged {
    const void* frame; ///< of the function that those who log have called: their stacks begin in its caller
    std::uint64_t key = 0;
};

std::uint64_t keyOf(Logged& logged, Registration& registration, std::uint32_t wanted) noexcept {
    if ((wanted & enable_property::kEventKey) != 0 && logged.key == 0) {
        logged.key = registration.newEventKey();
    }
    return logged.key;
}

template <class T>
void put(std::byte*& place, const T& value) noexcept {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(place, &value, sizeof value);
    place += sizeof value;
}

/// Most payloads are short: these are not worth a call.
void copy(std::byte* place, std::span<const std::byte> from) noexcept {
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    if (from.size() >= kWord && from.size() <= 2 * kWord) {
        std::uint64_t first = 0;
        std::uint64_t last = 0;
        std::memcpy(&first, from.data(), kWord);
        std::memcpy(&last, from.data() + from.size() - kWord, kWord);
        std::memcpy(place, &first, kWord);
        std::memcpy(place + from.size() - kWord, &last, kWord);
    } else if (!from.empty()) {
        std::memcpy(place, from.data(), from.size());
    }
}

/// Sizes are of 16 bits. A longer event keeps this one, and the session refuses it by its real size.
std::uint16_t sizeField(std::size_t size) noexcept {
    return static_cast<std::uint16_t>(std::min(size, etlformat::kLargestEvent));
}

class SelfDescribingProvider final : public EventWriter {
public:
    SelfDescribingProvider(ProviderRegistry& registry, std::string name, EnableCallback callback, Process process)
        : m_name(std::move(name)),
          m_registration(registry, Registration::Kind::SelfDescribing, guidFromProviderName(m_name), std::move(process),
                         std::move(callback)) {}

    void write(const etlformat::TraceLoggingEvent& event) noexcept override {
        Logged logged{__builtin_frame_address(0)};
        std::optional<etlformat::TraceLoggingEncoder> encoder; // measuring is for events that somebody wants
        m_registration.deliver(
            event.level, event.keyword,
            [&](const Enabling& enabling) { return enabling.passesName(event.name, event.level, event.keyword); },
            [&](Session& session, const Enabling& enabling) {
                if (const auto wanted = enabling.itemsOfName(event.name, event.level, event.keyword)) [[unlikely]] {
                    writeWithItems(session, event, wanted, logged);
                    return;
                }
                if (!encoder) {
                    encoder.emplace(event, m_name);
                }
                write(session, *encoder);
            });
    }
    [[nodiscard]] bool isEnabled(std::uint8_t level, std::uint64_t keyword) const noexcept override {
        return m_registration.isEnabled(level, keyword);
    }
    [[nodiscard]] const Guid& providerId() const noexcept override { return m_registration.id(); }

private:
    void write(Session& session, const etlformat::TraceLoggingEncoder& encoder) const noexcept {
        session.writeEvent(encoder.size(), [&](std::byte* place, Ticks time) {
            const Process& process = m_registration.process();
            encoder.write(place, {providerId(), time, process.id, process.isThis ? currentThreadId() : process.id});
        });
    }
    [[gnu::noinline]] void writeWithItems(Session& session, const etlformat::TraceLoggingEvent& event,
                                          std::uint32_t wanted, Logged& logged) noexcept {
        const EventItems items(wanted, m_registration.process(), logged.frame, keyOf(logged, m_registration, wanted));
        write(session, etlformat::TraceLoggingEncoder(event, m_name, items.bytes()));
    }

    const std::string m_name;
    Registration m_registration;
};

class ManifestProvider final : public ManifestWriter {
public:
    ManifestProvider(ProviderRegistry& registry, const Guid& id, EnableCallback callback)
        : m_registration(registry, Registration::Kind::Manifest, id, Process::self(), std::move(callback)) {}

    void write(const ManifestEvent& event) noexcept override {
        Logged logged{__builtin_frame_address(0)};
        constexpr std::size_t kRelated = sizeof(ExtendedItem) + sizeof(Guid);
        std::size_t size = sizeof(EventHeader) + (event.relatedActivity ? kRelated : 0);
        for (const std::span<const std::byte> part : event.payload) {
            size += part.size();
        }
        const etlformat::EventDescriptor& descriptor = event.descriptor;
        m_registration.deliver(
            descriptor.level, descriptor.keyword,
            [&](const Enabling& enabling) { return enabling.passesId(descriptor.id); },
            [&](Session& session, const Enabling& enabling) {
                if (const auto wanted = enabling.itemsOfId(descriptor.id, descriptor.level, descriptor.keyword))
                    [[unlikely]] {
                    writeWithItems(session, event, size, wanted, logged);
                    return;
                }
                session.writeEvent(size, [&](std::byte* place, Ticks time) { fill(place, event, size, time, {}); });
            });
    }
    [[nodiscard]] bool isEnabled(std::uint8_t level, std::uint64_t keyword) const noexcept override {
        return m_registration.isEnabled(level, keyword);
    }
    [[nodiscard]] const Guid& providerId() const noexcept override { return m_registration.id(); }

private:
    [[gnu::noinline]] void writeWithItems(Session& session, const ManifestEvent& event, std::size_t size,
                                          std::uint32_t wanted, Logged& logged) noexcept {
        const EventItems items(wanted, m_registration.process(), logged.frame, keyOf(logged, m_registration, wanted));
        size += items.size();
        session.writeEvent(size, [&](std::byte* place, Ticks time) { fill(place, event, size, time, items.bytes()); });
    }
    void fill(std::byte* place, const ManifestEvent& event, std::size_t size, Ticks time,
              std::span<const std::byte> items) const noexcept {
        static_assert(sizeof(EventHeader) == 4 * sizeof(std::uint64_t) + 3 * sizeof(Guid));
        const std::uint64_t flags = event.relatedActivity || !items.empty() ? etlformat::kExtendedInfo : 0;
        // EventHeader word by word, as FullHeader below.
        put(place, std::uint64_t{sizeField(size)} |
                       std::uint64_t{static_cast<std::uint8_t>(etlformat::HeaderType::Event64)} << 16U |
                       std::uint64_t{etlformat::kHeaderFlags} << 24U | flags << 32U);
        put(place, currentThreadId() | std::uint64_t{currentProcessId()} << 32U);
        put(place, time);
        put(place, providerId());
        put(place, event.descriptor);
        put(place, std::uint64_t{0}); // processorTime
        put(place, event.activity ? *event.activity : Guid());
        if (event.relatedActivity) {
            ExtendedItem item;
            item.totalSize = sizeof item + sizeof(Guid);
            item.type = static_cast<std::uint16_t>(etlformat::ExtendedType::RelatedActivityId);
            item.linkage = items.empty() ? 0 : 1;
            item.dataSize = sizeof(Guid);
            put(place, item);
            put(place, *event.relatedActivity);
        }
        copy(place, items);
        place += items.size();
        for (const std::span<const std::byte> part : event.payload) {
            copy(place, part);
            place += part.size();
        }
    }

    Registration m_registration;
};

class ClassicProvider final : public ClassicWriter {
public:
    ClassicProvider(ProviderRegistry& registry, const Guid& control, EnableCallback callback)
        : m_registration(registry, Registration::Kind::Classic, control, Process::self(), std::move(callback)) {}

    void write(const ClassicEvent& event) noexcept override {
        const std::size_t header = sizeof(FullHeader) + (event.instance ? sizeof(ClassicEvent::Instance) : 0);
        const std::size_t size = header + event.payload.size();
        m_registration.deliver(event.level, event.flags, kEveryEvent, [&](Session& session, const Enabling&) {
            session.writeEvent(size, [&](std::byte* place, Ticks time) { fill(place, event, size, time); });
        });
    }
    [[nodiscard]] bool isEnabled(std::uint8_t level, std::uint32_t flags) const noexcept override {
        return m_registration.isEnabled(level, flags);
    }
    [[nodiscard]] const Guid& providerId() const noexcept override { return m_registration.id(); }

private:
    static void fill(std::byte* place, const ClassicEvent& event, std::size_t size, Ticks time) noexcept {
        static_assert(sizeof(ClassicEvent::Instance) == 0x18); // as EVENT_INSTANCE_HEADER lies in a file, from 0x30 on
        static_assert(sizeof(FullHeader) == 4 * sizeof(std::uint64_t) + sizeof(Guid));
        const auto type = event.instance ? etlformat::HeaderType::Instance64 : etlformat::HeaderType::Full64;
        // FullHeader word by word: put together from its fields in memory it would be read before they have arrived.
        put(place, std::uint64_t{sizeField(size)} | std::uint64_t{static_cast<std::uint8_t>(type)} << 16U |
                       std::uint64_t{etlformat::kHeaderFlags} << 24U | std::uint64_t{event.type} << 32U |
                       std::uint64_t{event.level} << 40U | std::uint64_t{event.version} << 48U);
        put(place, currentThreadId() | std::uint64_t{currentProcessId()} << 32U);
        put(place, time);
        put(place, event.eventClass);
        put(place, std::uint64_t{0}); // processorTime
        if (event.instance) {
            put(place, *event.instance);
        }
        copy(place, event.payload);
    }

    Registration m_registration;
};

} // namespace

std::unique_ptr<EventWriter> makeSelfDescribing(ProviderRegistry& registry, std::string name, EnableCallback callback,
                                                std::optional<std::uint32_t> processId) {
    return std::make_unique<SelfDescribingProvider>(registry, std::move(name), std::move(callback),
                                                    processId ? Process::other(*processId) : Process::self());
}

std::unique_ptr<ManifestWriter> makeManifest(ProviderRegistry& registry, const Guid& provider,
                                             EnableCallback callback) {
    return std::make_unique<ManifestProvider>(registry, provider, std::move(callback));
}

std::unique_ptr<ClassicWriter> makeClassic(ProviderRegistry& registry, const Guid& control, EnableCallback callback) {
    return std::make_unique<ClassicProvider>(registry, control, std::move(callback));
}

} // namespace tracedeck::etw::engine
