// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/scrub.h"

#include "core/base/guid.h"
#include "core/base/own_provider.h"
#include "core/base/utf.h"
#include "core/etl/buffer_walk.h"
#include "core/etl/event_counter.h"
#include "core/etl/event_view.h"
#include "core/etl/kernel_fields.h"
#include "core/etl/partial_file.h"
#include "core/etl/scrub_fields.h"
#include "core/etl/trace_logging_fields.h"
#include "core/etlformat/hooks.h"
#include "core/etlformat/layout.h"

#include <algorithm>

namespace tracedeck::etl {
namespace {

namespace hook = etlformat::hook;
using etlformat::BufferHeader;
using etlformat::kBufferHeaderSize;

constexpr std::size_t kReadBlock = 1024 * 1024;
constexpr std::byte kUnused{0xFF};
/// What a merge writes down of manifests: names of events and fields.
constexpr Guid kMetaDataClass = Guid::of(0xbbccf6c1, 0x6cd1, 0x48c4, {0x80, 0xff, 0x83, 0x94, 0x82, 0xe3, 0x76, 0x71});
constexpr std::uint8_t kEventInfo = 32;
constexpr std::uint8_t kEventMapInfo = 33;

/// Extended items that hold more than numbers of the session's own.
enum class ItemType : std::uint16_t { Sid = 2, Stack64 = 6, PsmKey = 9, ContainerId = 0x10, LastKnown = 0x12 };

bool isImage(const EventView& event) noexcept {
    return event.hasHook() && (event.hookId == hook::kImageLoad || event.hookId == hook::kImageUnload ||
                               event.hookId == hook::kImageDcStart || event.hookId == hook::kImageDcEnd);
}

/// The name of the image of an Image event.
class ImageName final : public FieldSink {
public:
    explicit ImageName(Replacer& replacer) : m_replacer(replacer) {}
    void value(const FieldValue& field) override {
        if (field.type == FieldType::WideText && field.name == "FileName") {
            std::u16string units(field.data.size() / 2, u'\0');
            if (!units.empty()) {
                std::memcpy(units.data(), field.data.data(), units.size() * 2);
            }
            m_replacer.addSystemFile(toUtf8(units));
        }
    }
    void beginArray(std::string_view) override {}
    void endArray() override {}
    void beginStruct(std::string_view) override {}
    void endStruct() override {}

private:
    Replacer& m_replacer;
};

/// Reads a file twice: which programs are the system's, and everything.
class Scrubber {
public:
    Scrubber(InputFile& input, FileHeader header, OutputFile& output, const ScrubRequest& request,
             const ScrubProgress& progress, const std::stop_token& stop)
        : m_input(input), m_header(std::move(header)), m_output(output), m_request(request), m_progress(progress),
          m_stop(stop),
          m_replacer(request.salt.empty() ? toString(randomGuid()) + toString(randomGuid()) : request.salt),
          m_recorderId(guidFromProviderName(kOwnProviderName)) {}

    Result<ScrubResult> run() {
        if (auto learnt = eachBuffer(0,
                                     [this](const BufferPlace&, std::span<const std::byte> bytes) {
                                         learn(bytes);
                                         return Status();
                                     });
            !learnt) {
            return fail(std::move(learnt).error());
        }
        if (auto written = eachBuffer(
                1, [this](const BufferPlace& place, std::span<const std::byte> bytes) { return write(place, bytes); });
            !written) {
            return fail(std::move(written).error());
        }
        for (EventCount& count : m_unknown.result()) {
            m_result.unknownEvents += count.events;
            m_result.unknown.push_back({std::move(count.name), count.events});
        }
        return std::move(m_result);
    }

private:
    template <class Take>
    Status eachBuffer(int round, Take take);
    void learn(std::span<const std::byte> bytes);
    Status write(const BufferPlace& place, std::span<const std::byte> bytes);
    std::size_t scrubEvents(std::size_t end, bool isHeaderBuffer);
    void scrubEvent(const EventView& event);
    void scrubKernel(const EventView& event);
    void scrubSelfDescribing(const EventView& event);
    void scrubItems(const EventView& event, ScrubFields& fields);
    void takeUnknown(const EventView& event, std::size_t payloadAt);
    [[nodiscard]] ScrubFields fieldsOfBuffer() { return {m_replacer, m_request, m_result, m_buffer}; }

