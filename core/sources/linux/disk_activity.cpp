// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/disk_activity.h"

#include "core/sources/linux/mapping.h"

#include <algorithm>

namespace tracedeck::linux_source {
namespace {

namespace group = etlformat::group;
namespace hook = etlformat::hook;
namespace irp_flag = etlformat::irp_flag;
namespace version = etlformat::event_version;

constexpr std::uint64_t kSector = 512;

enum class Point : std::size_t { Start, Issue, FrontMerge, Complete };
constexpr std::size_t at(Point point) {
    return static_cast<std::size_t>(point);
}

enum class Operation : std::uint8_t { Other, Read, Write, Flush };

/// What `rwbs` says: [F] R, W, F, D, DE or N, and F, A, S, M, U for flags; the first F is a flush before the rest.
struct Wanted {
    Operation operation = Operation::Other;
    bool isAhead = false;
    bool isAwaited = false;

    static Wanted parse(std::string_view rwbs) noexcept {
        Wanted wanted;
        if (rwbs.size() > 1 && rwbs[0] == 'F' && std::string_view("RWFDN").find(rwbs[1]) != rwbs.npos) {
            rwbs.remove_prefix(1);
        }
        if (rwbs.empty()) {
            return wanted;
        }
        wanted.operation = rwbs[0] == 'R'   ? Operation::Read
                           : rwbs[0] == 'W' ? Operation::Write
                           : rwbs[0] == 'F' ? Operation::Flush
                                            : Operation::Other;
        wanted.isAhead = rwbs.find('A', 1) != rwbs.npos;
        wanted.isAwaited = rwbs.find('S', 1) != rwbs.npos;
        return wanted;
    }
};

struct Fields {
    TracepointField device, sector, sectors, bytes, rwbs;
    std::optional<TracepointField> priority; ///< Linux 6.9

    static Result<Fields> of(const TracepointFormat& format, bool hasBytes) {
        Fields fields;
        const std::pair<const char*, TracepointField*> numbers[] = {
            {"dev", &fields.device}, {"sector", &fields.sector}, {"nr_sector", &fields.sectors}};
        for (const auto& [name, field] : numbers) {
            const auto found = format.integer(name);
            if (!found) {
                return fail(found.error());
            }
            *field = *found;
        }
        const auto rwbs = format.field("rwbs");
        const auto bytes = hasBytes ? format.integer("bytes") : Result<TracepointField>(TracepointField());
        if (!rwbs || !bytes) {
            return fail(rwbs ? bytes.error() : rwbs.error());
        }
        fields.rwbs = *rwbs;
        fields.bytes = *bytes;
        if (const auto priority = format.integer("ioprio")) {
            fields.priority = *priority;
        }
        return fields;
    }
};

constexpr bool hasBytes(std::size_t point) {
    return point == at(Point::Start) || point == at(Point::Issue);
}

struct Request {
    std::uint64_t irp = 0; ///< 0: no request
    std::uint64_t sector = 0;
    std::uint64_t begin = 0; ///< its first sector of all
    Ticks start = 0;
    std::uint32_t device = 0;
    std::uint32_t thread = 0;
    std::uint32_t bytes = 0;
    std::uint32_t done = 0; ///< bytes
    std::uint32_t irpFlags = 0;
    Operation operation = Operation::Other;
    bool isIssued = false;
};

/// Requests under way. Each place takes a few; one more takes the place of the oldest, whose end was lost most likely.
class Requests {
public:
    Requests() : m_requests(kPlaces * kWays) {}

    /// A flush has no sector; one that waits for its turn and one that is being done are two.
    Request* find(std::uint32_t device, std::uint64_t sector, Operation operation, bool isIssued) noexcept {
        for (Request& one : placeOf(device, sector, operation)) {
            if (one.irp != 0 && one.device == device && one.sector == sector && one.operation == operation &&
                (operation != Operation::Flush || one.isIssued == isIssued)) {
                return &one;
            }
        }
        return nullptr;
    }

