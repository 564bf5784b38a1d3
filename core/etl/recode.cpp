// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/recode.h"

#include "core/etl/buffer_walk.h"
#include "core/etl/event_view.h"
#include "core/etl/file_header.h"
#include "core/etl/partial_file.h"
#include "core/etl/xpress.h"
#include "core/etlformat/layout.h"

#include <algorithm>
#include <cstring>

namespace tracedeck::etl {
namespace {

using etlformat::BufferHeader;
using etlformat::kBufferHeaderSize;
using etlformat::LogfileHeader;
using ByteSpan = std::span<const std::byte>;

enum class Form : std::uint8_t { Plain, Compressed };

constexpr std::size_t kReadBlock = 1024 * 1024;
constexpr std::size_t kHeaderStep = 512;
constexpr std::byte kUnusedTail{0xFF};
/// Sub-version and its minor: the upper half of LogfileHeader::version.
constexpr std::uint32_t kFormat15 = 0x05010000;
constexpr std::uint32_t kFormat20 = 0x00020000;
constexpr std::uint32_t kSystemVersion = 0x0000FFFF;
/// What format 1.5 takes.
constexpr std::uint32_t kLargestBufferOfFormat1 = 1024 * 1024;
constexpr std::uint32_t kMostProcessorsOfFormat1 = 256;

auto damaged(const std::string& path, std::uint64_t offset, const std::string& what) {
    return fail(ErrorCode::EtlDamaged, path + " at " + std::to_string(offset) + ": " + what);
}

/// One file that is read from front to back.
struct Source {
    std::string path;
    std::unique_ptr<InputFile> file;
    FileHeader header;

    [[nodiscard]] static Result<Source> open(FileSystem& files, const std::string& path) {
        Source source;
        source.path = path;
        auto file = files.open(path);
        if (!file) {
            return fail(std::move(file.error()));
        }
        source.file = std::move(*file);
        auto header = readFileHeader(*source.file, path);
        if (!header) {
            return fail(std::move(header.error()));
        }
        source.header = std::move(*header);
        return source;
    }
};

/// The buffers of a file behind its first one, each decompressed; any damage is an error.
class Buffers {
public:
    explicit Buffers(Source& source)
        : m_source(source), m_window(*source.file, kReadBlock), m_walk(m_window, source.header) {}

    [[nodiscard]] Result<ByteSpan> first() {
        const auto place = m_walk.next();
        if (!place) {
            return fail(place.error());
        }
        const auto bytes = m_window.view(0, m_source.header.firstBufferFilled);
        if (!bytes) {
            return fail(bytes.error());
        }
        if (bytes->size() < m_source.header.firstBufferFilled || m_walk.truncated().count != 0) {
            return damaged(m_source.path, 0, "the first buffer runs past the end of the file");
        }
        return *bytes;
    }
    /// The next one; false at the end.
    [[nodiscard]] Result<bool> next() {
        const auto place = m_walk.next();
        if (!place) {
            return fail(place.error());
        }
        for (const Damage* damage : {&m_walk.damaged(), &m_walk.truncated()}) {
            if (damage->count != 0) {
                return damaged(m_source.path, damage->firstOffset, damage->firstDetail);
            }
        }
        if (!place->has_value()) {
            return false;
        }
        m_place = **place;
        const auto bytes = bufferBytes(m_window, m_place, m_scratch);
        if (!bytes) {
            return fail(bytes.error());
        }
        if (!bytes->has_value() || (**bytes).size() < m_place.filled) {
            return damaged(m_source.path, m_place.offset, "the buffer cannot be decompressed");
        }
        m_bytes = **bytes;
        return true;
    }
    [[nodiscard]] const BufferPlace& place() const noexcept { return m_place; }
    /// Header and events, up to `filled`.
    [[nodiscard]] ByteSpan bytes() const noexcept { return m_bytes; }
    [[nodiscard]] ByteSpan events() const noexcept { return m_bytes.subspan(kBufferHeaderSize); }

private:
    Source& m_source;
    FileWindow m_window;
    BufferWalk m_walk;
    BufferPlace m_place;
    ByteSpan m_bytes;
    std::vector<std::byte> m_scratch;
};

/// One recoding from the opened input to a verified file that has no name yet.
class Recoder {
public:
    Recoder(Source& source, Form form, const Progress& progress, std::stop_token stop)
        : m_source(source), m_form(form), m_progress(progress), m_stop(std::move(stop)) {}
    [[nodiscard]] Result<RecodeResult> write(OutputFile& file);
    [[nodiscard]] Status verify(FileSystem& files, const std::string& path);

private:
    [[nodiscard]] Status writeBuffer(BlockWriter& out, const Buffers& buffers);
    [[nodiscard]] std::vector<std::byte> headerBuffer(ByteSpan filled) const;
    [[nodiscard]] Status goOn(std::uint64_t bytesDone);

