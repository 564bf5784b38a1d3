// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf.h"
#include "core/etl/image_identity.h"
#include "core/etlformat/encode.h"
#include "core/etlformat/hooks.h"
#include "core/etlformat/layout.h"

namespace tracedeck::etl {
namespace {

using etlformat::ByteWriter;
using etlformat::FullHeader;

constexpr std::size_t kMostKnown = 65536;
constexpr std::size_t kLongestPath = 4096;
constexpr std::uint16_t kVersion = 2;
constexpr std::uint8_t kInfo = 0;
constexpr std::uint8_t kDbgIdRsds = 36;

/// What of Image_Load versions 2 and 3 is needed.
struct Image {
    std::uint64_t base = 0;
    std::uint64_t size = 0;
    std::uint32_t processId = 0;
    std::uint32_t timeDateStamp = 0;
    std::string path;
};

std::optional<Image> readImage(const EventView& event) {
    constexpr std::size_t kName = 56;
    const std::span<const std::byte> payload = event.payload();
    const auto version = loadAt<std::uint16_t>(event.data, 0);
    const bool isImage = event.hasHook() && (event.hookId == etlformat::hook::kImageLoad ||
                                             event.hookId == etlformat::hook::kImageDcStart);
    if (!isImage || payload.size() < kName || (version != 2 && version != 3)) {
        return std::nullopt;
    }
    Image image;
    image.base = loadAt<std::uint64_t>(payload.data(), 0);
    image.size = loadAt<std::uint64_t>(payload.data(), 8);
    image.processId = loadAt<std::uint32_t>(payload.data(), 16);
    image.timeDateStamp = loadAt<std::uint32_t>(payload.data(), 24);
    std::u16string path;
    for (std::size_t at = kName; at + sizeof(char16_t) <= payload.size() && path.size() < kLongestPath;
         at += sizeof(char16_t)) {
        const auto unit = loadAt<char16_t>(payload.data(), at);
        if (unit == 0) {
            break;
        }
        path += unit;
    }
    image.path = toUtf8(path);
    return image;
}

std::vector<std::byte> idEvent(const EventView& event, const Image& image, std::uint8_t opcode,
                               const std::vector<std::byte>& payload) {
    static const Guid kImageId = *parseGuid("b3e675d7-2554-4f18-830b-2762732560de");
    FullHeader header;
    header.size = static_cast<std::uint16_t>(sizeof header + payload.size());
    header.type = opcode;
    header.version = kVersion;
    header.timeStamp = event.time;
    header.classGuid = kImageId;
    if (event.kind == EventKind::Perfinfo) {
        header.threadId = 0xFFFFFFFF;
        header.processId = image.processId;
    } else {
        header.threadId = loadAt<std::uint32_t>(event.data, 8);
        header.processId = loadAt<std::uint32_t>(event.data, 12);
    }
    std::vector<std::byte> bytes;
    ByteWriter out(bytes);
    out.put(header);
    out.bytes(payload);
    return bytes;
}

bool isAbsolute(const std::string& path) {
    const bool hasDrive = path.size() > 2 && path[1] == ':' && path[2] == '\\';
    return path.starts_with('/') || hasDrive;
}

} // namespace

const std::optional<ImageIdentity>& ImageIdentities::identityOf(const std::string& path) {
    const auto known = m_known.find(path);
    if (known != m_known.end()) {
        return known->second;
    }
    if (m_known.size() >= kMostKnown) {
        return m_none;
    }
    std::optional<ImageIdentity> identity;
    auto file = m_files.open(path);
    auto read = file ? readImageIdentity(**file) : Result<std::optional<ImageIdentity>>(fail(file.error()));
    if (read) {
        identity = std::move(*read);
    } else {
        ++m_unread;
    }
    return m_known.emplace(path, std::move(identity)).first->second;
}

std::vector<std::vector<std::byte>> ImageIdentities::eventsBefore(const EventView& event) {
    const auto image = readImage(event);
    if (!image || !isAbsolute(image->path)) {
        return {};
    }
    const std::optional<ImageIdentity>& identity = identityOf(image->path);
    if (!identity) {
        return {};
    }
    std::vector<std::vector<std::byte>> events;
    std::vector<std::byte> payload;
    ByteWriter info(payload);
    info.put(image->base);
    info.put(image->size);
    info.put(image->processId);
    info.put(identity->timeDateStamp != 0 ? identity->timeDateStamp : image->timeDateStamp);
    info.wideString(image->path.substr(image->path.find_last_of("/\\") + 1));
    events.push_back(idEvent(event, *image, kInfo, payload));
    if (identity->symbols) {
        payload.clear();
        ByteWriter symbols(payload);
        symbols.put(image->base);
        symbols.put(image->processId);
        symbols.put(identity->symbols->guid);
        symbols.put(identity->symbols->age);
        symbols.narrowString(identity->symbols->file);
        events.push_back(idEvent(event, *image, kDbgIdRsds, payload));
    }
    return events;
}

} // namespace tracedeck::etl
