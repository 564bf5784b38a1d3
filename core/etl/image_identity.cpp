// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/image_identity.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tracedeck::etl {
namespace {

constexpr std::size_t kMostSections = 96;
constexpr std::size_t kMostDebugEntries = 64;
constexpr std::size_t kMostProgramHeaders = 256;
constexpr std::size_t kLongestNotes = 4096;
constexpr std::size_t kLongestName = 1024;

/// Reads of a file whose offsets are what the file says: what is not there is no error.
class Reader {
public:
    explicit Reader(InputFile& file) : m_file(file) {}
    /// All of `into`, or false.
    bool read(std::uint64_t offset, std::span<std::byte> into) {
        if (m_error || offset > m_file.size() || into.size() > m_file.size() - offset) {
            return false;
        }
        const auto got = m_file.readAt(offset, into);
        if (!got) {
            m_error = got.error();
            return false;
        }
        return *got == into.size();
    }
    template <class T>
    std::optional<T> value(std::uint64_t offset) {
        T result{};
        return read(offset, std::as_writable_bytes(std::span(&result, 1))) ? std::optional(result) : std::nullopt;
    }
    [[nodiscard]] std::uint64_t size() const noexcept { return m_file.size(); }
    [[nodiscard]] const std::optional<Error>& error() const noexcept { return m_error; }

private:
    InputFile& m_file;
    std::optional<Error> m_error;
};

/// IMAGE_FILE_HEADER behind "PE\0\0".
struct PeHeader {
    std::uint32_t signature = 0;
    std::uint16_t machine = 0;
    std::uint16_t sections = 0;
    std::uint32_t timeDateStamp = 0;
    std::uint32_t symbolTable = 0;
    std::uint32_t symbols = 0;
    std::uint16_t optionalSize = 0;
    std::uint16_t characteristics = 0;
};
static_assert(sizeof(PeHeader) == 24);

/// IMAGE_SECTION_HEADER.
struct PeSection {
    char name[8] = {};
    std::uint32_t virtualSize = 0;
    std::uint32_t virtualAddress = 0;
    std::uint32_t rawSize = 0;
    std::uint32_t rawOffset = 0;
    std::uint32_t unused[4] = {};
};
static_assert(sizeof(PeSection) == 40);

/// IMAGE_DEBUG_DIRECTORY.
struct PeDebugEntry {
    std::uint32_t characteristics = 0;
    std::uint32_t timeDateStamp = 0;
    std::uint32_t version = 0;
    std::uint32_t type = 0;
    std::uint32_t dataSize = 0;
    std::uint32_t dataAddress = 0;
    std::uint32_t dataOffset = 0;
};
static_assert(sizeof(PeDebugEntry) == 28);

struct CodeView {
    std::uint32_t signature = 0;
    Guid guid;
    std::uint32_t age = 0;
};
static_assert(sizeof(CodeView) == 24);

std::optional<std::uint64_t> offsetOfAddress(Reader& reader, std::uint64_t sectionsAt, std::uint16_t sections,
                                             std::uint32_t address) {
    for (std::uint16_t i = 0; i < std::min<std::size_t>(sections, kMostSections); ++i) {
        const auto section = reader.value<PeSection>(sectionsAt + i * sizeof(PeSection));
        if (section && address >= section->virtualAddress && address - section->virtualAddress < section->rawSize) {
            return std::uint64_t{section->rawOffset} + (address - section->virtualAddress);
        }
    }
    return std::nullopt;
}

std::optional<ImageIdentity::Symbols> readCodeView(Reader& reader, const PeDebugEntry& entry) {
    constexpr std::uint32_t kRsds = 0x53445352;
    const auto head = reader.value<CodeView>(entry.dataOffset);
    if (!head || head->signature != kRsds || entry.dataSize < sizeof(CodeView)) {
        return std::nullopt;
    }
    std::string name(std::min<std::size_t>(entry.dataSize - sizeof(CodeView), kLongestName), '\0');
    if (!reader.read(std::uint64_t{entry.dataOffset} + sizeof(CodeView), std::as_writable_bytes(std::span(name)))) {
        return std::nullopt;
    }
    name.resize(std::min(name.find('\0'), name.size()));
    return ImageIdentity::Symbols{head->guid, head->age, std::move(name)};
}

std::optional<ImageIdentity> readPe(Reader& reader) {
    constexpr std::uint32_t kSignature = 0x00004550;
    constexpr std::uint16_t kPe32 = 0x10B;
    constexpr std::uint16_t kPe32Plus = 0x20B;
    constexpr std::uint32_t kDebugDirectory = 6;
    constexpr std::uint32_t kCodeView = 2;
    const auto at = reader.value<std::uint32_t>(0x3C);
    const auto header = at ? reader.value<PeHeader>(*at) : std::nullopt;
    if (!header || header->signature != kSignature) {
        return std::nullopt;
    }
    const std::uint64_t optional = std::uint64_t{*at} + sizeof(PeHeader);
    const auto magic = reader.value<std::uint16_t>(optional);
    const auto sizeOfImage = reader.value<std::uint32_t>(optional + 56);
    if (!magic || !sizeOfImage || (*magic != kPe32 && *magic != kPe32Plus)) {
        return std::nullopt;
    }
    ImageIdentity identity;
    identity.timeDateStamp = header->timeDateStamp;
    identity.sizeOfImage = *sizeOfImage;
    const std::uint64_t countAt = optional + (*magic == kPe32 ? 92 : 108);
    const std::uint64_t directory = countAt + 4 + 8 * kDebugDirectory;
    const auto directories = reader.value<std::uint32_t>(countAt);
    const auto address = reader.value<std::uint32_t>(directory);
    const auto size = reader.value<std::uint32_t>(directory + 4);
    if (!directories || *directories <= kDebugDirectory || !address || !size) {
        return identity;
    }
    const auto entries = offsetOfAddress(reader, optional + header->optionalSize, header->sections, *address);
    const std::size_t count = std::min<std::size_t>(*size / sizeof(PeDebugEntry), kMostDebugEntries);
    for (std::size_t i = 0; entries && i < count && !identity.symbols; ++i) {
        const auto entry = reader.value<PeDebugEntry>(*entries + i * sizeof(PeDebugEntry));
        if (entry && entry->type == kCodeView) {
            identity.symbols = readCodeView(reader, *entry);
        }
    }
    return identity;
}

/// What the two classes of ELF say of their program headers.
struct ElfProgram {
    std::uint32_t type = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

std::optional<ElfProgram> readProgram(Reader& reader, bool is64, std::uint64_t at) {
    const auto type = reader.value<std::uint32_t>(at);
    if (!type) {
        return std::nullopt;
    }
    if (is64) {
        const auto offset = reader.value<std::uint64_t>(at + 8);
        const auto size = reader.value<std::uint64_t>(at + 32);
        return offset && size ? std::optional(ElfProgram{*type, *offset, *size}) : std::nullopt;
    }
    const auto offset = reader.value<std::uint32_t>(at + 4);
    const auto size = reader.value<std::uint32_t>(at + 16);
    return offset && size ? std::optional(ElfProgram{*type, *offset, *size}) : std::nullopt;
}

std::span<const std::byte> buildIdIn(std::span<const std::byte> notes) {
    constexpr std::uint32_t kBuildId = 3;
    constexpr std::size_t kHead = 12;
    const auto aligned = [](std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; };
    while (notes.size() >= kHead) {
        const std::uint64_t nameSize = loadAt<std::uint32_t>(notes.data(), 0);
        const std::uint64_t dataSize = loadAt<std::uint32_t>(notes.data(), 4);
        const std::uint64_t dataAt = kHead + aligned(nameSize);
        if (dataAt + dataSize > notes.size()) {
            return {};
        }
        if (loadAt<std::uint32_t>(notes.data(), 8) == kBuildId && nameSize == 4 &&
            std::memcmp(notes.data() + kHead, "GNU", 4) == 0) {
            return notes.subspan(static_cast<std::size_t>(dataAt), static_cast<std::size_t>(dataSize));
        }
        notes =
            notes.subspan(static_cast<std::size_t>(std::min<std::uint64_t>(dataAt + aligned(dataSize), notes.size())));
    }
    return {};
}

ImageIdentity::Symbols symbolsOf(std::span<const std::byte> buildId) {
    constexpr char kDigits[] = "0123456789abcdef";
    ImageIdentity::Symbols symbols;
    std::memcpy(symbols.guid.bytes.data(), buildId.data(), std::min(buildId.size(), symbols.guid.bytes.size()));
    symbols.file = "/usr/lib/debug/.build-id/";
    for (std::size_t i = 0; i < buildId.size(); ++i) {
        const auto byte = std::to_integer<unsigned>(buildId[i]);
        symbols.file += kDigits[byte >> 4U];
        symbols.file += kDigits[byte & 0xFU];
        symbols.file += i == 0 ? "/" : "";
    }
    symbols.file += ".debug";
    return symbols;
}

std::optional<ImageIdentity> readElf(Reader& reader) {
    constexpr std::uint8_t kLittleEndian = 1;
    constexpr std::uint32_t kNote = 4;
    constexpr std::size_t kLongestBuildId = 64;
    const auto elfClass = reader.value<std::uint8_t>(4);
    const auto order = reader.value<std::uint8_t>(5);
    if (!elfClass || order != kLittleEndian || (*elfClass != 1 && *elfClass != 2)) {
        return std::nullopt;
    }
    const bool is64 = *elfClass == 2;
    const std::uint64_t programs =
        is64 ? reader.value<std::uint64_t>(32).value_or(0) : reader.value<std::uint32_t>(28).value_or(0);
    const auto size = reader.value<std::uint16_t>(is64 ? 54 : 42);
    const auto count = reader.value<std::uint16_t>(is64 ? 56 : 44);
    if (programs == 0 || !size || !count || *size != (is64 ? 56 : 32) || programs > reader.size()) {
        return std::nullopt;
    }
    ImageIdentity identity;
    for (std::size_t i = 0; i < std::min<std::size_t>(*count, kMostProgramHeaders) && !identity.symbols; ++i) {
        const auto program = readProgram(reader, is64, programs + i * *size);
        if (!program || program->type != kNote || program->size > kLongestNotes) {
            continue;
        }
        std::vector<std::byte> notes(static_cast<std::size_t>(program->size));
        if (reader.read(program->offset, notes)) {
            const auto buildId = buildIdIn(notes);
            if (!buildId.empty() && buildId.size() <= kLongestBuildId) {
                identity.symbols = symbolsOf(buildId);
            }
        }
    }
    return identity;
}

} // namespace

Result<std::optional<ImageIdentity>> readImageIdentity(InputFile& file) {
    Reader reader(file);
    const auto begin = reader.value<std::array<char, 4>>(0);
    std::optional<ImageIdentity> identity;
    if (begin && std::memcmp(begin->data(), "MZ", 2) == 0) {
        identity = readPe(reader);
    } else if (begin && std::memcmp(begin->data(), "\177ELF", 4) == 0) {
        identity = readElf(reader);
    }
    if (reader.error()) {
        return fail(*reader.error());
    }
    return identity;
}

} // namespace tracedeck::etl
