// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace tracedeck {

/// What went wrong, for programs. Texts for people are kept by the applications, one per code.
enum class ErrorCode : std::uint16_t {
    // anywhere
    InvalidArgument,
    NotSupported,
    Cancelled,
    OutOfMemory,
    Internal,
    TimedOut, ///< it was asked for; whether it still happens is not known
    // files
    FileNotFound,
    FolderNotFound,
    FileExists,
    AccessDenied,
    DiskFull,
    ReadFailed,
    WriteFailed,
    // profiles
    ProfileMalformed,
    ProfileInvalid,
    ProfileUnknown,
    ProfileVariantMissing,
    NothingToRecord,
    StrictRefused,
    // sessions
    SessionNameTaken,
    SessionUnknown,
    SessionLimit,
    SessionBadParameters,
    ProviderUnknown,
    HostUnreachable, ///< no process that keeps sessions answers, or it has gone
    // kernel source
    KernelEventsRefused,
    KernelSourceBusy,
    KernelSourceFailed,
    // .etl files
    NotAnEtl,
    EtlDamaged,
    VerificationFailed,
    // recorder
    WrongState,
};

/// The code's name as it is spelled above: "DiskFull". Stable, to be copied into a report.
std::string_view toString(ErrorCode code) noexcept;

/// An error as a value.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string detail;       ///< English, for the log and the line of evidence: the object and the failing call.
    std::uint32_t native = 0; ///< errno, Win32 code or HRESULT; 0 where there is none.

    friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string detail, std::uint32_t native = 0) {
    return tl::unexpected<Error>(Error{code, std::move(detail), native});
}
[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
    return tl::unexpected<Error>(std::move(error));
}

/// The error of a failed call that set errno: ENOSPC and EFBIG (a limit on the size of files, told by `native`) become
/// DiskFull, EACCES and EPERM AccessDenied, ENOENT FileNotFound, EEXIST FileExists, ENOMEM OutOfMemory, ENAMETOOLONG
/// InvalidArgument, anything else `otherwise`. `what` names call and object.
[[nodiscard]] Error errnoError(int errnoValue, std::string what, ErrorCode otherwise = ErrorCode::Internal);

} // namespace tracedeck
