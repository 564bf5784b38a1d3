// SPDX-License-Identifier: GPL-3.0-or-later
//
// Events that Windows wrote, written again by this program's providers from what they say: the same bytes, but for who
// logged them and when.
#include "core/etl/ordered_events.h"
#include "tests/engine/engine_fixture.h"

#include <cstring>
#include <functional>
#include <iostream>
#include <map>

using namespace tracedeck;
using namespace tracedeck::test;
using etl::EventKind;
using etl::EventView;

namespace {

using EventBytes = std::vector<std::byte>;

/// In FullHeader and EventHeader alike: the thread, the process and the time (08 to 17). The processor times are what
/// the thread had used up, which this program does not ask for: 28 and 38.
struct Exception {
    std::size_t offset;
    std::size_t size;
};
constexpr Exception kWhoAndWhen{0x08, 16};
constexpr Exception kClassicTimes{0x28, 8};
constexpr Exception kEventTimes{0x38, 8};

EventBytes withoutExceptions(EventBytes bytes, std::initializer_list<Exception> exceptions) {
    for (const Exception& each : exceptions) {
        REQUIRE(bytes.size() >= each.offset + each.size);
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(each.offset), each.size, std::byte{0});
    }
    return bytes;
}

/// The events of a file that `wants` them, each with its padding to the next one cleared (it is whatever was there).
std::vector<EventBytes> eventsOf(const std::string& path, const std::function<bool(const EventView&)>& wants) {
    auto events = etl::OrderedEvents::open(systemFiles(), path);
    REQUIRE(events.has_value());
    std::vector<EventBytes> found;
    etl::OrderedEvent event;
    for (auto more = events->next(event); more && *more; more = events->next(event)) {
        if (wants(event.view)) {
            found.emplace_back(event.view.data, event.view.data + event.view.size);
        }
    }
    CHECK(events->damaged() == 0);
    return found;
}

template <class T>
T at(const EventBytes& bytes, std::size_t offset) {
    T value;
    REQUIRE(offset + sizeof value <= bytes.size());
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

/// Writes through an engine, in order, and gives back what lies in the file.
class Rewritten {
public:
    using Kind = etlformat::HeaderType;
    Rewritten() : m_calls(m_engine) {
        auto config = fileConfig(m_folder.file("again.etl"));
        config.bufferSizeKib = 1024;
        config.maximumBuffers = 256;
        m_id = m_calls.start(config).id;
    }
    void manifest(const EventBytes& bytes) {
        const auto header = at<etlformat::EventHeader>(bytes, 0);
        auto& writer = m_manifest[header.providerId];
        if (!writer) {
            writer = m_engine.registerManifest(header.providerId, nullptr);
            m_calls.enable(m_id, header.providerId);
        }
        const std::array<std::span<const std::byte>, 1> payload{std::span(bytes).subspan(sizeof header)};
        etw::ManifestEvent event;
        event.descriptor = header.descriptor;
        event.payload = payload;
        event.activity = header.activityId;
        writer->write(event);
    }
    void classic(const EventBytes& bytes) {
        if (!m_classic) {
            m_classic = m_engine.registerClassic(kControl, nullptr);
            m_calls.enable(m_id, kControl);
        }
        const auto header = at<etlformat::FullHeader>(bytes, 0);
        m_classic->write({header.classGuid,
                          header.type,
                          header.version,
                          header.level,
                          0,
                          std::span(bytes).subspan(sizeof header),
                          {}});
    }
    void selfDescribing(const std::string& provider, const etlformat::TraceLoggingEvent& event) {
        auto& writer = m_selfDescribing[provider];
        if (!writer) {
            writer = m_engine.registerProvider(provider);
            m_calls.enable(m_id, writer->providerId());
        }
        writer->write(event);
    }
    std::vector<EventBytes> stop() {
        const auto stats = m_calls.stop(m_id);
        CHECK(stats.eventsLost == 0);
        checkedEtl(m_folder.file("again.etl"));
        auto events = eventsOf(m_folder.file("again.etl"), [](const EventView& view) {
            return view.kind == EventKind::Event || view.kind == EventKind::Full;
        });
        return events;
    }

private:
    static constexpr Guid kControl = Guid::of(0x99999999, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10});
    TemporaryFolder m_folder;
    SystemClock m_clock;
    etw::engine::Engine m_engine{{&m_clock, &systemFiles(), nullptr}};
    Calls m_calls;
    etw::SessionId m_id;
    std::map<Guid, std::unique_ptr<etw::ManifestWriter>> m_manifest;
    std::map<std::string, std::unique_ptr<etw::EventWriter>> m_selfDescribing;
    std::unique_ptr<etw::ClassicWriter> m_classic;
};

