// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// Payloads of the NT kernel's events on files: FileIo {90cbdc39-4a3e-11d1-84f4-0000f80464e3}.
///
/// A FileKey stands for a file, whose name the name events tell, as long as it is in use; a FileObject for one opening
/// of it; an Irp joins an operation to its OperationEnd.
///
/// Sources: the MOF classes of the kernel's providers (version 3; names are of version 2), checked field by field on
/// files that Windows wrote where those hold the events (names).
namespace tracedeck::etlformat {

namespace hook {
constexpr std::uint16_t kFileName = 0x0400;
constexpr std::uint16_t kFileNameCreate = 0x0420;
constexpr std::uint16_t kFileNameDelete = 0x0423;
constexpr std::uint16_t kFileNameRundown = 0x0424;
constexpr std::uint16_t kFileCreate = 0x0440;
constexpr std::uint16_t kFileCleanup = 0x0441;
constexpr std::uint16_t kFileClose = 0x0442;
constexpr std::uint16_t kFileRead = 0x0443;
constexpr std::uint16_t kFileWrite = 0x0444;
constexpr std::uint16_t kFileSetInfo = 0x0445;
constexpr std::uint16_t kFileDelete = 0x0446;
constexpr std::uint16_t kFileRename = 0x0447;
constexpr std::uint16_t kFileDirEnum = 0x0448;
constexpr std::uint16_t kFileFlush = 0x0449;
constexpr std::uint16_t kFileQueryInfo = 0x044A;
constexpr std::uint16_t kFileOperationEnd = 0x044C;
} // namespace hook

namespace event_version {
constexpr std::uint16_t kFileIo = 3;
constexpr std::uint16_t kFileName = 2;
} // namespace event_version

#pragma pack(push, 4) // the kernel writes these without the padding at their ends
/// 0x0440; OpenPath follows, zero-terminated UTF-16.
struct FileCreatePayload {
    std::uint64_t irp = 0;
    std::uint64_t fileObject = 0;
    std::uint32_t threadId = 0;
    std::uint32_t createOptions = 0; ///< FILE_* options of NtCreateFile, above them its disposition (bits 24 to 31)
    std::uint32_t fileAttributes = 0;
    std::uint32_t shareAccess = 0;
};
static_assert(sizeof(FileCreatePayload) == 32);

/// 0x0441, 0x0442, 0x0449.
struct FileSimplePayload {
    std::uint64_t irp = 0;
    std::uint64_t fileObject = 0;
    std::uint64_t fileKey = 0;
    std::uint32_t threadId = 0;
};
static_assert(sizeof(FileSimplePayload) == 28);

/// 0x0443, 0x0444.
struct FileTransferPayload {
    std::uint64_t offset = 0; ///< in the file, bytes
    std::uint64_t irp = 0;
    std::uint64_t fileObject = 0;
    std::uint64_t fileKey = 0;
    std::uint32_t threadId = 0;
    std::uint32_t ioSize = 0; ///< bytes asked for
    std::uint32_t ioFlags = 0;
};
static_assert(sizeof(FileTransferPayload) == 44);

/// 0x0445, 0x0446, 0x0447, 0x044A.
struct FileInfoPayload {
    std::uint64_t irp = 0;
    std::uint64_t fileObject = 0;
    std::uint64_t fileKey = 0;
    std::uint64_t extraInfo = 0;
    std::uint32_t threadId = 0;
    std::uint32_t infoClass = 0; ///< FILE_INFORMATION_CLASS
};
static_assert(sizeof(FileInfoPayload) == 40);

/// 0x0448; the pattern that names are to match follows, zero-terminated UTF-16.
struct FileDirEnumPayload {
    std::uint64_t irp = 0;
    std::uint64_t fileObject = 0;
    std::uint64_t fileKey = 0;
    std::uint32_t threadId = 0;
    std::uint32_t length = 0;    ///< room for names, bytes
    std::uint32_t infoClass = 0; ///< FILE_INFORMATION_CLASS
    std::uint32_t fileIndex = 0;
};
static_assert(sizeof(FileDirEnumPayload) == 40);

/// 0x044C: an operation has ended.
struct FileOperationEndPayload {
    std::uint64_t irp = 0;
    std::uint64_t extraInfo = 0; ///< bytes moved, of Read and Write
    std::uint32_t ntStatus = 0;
};
static_assert(sizeof(FileOperationEndPayload) == 20);
#pragma pack(pop)

/// 0x0400, 0x0420, 0x0423, 0x0424; the name follows, zero-terminated UTF-16.
struct FileNamePayload {
    std::uint64_t fileKey = 0; ///< "FileObject" in the class
};
static_assert(sizeof(FileNamePayload) == 8);

} // namespace tracedeck::etlformat