    void add(const Request& request) noexcept {
        const std::span<Request> place = placeOf(request.device, request.sector, request.operation);
        *std::min_element(place.begin(), place.end(), [](const Request& a, const Request& b) {
            return std::pair(a.irp != 0, a.start) < std::pair(b.irp != 0, b.start);
        }) = request;
    }

    /// It begins elsewhere now.
    void move(Request& request, std::uint64_t sector) noexcept {
        Request moved = request;
        request = {};
        moved.sector = sector;
        add(moved);
    }

    void clear() noexcept { std::fill(m_requests.begin(), m_requests.end(), Request()); }

private:
    static constexpr std::size_t kPlaces = 2048;
    static constexpr std::size_t kWays = 8;

    std::span<Request> placeOf(std::uint32_t device, std::uint64_t sector, Operation operation) noexcept {
        std::uint64_t hash = (sector ^ (std::uint64_t{device} << 40U) ^ static_cast<std::uint64_t>(operation)) *
                             0x9E3779B97F4A7C15U; // Fibonacci hashing
        hash >>= 64U - 11U;
        static_assert(kPlaces == std::size_t{1} << 11U);
        return std::span(m_requests).subspan(static_cast<std::size_t>(hash) * kWays, kWays);
    }

    std::vector<Request> m_requests;
};

class DiskActivity final : public Activity {
public:
    DiskActivity(Formats formats, const ActivityWish& wish, ActivitySink& sink)
        : m_sink(sink), m_hasEnds(wish.groups.has(group::kDiskIo)), m_hasInits(wish.groups.has(group::kDiskIoInit)),
          m_seesStarts(formats[at(Point::Start)].has_value()) {
        for (std::size_t i = 0; i < formats.size(); ++i) {
            if (formats[i]) {
                m_fields[i] = *Fields::of(*formats[i], hasBytes(i));
            }
        }
        for (std::size_t i = 0; i < 3; ++i) {
            m_hasStacks[i] = wish.hasStack(kInits[i]);
        }
        m_devices.reserve(kMostDisks);
        for (const Disks::Disk& disk : wish.disks.disks) {
            m_devices.push_back(disk.device);
        }
    }

    void translate(const Record& record, const SampleBody& sample, std::size_t point) noexcept override {
        const Fields& fields = m_fields[point];
        const auto device = static_cast<std::uint32_t>(fields.device.read(sample.raw));
        const auto sector = static_cast<std::uint64_t>(fields.sector.read(sample.raw));
        const Wanted wanted = Wanted::parse(fields.rwbs.text(sample.raw));
        switch (static_cast<Point>(point)) {
        case Point::Start:
            onStart(record, sample, device, sector, wanted);
            break;
        case Point::Issue:
            onIssue(record, sample, device, sector, wanted);
            break;
        case Point::FrontMerge:
            onFrontMerge(sample, device, sector, wanted);
            break;
        case Point::Complete:
            onComplete(record, sample, device, sector, wanted);
            break;
        }
    }

    void breakOff() noexcept override { m_requests.clear(); }

private:
    static constexpr std::uint16_t kInits[] = {hook::kDiskReadInit, hook::kDiskWriteInit, hook::kDiskFlushInit};
    static constexpr std::size_t kMostDisks = 1024;
    static constexpr std::size_t indexOf(Operation operation) { return static_cast<std::size_t>(operation) - 1; }

    void onStart(const Record& record, const SampleBody& sample, std::uint32_t device, std::uint64_t sector,
                 Wanted wanted) noexcept {
        const Fields& fields = m_fields[at(Point::Start)];
        const auto bytes = static_cast<std::uint32_t>(fields.bytes.read(sample.raw));
        if (wanted.operation == Operation::Write && bytes == 0) {
            wanted.operation = Operation::Flush; // a write of nothing behind a flush
        }
        if (wanted.operation == Operation::Flush) {
            sector = 0;
            if (m_requests.find(device, sector, Operation::Flush, false) != nullptr) {
                return; // this thread waits for a flush that others wait for, too
            }
        }
        begin(record, sample, fields,
              {0, sector, sector, record.time, device, record.threadId, bytes, 0, 0, wanted.operation, false}, wanted);
    }