std::string corpus() {
    const std::string shared = sharedFolder("bytes of events that Windows wrote");
    return shared.empty() ? shared : shared + "/corpus/etl/";
}

bool is64(const EventView& view, etlformat::HeaderType type) {
    return static_cast<etlformat::HeaderType>(view.data[2]) == type;
}

void compare(std::vector<EventBytes> again, const std::vector<EventBytes>& real,
             std::initializer_list<Exception> exceptions) {
    REQUIRE(again.size() == real.size());
    std::size_t same = 0;
    for (std::size_t i = 0; i < real.size(); ++i) {
        const bool isSame = withoutExceptions(again[i], exceptions) == withoutExceptions(real[i], exceptions);
        same += isSame ? 1U : 0U;
        if (!isSame) {
            UNSCOPED_INFO("event " << i << " of " << real[i].size() << " bytes differs");
        }
    }
    CHECK(same == real.size());
}

/// The extended items of an event, as they lie there.
struct RealItem {
    std::uint16_t totalSize = 0;
    std::uint16_t type = 0;
    std::uint16_t linkage = 0;
    EventBytes data;
    EventBytes padding;
};
std::vector<RealItem> itemsOf(const EventBytes& bytes, std::size_t& end) {
    std::vector<RealItem> items;
    end = sizeof(etlformat::EventHeader);
    while (items.empty() || (items.back().linkage & 1U) != 0) {
        const auto item = at<etlformat::ExtendedItem>(bytes, end);
        const std::size_t total = etlformat::alignEvent(item.totalSize);
        REQUIRE(end + total <= bytes.size());
        const auto data = bytes.begin() + static_cast<std::ptrdiff_t>(end + sizeof item);
        items.push_back({item.totalSize,
                         item.type,
                         item.linkage,
                         {data, data + item.dataSize},
                         {data + item.dataSize, bytes.begin() + static_cast<std::ptrdiff_t>(end + total)}});
        end += total;
    }
    return items;
}

} // namespace

TEST_CASE("Manifest events of real files are written byte for byte as Windows did", "[etl][engine][bytes]") {
    const std::string folder = corpus();
    if (folder.empty()) {
        return;
    }
    const char* name = GENERATE("gcevents.etl", "gcrundown.etl", "krabsetw-powershell.etl");
    CAPTURE(name);
    const auto real = eventsOf(folder + name, [](const EventView& view) {
        return view.kind == EventKind::Event && is64(view, etlformat::HeaderType::Event64) &&
               (static_cast<unsigned>(view.data[4]) & etlformat::kExtendedInfo) == 0;
    });
    REQUIRE(real.size() >= 60);
    Rewritten again;
    for (const EventBytes& event : real) {
        again.manifest(event);
    }
    compare(again.stop(), real, {kWhoAndWhen, kEventTimes});
}