    Source& m_source;
    Form m_form;
    ProgressMeter m_progress;
    std::stop_token m_stop;
    XpressEncoder m_encoder;
    RecodeResult m_result;
};

/// Bytes are read twice: for writing, and for comparing what was written.
Status Recoder::goOn(std::uint64_t bytesDone) {
    if (m_stop.stop_requested()) {
        return fail(ErrorCode::Cancelled, m_source.path + ": cancelled");
    }
    m_progress.tell(bytesDone, 2 * m_source.file->size());
    return {};
}

std::vector<std::byte> Recoder::headerBuffer(ByteSpan filled) const {
    std::vector<std::byte> buffer(filled.begin(), filled.end());
    auto header = loadAt<BufferHeader>(buffer.data(), 0);
    // The 32-bit layout has the same fields up to the pointers.
    std::byte* const payload = buffer.data() + kBufferHeaderSize + sizeof(etlformat::SystemHeader);
    const auto at = [&](std::size_t offset) { return loadAt<std::uint32_t>(payload, offset); };
    const auto put = [&](std::size_t offset, std::uint32_t value) {
        std::memcpy(payload + offset, &value, sizeof value);
    };
    std::uint32_t mode = at(offsetof(LogfileHeader, logFileMode));
    std::uint32_t format = kFormat20;
    if (m_form == Form::Compressed) {
        mode = (mode & ~etlformat::mode::kSystemLogger) | etlformat::mode::kCompressed | etlformat::mode::kRelog;
        header.bufferSize = static_cast<std::uint32_t>((buffer.size() + kHeaderStep - 1) / kHeaderStep * kHeaderStep);
        header.bufferFlag &= static_cast<std::uint16_t>(~etlformat::buffer_flag::kProcessorIndex);
    } else {
        mode &= ~etlformat::mode::kCompressed;
        header.bufferSize = m_source.header.summary.bufferSize;
        header.bufferFlag |= etlformat::buffer_flag::kProcessorIndex;
        if (header.bufferSize <= kLargestBufferOfFormat1 &&
            m_source.header.summary.numberOfProcessors <= kMostProcessorsOfFormat1) {
            format = kFormat15;
        }
    }
    put(offsetof(LogfileHeader, version), (at(offsetof(LogfileHeader, version)) & kSystemVersion) | format);
    put(offsetof(LogfileHeader, logFileMode), mode);
    put(offsetof(LogfileHeader, buffersWritten), static_cast<std::uint32_t>(m_result.buffers));
    std::memcpy(buffer.data(), &header, sizeof header);
    buffer.resize(header.bufferSize, kUnusedTail);
    return buffer;
}

Status Recoder::writeBuffer(BlockWriter& out, const Buffers& buffers) {
    auto header = loadAt<BufferHeader>(buffers.bytes().data(), 0);
    ByteSpan body = buffers.events();
    std::size_t tail = 0;
    header.bufferFlag &= static_cast<std::uint16_t>(~etlformat::buffer_flag::kCompressed);
    if (m_form == Form::Compressed) {
        const ByteSpan stream = m_encoder.encode(body);
        if (stream.size() < body.size()) {
            body = stream;
            header.bufferFlag |= etlformat::buffer_flag::kCompressed;
            // Of the two ends of the events this one tells how long they are once decompressed.
            header.offset = buffers.place().filled;
        } else {
            ++m_result.buffersKeptPlain;
        }
    } else if (buffers.bytes().size() > m_source.header.summary.bufferSize) {
        return damaged(m_source.path, buffers.place().offset, "a buffer larger than the header says");
    } else {
        tail = m_source.header.summary.bufferSize - buffers.bytes().size();
    }
    header.bufferSize = static_cast<std::uint32_t>(kBufferHeaderSize + body.size() + tail);
    if (auto written = out.append(std::as_bytes(std::span(&header, 1))); !written) {
        return written;
    }
    if (auto written = out.append(body); !written) {
        return written;
    }
    return out.append(tail, kUnusedTail);
}

Result<RecodeResult> Recoder::write(OutputFile& file) {
    Buffers buffers(m_source);
    const auto first = buffers.first();
    if (!first) {
        return fail(first.error());
    }
    const std::vector<std::byte> firstFilled(first->begin(), first->end());
    m_result.bytesBefore = m_source.file->size();
    m_result.buffers = 1;
    BlockWriter out(file);
    // Its final form follows when the buffers are counted; it has the same size.
    const std::size_t firstSize = headerBuffer(firstFilled).size();
    if (firstSize < firstFilled.size()) {
        return damaged(m_source.path, 0, "the first buffer is larger than the header says");
    }
    if (auto written = out.append(firstSize, kUnusedTail); !written) {
        return fail(std::move(written.error()));
    }
    while (true) {
        const auto more = buffers.next();
        if (!more) {
            return fail(more.error());
        }
        if (!*more) {
            break;
        }
        ++m_result.buffers;
        if (auto written = writeBuffer(out, buffers); !written) {
            return fail(std::move(written.error()));
        }
        if (auto going = goOn(buffers.place().offset); !going) {
            return fail(std::move(going.error()));
        }
    }
    if (auto written = out.flush(); !written) {
        return fail(std::move(written.error()));
    }
    if (auto written = file.writeAt(0, headerBuffer(firstFilled)); !written) {
        return fail(std::move(written.error()));
    }
    m_result.bytesAfter = out.size();
    m_result.isWritten = true;
    return m_result;
}

/// Reads both files and compares what a reader sees of them.
Status Recoder::verify(FileSystem& files, const std::string& path) {
    const auto differs = [&](std::uint64_t offset, const char* what) {
        return fail(ErrorCode::VerificationFailed,
                    path + " at " + std::to_string(offset) + " is not as it was written: " + what);
    };
    // Damage of what was just written is no damage of the input.
    const auto unlike = [](Error error) {
        const bool isDamage = error.code == ErrorCode::EtlDamaged || error.code == ErrorCode::NotAnEtl;
        error.code = isDamage ? ErrorCode::VerificationFailed : error.code;
        return fail(std::move(error));
    };
    auto result = Source::open(files, path);
    if (!result) {
        return unlike(std::move(result.error()));
    }
    const HeaderSummary& a = m_source.header.summary;
    const HeaderSummary& b = result->header.summary;
    if (a.startTicks != b.startTicks || a.startTime != b.startTime || a.endTime != b.endTime ||
        a.eventsLost != b.eventsLost || a.buffersLost != b.buffersLost || a.bufferSize != b.bufferSize ||
        a.loggerName != b.loggerName || b.buffersWritten != m_result.buffers) {
        return differs(0, "its header");
    }
    Buffers before(m_source);
    Buffers after(*result);
    if (const auto first = before.first(); !first) {
        return fail(first.error());
    }
    if (const auto first = after.first(); !first) {
        return unlike(first.error());
    }
    while (true) {
        const auto more = before.next();
        if (!more) {
            return fail(more.error());
        }
        const auto moreAfter = after.next();
        if (!moreAfter) {
            return unlike(moreAfter.error());
        }
        if (*more != *moreAfter) {
            return differs(after.place().offset, "the number of its buffers");
        }
        if (!*more) {
            return {};
        }
        const bool isSame = before.place().processor == after.place().processor &&
                            before.place().sequenceNumber == after.place().sequenceNumber &&
                            std::ranges::equal(before.events(), after.events());
        if (!isSame) {
            return differs(after.place().offset, "a buffer");
        }
        if (auto going = goOn(m_source.file->size() + before.place().offset); !going) {
            return going;
        }
    }
}

Result<RecodeResult> recode(FileSystem& files, const RecodeRequest& request, Form form, const Progress& progress,
                            std::stop_token stop) {
    auto source = Source::open(files, request.input);
    if (!source) {
        return fail(std::move(source.error()));
    }
    const HeaderSummary& header = source->header.summary;
    const bool isCompressed = (header.logFileMode & etlformat::mode::kCompressed) != 0;
    if (header.endTime == 0 || header.buffersWritten == 0) {
        return damaged(request.input, 0, "the file was never closed");
    }
    if (isCompressed == (form == Form::Compressed)) {
        RecodeResult nothing;
        nothing.bytesBefore = source->file->size();
        nothing.bytesAfter = nothing.bytesBefore;
        return nothing;
    }
    if (header.bufferSize < kSmallestFirstBuffer || header.bufferSize > kLargestBuffer) {
        return damaged(request.input, 0, "the header has no possible buffer size");
    }
    if (!request.replace) {
        if (auto free = refuseExisting(files, request.output); !free) {
            return fail(std::move(free.error()));
        }
    }
    PartialFile output(files, request.output);
    if (auto created = output.create(); !created) {
        return fail(std::move(created.error()));
    }
    Recoder recoder(*source, form, progress, std::move(stop));
    auto result = recoder.write(output.file());
    if (!result) {
        return result;
    }
    if (auto verified = recoder.verify(files, output.temporaryPath()); !verified) {
        return fail(std::move(verified.error()));
    }
    source->file.reset(); // where the output replaces it
    using Existing = FileSystem::Existing;
    if (auto committed = output.commit(request.replace ? Existing::Replace : Existing::Refuse); !committed) {
        return fail(std::move(committed.error()));
    }
    if (progress) {
        progress(1.0);
    }
    return result;
}

} // namespace

Result<RecodeResult> compress(FileSystem& files, const RecodeRequest& request, const Progress& progress,
                              std::stop_token stop) {
    return recode(files, request, Form::Compressed, progress, std::move(stop));
}

Result<RecodeResult> decompress(FileSystem& files, const RecodeRequest& request, const Progress& progress,
                                std::stop_token stop) {
    return recode(files, request, Form::Plain, progress, std::move(stop));
}

} // namespace tracedeck::etl