    InputFile& m_input;
    FileHeader m_header;
    OutputFile& m_output;
    const ScrubRequest& m_request;
    const ScrubProgress& m_progress;
    const std::stop_token& m_stop;
    Replacer m_replacer;
    Guid m_recorderId;
    EventCounter m_unknown;
    ScrubResult m_result;
    std::vector<std::byte> m_buffer; ///< as it is written
};

template <class Take>
Status Scrubber::eachBuffer(int round, Take take) {
    constexpr double kRounds = 2;
    FileWindow window(m_input, kReadBlock);
    BufferWalk walk(window, m_header, [&](std::uint64_t offset) {
        if (m_progress) {
            m_progress((round + static_cast<double>(offset) / static_cast<double>(m_input.size())) / kRounds);
        }
        return !m_stop.stop_requested();
    });
    Status walked = etl::eachBuffer(window, walk, [&](const BufferPlace& place, const auto& bytes) -> Status {
        if (!bytes) {
            m_result.damaged += static_cast<std::uint64_t>(round);
            return {};
        }
        return take(place, *bytes);
    });
    m_result.damaged += walked && round != 0 ? walk.damaged().count : 0;
    return walked;
}

void Scrubber::learn(std::span<const std::byte> bytes) {
    ImageName images(m_replacer);
    EventView event;
    std::size_t at = std::min(kBufferHeaderSize, bytes.size());
    while (at < bytes.size() && parseEvent(bytes.subspan(at), event) == ParseResult::Event) {
        if (isImage(event)) {
            KernelFields::builtIn().visit(event, images);
        }
        at += etlformat::alignEvent(event.size);
    }
}

Status Scrubber::write(const BufferPlace& place, std::span<const std::byte> bytes) {
    const std::size_t size =
        place.isCompressed() ? etlformat::alignEvent(bytes.size()) : std::max<std::size_t>(place.size, bytes.size());
    m_buffer.assign(bytes.begin(), bytes.end());
    m_buffer.resize(size, kUnused);
    const std::size_t end = scrubEvents(bytes.size(), place.type == etlformat::BufferType::Header);
    std::fill(m_buffer.begin() + static_cast<std::ptrdiff_t>(end), m_buffer.end(), kUnused);
    auto header = loadAt<BufferHeader>(m_buffer.data(), 0);
    header.bufferSize = static_cast<std::uint32_t>(size);
    // In a header buffer events may stand behind the saved offset.
    const bool isHeaderBuffer = place.type == etlformat::BufferType::Header;
    header.savedOffset = isHeaderBuffer ? std::min(header.savedOffset, static_cast<std::uint32_t>(end))
                                        : static_cast<std::uint32_t>(end);
    header.currentOffset = header.savedOffset;
    header.offset = static_cast<std::uint32_t>(end);
    header.bufferFlag = static_cast<std::uint16_t>(header.bufferFlag & ~etlformat::buffer_flag::kCompressed);
    header.clockOrLink = 0; // addresses of the kernel
    header.unused[0] = header.unused[1] = 0;
    std::memcpy(m_buffer.data(), &header, sizeof header);
    Status written = m_output.writeAt(m_result.bytes, m_buffer);
    m_result.bytes += size;
    return written;
}

/// Where the sound events end.
std::size_t Scrubber::scrubEvents(std::size_t end, bool isHeaderBuffer) {
    std::size_t at = kBufferHeaderSize;
    EventView event;
    ParseResult parsed = ParseResult::End;
    while (at < end && (parsed = parseEvent(std::span<const std::byte>(m_buffer).subspan(at, end - at), event)) ==
                           ParseResult::Event) {
        scrubEvent(event);
        ++m_result.events;
        const std::size_t next = std::min(at + etlformat::alignEvent(event.size), m_buffer.size());
        std::fill(m_buffer.begin() + static_cast<std::ptrdiff_t>(at + event.size),
                  m_buffer.begin() + static_cast<std::ptrdiff_t>(next), std::byte{0});
        at = next;
    }
    m_result.damaged += at < end && parsed == ParseResult::Damaged && !isHeaderBuffer ? 1U : 0U;
    return at;
}

void Scrubber::scrubEvent(const EventView& event) {
    switch (event.kind) {
    case EventKind::System:
    case EventKind::Compact:
    case EventKind::Perfinfo:
    case EventKind::Full:
    case EventKind::Instance:
        return scrubKernel(event);
    case EventKind::Event:
        return scrubSelfDescribing(event);
    case EventKind::Message:
    case EventKind::Other:
        return takeUnknown(event, event.headerSize);
    }
}

void Scrubber::scrubKernel(const EventView& event) {
    if (event.kind == EventKind::Full && event.guid() == kMetaDataClass) {
        const auto type = loadAt<std::uint8_t>(event.data, 4);
        if (type == kEventInfo || type == kEventMapInfo) {
            return;
        }
    }
    ScrubFields fields = fieldsOfBuffer();
    fields.begin(ScrubFields::Origin::Kernel);
    const KernelFields::Visit visit = KernelFields::builtIn().visit(event, fields);
    if (!visit.isKnown) {
        return takeUnknown(event, event.headerSize);
    }
    fields.clear(event.payload().subspan(std::min(visit.payloadBytes, event.payload().size())));
}

void Scrubber::scrubSelfDescribing(const EventView& event) {
    ScrubFields fields = fieldsOfBuffer();
    const ExtendedData extended = extendedData(event);
    if (!extended.isSound) {
        return takeUnknown(event, event.headerSize);
    }
    scrubItems(event, fields);
    const std::size_t payloadAt = std::min<std::size_t>(extended.payloadOffset, event.size);
    if (extended.schema.empty()) {
        return takeUnknown(event, payloadAt);
    }
    const std::span<const std::byte> payload(event.data + payloadAt, event.size - payloadAt);
    fields.begin(event.guid() == m_recorderId ? ScrubFields::Origin::Recorder : ScrubFields::Origin::SelfDescribing);
    const TraceLoggingVisit visit = visitTraceLogging(extended.schema, payload, isNarrow(event), fields);
    fields.clear(payload.subspan(std::min(visit.payloadBytes, payload.size())));
}

void Scrubber::scrubItems(const EventView& event, ScrubFields& fields) {
    forEachExtendedItem(event, [&](std::uint16_t type, std::span<const std::byte> data) {
        if (type == static_cast<std::uint16_t>(ItemType::Sid)) {
            if (sidLength(data) == data.size()) {
                fields.replaceSid(data);
            } else {
                fields.clear(data);
            }
        } else if (type == static_cast<std::uint16_t>(ItemType::Stack64)) {
            for (std::size_t at = sizeof(std::uint64_t); at + sizeof(std::uint64_t) <= data.size();
                 at += sizeof(std::uint64_t)) {
                fields.clearUnlessAddress(data.subspan(at, sizeof(std::uint64_t)));
            }
        } else if (type == static_cast<std::uint16_t>(ItemType::PsmKey) ||
                   type == static_cast<std::uint16_t>(ItemType::ContainerId) ||
                   type > static_cast<std::uint16_t>(ItemType::LastKnown)) {
            fields.clear(data);
        }
        // What fills the item up behind its data.
        const auto item = loadAt<etlformat::ExtendedItem>(data.data() - sizeof(etlformat::ExtendedItem), 0);
        const auto dataAt = static_cast<std::size_t>(data.data() - event.data);
        const std::size_t itemAt = dataAt - sizeof item;
        const std::size_t itemEnd = std::min<std::size_t>(
            event.size,
            itemAt + etlformat::alignEvent(std::max<std::size_t>(item.totalSize, sizeof item + data.size())));
        fields.clear({event.data + dataAt + data.size(), itemEnd - dataAt - data.size()});
    });
}

void Scrubber::takeUnknown(const EventView& event, std::size_t payloadAt) {
    const std::span<const std::byte> payload(event.data + payloadAt, event.size - payloadAt);
    if (std::all_of(payload.begin(), payload.end(), [](std::byte b) { return b == std::byte{0}; })) {
        return; // nothing to be understood
    }
    m_unknown.count(event, {});
    if (m_request.dropsUnknown) {
        const auto offset = static_cast<std::ptrdiff_t>(payload.data() - m_buffer.data());
        std::fill_n(m_buffer.begin() + offset, payload.size(), std::byte{0});
    }
}

} // namespace

Result<ScrubResult> scrub(FileSystem& files, const ScrubRequest& request, const ScrubProgress& progress,
                          std::stop_token stop) {
    auto input = files.open(request.input);
    if (!input) {
        return fail(std::move(input.error()));
    }
    auto header = readFileHeader(**input, request.input);
    if (!header) {
        return fail(std::move(header.error()));
    }
    PartialFile output(files, request.output);
    if (auto created = output.create(); !created) {
        return fail(std::move(created).error());
    }
    auto result = Scrubber(**input, std::move(*header), output.file(), request, progress, stop).run();
    if (!result) {
        return result;
    }
    const auto existing = request.replace ? FileSystem::Existing::Replace : FileSystem::Existing::Refuse;
    if (auto committed = output.commit(existing); !committed) {
        return fail(std::move(committed).error());
    }
    return result;
}

} // namespace tracedeck::etl