TEST_CASE("Classic events of real files are written byte for byte as Windows did", "[etl][engine][bytes]") {
    const std::string folder = corpus();
    if (folder.empty()) {
        return;
    }
    const auto real = eventsOf(folder + "net.4.5.2.x64.etl", [](const EventView& view) {
        return view.kind == EventKind::Full && is64(view, etlformat::HeaderType::Full64);
    });
    REQUIRE(real.size() >= 100);
    Rewritten again;
    for (const EventBytes& event : real) {
        again.classic(event);
    }
    compare(again.stop(), real, {kWhoAndWhen, kClassicTimes});
}

TEST_CASE("Extended items are laid out, linked and padded as in real files", "[etl][engine][bytes]") {
    const std::string folder = corpus();
    if (folder.empty()) {
        return;
    }
    const char* name = GENERATE("AMSITrace.etl", "waasmedic.etl", "primitive-types.etl");
    CAPTURE(name);
    const auto real = eventsOf(folder + name, [](const EventView& view) {
        return view.kind == EventKind::Event && is64(view, etlformat::HeaderType::Event64) &&
               (static_cast<unsigned>(view.data[4]) & etlformat::kExtendedInfo) != 0;
    });
    REQUIRE(real.size() >= 2);
    for (const EventBytes& event : real) {
        std::size_t payload = 0;
        const auto items = itemsOf(event, payload);
        REQUIRE(items.size() == 2);
        REQUIRE(items[0].type == 0x0C);
        REQUIRE(items[1].type == 0x0B);
        // What the provider and the event are called is all that is needed for an event without fields.
        const auto text = [](const EventBytes& data, std::size_t from) {
            std::string found;
            while (from < data.size() && data[from] != std::byte{0}) {
                found += static_cast<char>(data[from++]);
            }
            return found;
        };
        const std::string provider = text(items[0].data, 2);
        const std::string eventName = text(items[1].data, 3);
        REQUIRE_FALSE(eventName.empty());
        Rewritten again;
        again.selfDescribing(provider, {eventName,
                                        std::to_integer<std::uint8_t>(event[0x2C]),
                                        std::to_integer<std::uint8_t>(event[0x2D]),
                                        at<std::uint64_t>(event, 0x30),
                                        {}});
        const auto written = again.stop();
        REQUIRE(written.size() == 1);
        std::size_t end = 0;
        const auto ours = itemsOf(written[0], end);
        REQUIRE(ours.size() == items.size());
        CHECK(end == written[0].size()); // no fields
        for (std::size_t i = 0; i < items.size(); ++i) {
            CHECK(ours[i].type == items[i].type);
            CHECK(ours[i].linkage == items[i].linkage);
            CHECK(ours[i].totalSize == etlformat::alignEvent(8 + ours[i].data.size()));
            CHECK(items[i].totalSize == etlformat::alignEvent(8 + items[i].data.size()));
            CHECK(std::all_of(ours[i].padding.begin(), ours[i].padding.end(),
                              [](std::byte b) { return b == std::byte{0}; }));
        }
        // The provider's traits as a whole where it has no more than a name, which ends them; else their beginning.
        const std::size_t common = 2 + provider.size() + 1;
        if (items[0].data.size() == common) {
            CHECK(ours[0].data == items[0].data);
        }
        CHECK(std::equal(ours[0].data.begin() + 2, ours[0].data.end(), items[0].data.begin() + 2));
        // The schema up to the first field, behind its own size.
        CHECK(std::equal(ours[1].data.begin() + 2, ours[1].data.end(), items[1].data.begin() + 2));
        // The header: flags, property, descriptor.
        CHECK(at<std::uint32_t>(written[0], 0x04) == at<std::uint32_t>(event, 0x04));
        CHECK(at<std::uint16_t>(written[0], 0x02) == at<std::uint16_t>(event, 0x02));
        CHECK(EventBytes(written[0].begin() + 0x28, written[0].begin() + 0x38) ==
              EventBytes(event.begin() + 0x28, event.begin() + 0x38));
        // The activity is the logging thread's on Windows; here self-describing events have none.
    }
}