    void onIssue(const Record& record, const SampleBody& sample, std::uint32_t device, std::uint64_t sector,
                 Wanted wanted) noexcept {
        const Fields& fields = m_fields[at(Point::Issue)];
        const auto bytes = static_cast<std::uint32_t>(fields.bytes.read(sample.raw));
        if (wanted.operation == Operation::Flush) {
            sector = 0;
        }
        Request* request = m_requests.find(device, sector, wanted.operation, false);
        if (request != nullptr && (m_seesStarts || !request->isIssued)) { // else what was there was lost
            request->bytes = bytes;                                       // others were joined to it meanwhile
            request->isIssued = true;
            return;
        }
        begin(record, sample, fields,
              {0, sector, sector, record.time, device, record.threadId, bytes, 0, 0, wanted.operation, true}, wanted);
    }

    void onFrontMerge(const SampleBody& sample, std::uint32_t device, std::uint64_t sector, Wanted wanted) noexcept {
        const auto sectors = static_cast<std::uint64_t>(m_fields[at(Point::FrontMerge)].sectors.read(sample.raw));
        Request* request = m_requests.find(device, sector + sectors, wanted.operation, false);
        if (request != nullptr && !request->isIssued) {
            request->begin = sector;
            request->bytes += static_cast<std::uint32_t>(sectors * kSector);
            m_requests.move(*request, sector);
        }
    }

    void onComplete(const Record& record, const SampleBody& sample, std::uint32_t device, std::uint64_t sector,
                    Wanted wanted) noexcept {
        const auto sectors = static_cast<std::uint64_t>(m_fields[at(Point::Complete)].sectors.read(sample.raw));
        if (wanted.operation == Operation::Other || (wanted.operation == Operation::Write && sectors == 0)) {
            return; // nothing was moved
        }
        if (wanted.operation == Operation::Flush) {
            sector = 0;
        }
        const auto bytes = static_cast<std::uint32_t>(sectors * kSector);
        Request* request = m_requests.find(device, sector, wanted.operation, true);
        if (request == nullptr) { // it was under way when the recording began
            Request unknown{nextIrp(), sector, sector, record.time,      device, kUnknownId,
                            bytes,     bytes,  0,      wanted.operation, true};
            unknown.irpFlags = flagsOf(wanted, m_fields[at(Point::Complete)], sample);
            end(record, unknown);
            return;
        }
        request->done += bytes;
        if (request->done < request->bytes) {
            m_requests.move(*request, sector + sectors);
            return;
        }
        end(record, *request);
        *request = {};
    }

    void begin(const Record& record, const SampleBody& sample, const Fields& fields, Request request,
               Wanted wanted) noexcept {
        if (wanted.operation == Operation::Other) {
            return;
        }
        request.irp = nextIrp();
        request.irpFlags = flagsOf(wanted, fields, sample);
        if (Request* lost = m_requests.find(request.device, request.sector, request.operation, request.isIssued)) {
            *lost = {}; // its end did not come: it was joined to another one, or there was no room for the record
        }
        m_requests.add(request);
        if (!m_hasInits) {
            return;
        }
        const std::size_t index = indexOf(request.operation);
        const etlformat::DiskInitPayload payload{request.irp, request.thread};
        const Ticks time = m_sink.output().system(
            record.processor, record.time, kInits[index], version::kDiskIo, std::as_bytes(std::span(&payload, 1)),
            m_sink.table().processOf(record.processId, record.threadId), record.threadId);
        if (m_hasStacks[index]) {
            m_sink.stack(record, time, sample.chain);
        }
    }

