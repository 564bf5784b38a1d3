// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"

#include <cerrno>
#include <system_error>

namespace tracedeck {

std::string_view toString(ErrorCode code) noexcept {
    switch (code) {
    case ErrorCode::InvalidArgument:
        return "InvalidArgument";
    case ErrorCode::NotSupported:
        return "NotSupported";
    case ErrorCode::Cancelled:
        return "Cancelled";
    case ErrorCode::OutOfMemory:
        return "OutOfMemory";
    case ErrorCode::TimedOut:
        return "TimedOut";
    case ErrorCode::Internal:
        return "Internal";
    case ErrorCode::FileNotFound:
        return "FileNotFound";
    case ErrorCode::FolderNotFound:
        return "FolderNotFound";
    case ErrorCode::FileExists:
        return "FileExists";
    case ErrorCode::AccessDenied:
        return "AccessDenied";
    case ErrorCode::DiskFull:
        return "DiskFull";
    case ErrorCode::ReadFailed:
        return "ReadFailed";
    case ErrorCode::WriteFailed:
        return "WriteFailed";
    case ErrorCode::ProfileMalformed:
        return "ProfileMalformed";
    case ErrorCode::ProfileInvalid:
        return "ProfileInvalid";
    case ErrorCode::ProfileUnknown:
        return "ProfileUnknown";
    case ErrorCode::ProfileVariantMissing:
        return "ProfileVariantMissing";
    case ErrorCode::StrictRefused:
        return "StrictRefused";
    case ErrorCode::NothingToRecord:
        return "NothingToRecord";
    case ErrorCode::SessionNameTaken:
        return "SessionNameTaken";
    case ErrorCode::SessionUnknown:
        return "SessionUnknown";
    case ErrorCode::SessionLimit:
        return "SessionLimit";
    case ErrorCode::SessionBadParameters:
        return "SessionBadParameters";
    case ErrorCode::ProviderUnknown:
        return "ProviderUnknown";
    case ErrorCode::HostUnreachable:
        return "HostUnreachable";
    case ErrorCode::KernelEventsRefused:
        return "KernelEventsRefused";
    case ErrorCode::KernelSourceBusy:
        return "KernelSourceBusy";
    case ErrorCode::KernelSourceFailed:
        return "KernelSourceFailed";
    case ErrorCode::NotAnEtl:
        return "NotAnEtl";
    case ErrorCode::EtlDamaged:
        return "EtlDamaged";
    case ErrorCode::VerificationFailed:
        return "VerificationFailed";
    case ErrorCode::WrongState:
        return "WrongState";
    }
    return "Internal";
}

Error errnoError(int errnoValue, std::string what, ErrorCode otherwise) {
    ErrorCode code = otherwise;
    switch (errnoValue) {
    case ENOSPC:
    case EFBIG: // a limit on the size of files
#ifdef EDQUOT
    case EDQUOT:
#endif
        code = ErrorCode::DiskFull;
        break;
    case EACCES:
    case EPERM:
    case EROFS:
        code = ErrorCode::AccessDenied;
        break;
    case ENOENT:
    case ENOTDIR:
        code = ErrorCode::FileNotFound;
        break;
    case EEXIST:
        code = ErrorCode::FileExists;
        break;
    case ENOMEM:
        code = ErrorCode::OutOfMemory;
        break;
    case ENAMETOOLONG:
        code = ErrorCode::InvalidArgument;
        break;
    default:
        break;
    }
    what += ": ";
    what += std::generic_category().message(errnoValue);
    return Error{code, std::move(what), static_cast<std::uint32_t>(errnoValue)};
}

} // namespace tracedeck