    void end(const Record& record, const Request& request) noexcept {
        if (!m_hasEnds) {
            return;
        }
        const auto response = static_cast<std::uint64_t>(std::max<Ticks>(record.time - request.start, 0));
        if (request.operation == Operation::Flush) {
            const etlformat::DiskFlushPayload payload{diskNumber(request.device), request.irpFlags, response,
                                                      request.irp, request.thread};
            m_sink.output().perfinfo(record.processor, record.time, hook::kDiskFlush, version::kDiskIo, payload);
            return;
        }
        etlformat::DiskTransferPayload payload;
        payload.diskNumber = diskNumber(request.device);
        payload.irpFlags = request.irpFlags;
        payload.transferSize = request.done;
        payload.byteOffset = request.begin * kSector;
        payload.irp = request.irp;
        payload.highResResponseTime = response;
        payload.issuingThreadId = request.thread;
        m_sink.output().perfinfo(record.processor, record.time,
                                 request.operation == Operation::Read ? hook::kDiskRead : hook::kDiskWrite,
                                 version::kDiskIo, payload);
    }

    std::uint32_t diskNumber(std::uint32_t device) noexcept {
        const auto found = std::find(m_devices.begin(), m_devices.end(), device);
        if (found == m_devices.end() && m_devices.size() < kMostDisks) {
            m_devices.push_back(device); // plugged in while it records; the room is there
            return static_cast<std::uint32_t>(m_devices.size() - 1);
        }
        return static_cast<std::uint32_t>(found - m_devices.begin());
    }

    static std::uint32_t flagsOf(Wanted wanted, const Fields& fields, const SampleBody& sample) noexcept {
        constexpr std::int64_t kRealTime = 1;
        constexpr std::int64_t kIdle = 3;
        const std::int64_t priorityClass = fields.priority ? fields.priority->read(sample.raw) >> 13 : 0;
        const std::uint32_t priority = priorityClass == kRealTime ? irp_flag::kPriorityHigh
                                       : priorityClass == kIdle   ? irp_flag::kPriorityVeryLow
                                                                  : irp_flag::kPriorityNormal;
        std::uint32_t flags = irp_flag::kNoCache | priority << irp_flag::kPriorityShift;
        if (wanted.operation == Operation::Flush) {
            return priority << irp_flag::kPriorityShift;
        }
        flags |= wanted.isAwaited ? irp_flag::kSynchronous : 0U;
        const bool isForCache = wanted.isAhead || (wanted.operation == Operation::Write && !wanted.isAwaited);
        return flags | (isForCache ? irp_flag::kPaging : 0U);
    }

    std::uint64_t nextIrp() noexcept { return ++m_irps; }

    ActivitySink& m_sink;
    bool m_hasEnds;
    bool m_hasInits;
    bool m_seesStarts;
    std::array<Fields, 4> m_fields;
    std::array<bool, 3> m_hasStacks{};
    std::vector<std::uint32_t> m_devices; ///< by disk number
    Requests m_requests;
    std::uint64_t m_irps = 0;
};

Status check(Formats formats) {
    for (std::size_t i = 0; i < formats.size(); ++i) {
        if (formats[i]) {
            if (const auto fields = Fields::of(*formats[i], hasBytes(i)); !fields) {
                return fail(fields.error());
            }
        }
    }
    return {};
}

} // namespace

ActivityKind diskActivityKind() {
    ActivityKind kind;
    kind.name = "disk transfers";
    kind.groups = {group::kDiskIo, group::kDiskIoInit};
    kind.stackHooks = {hook::kDiskReadInit, hook::kDiskWriteInit, hook::kDiskFlushInit};
    kind.points = {{"block/block_io_start", false, true},
                   {"block/block_rq_issue", true, true},
                   {"block/block_bio_frontmerge", false, false},
                   {"block/block_rq_complete", true, false}};
    kind.check = check;
    kind.make = [](Formats formats, const ActivityWish& wish, ActivitySink& sink) -> std::unique_ptr<Activity> {
        return std::make_unique<DiskActivity>(formats, wish, sink);
    };
    return kind;
}

} // namespace tracedeck::linux_source
