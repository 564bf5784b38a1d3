// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/base/result.h"
#include "core/etl/progress.h"

#include <cstdint>
#include <stop_token>
#include <string>

namespace tracedeck::etl {

struct RecodeRequest {
    std::string input;
    std::string output;   ///< may be the input with `replace`
    bool replace = false; ///< what has the output's name
};

struct RecodeResult {
    bool isWritten = false; ///< false: the file is in the wanted form already, and nothing was written
    std::uint64_t buffers = 0;
    std::uint64_t buffersKeptPlain = 0; ///< compress(): they would have grown
    std::uint64_t bytesBefore = 0;
    std::uint64_t bytesAfter = 0;
};

/// Writes a closed file with each buffer compressed, in the form that merged files of Windows have: format 2.0, mode
/// COMPRESSED and RELOG and without SYSTEM_LOGGER, header buffer plain and as long as it is filled (in steps of 512
/// bytes), flag 0x40 on the others, one behind the other at any offset. A buffer that would grow is kept plain. Buffers
/// keep their order, numbers, times and processors.
///
/// The result is written under a temporary name, read back and compared with the input buffer by buffer, and only then
/// gets its name. Memory is that of a few buffers.
/// Errors: NotAnEtl; EtlDamaged with the offset where a buffer is damaged or the file was never closed (see repair.h);
/// FileExists, DiskFull and those of reading; VerificationFailed; Cancelled when `stop` is requested. After an error
/// nothing is left behind; the input is never touched.
[[nodiscard]] Result<RecodeResult> compress(FileSystem& files, const RecodeRequest& request,
                                            const Progress& progress = {}, std::stop_token stop = {});

/// The opposite: every buffer plain and of one size, that of the header; format 1.5 where it fits, mode without
/// COMPRESSED. The same guarantees and errors. EtlDamaged too where a buffer is larger than the header says.
[[nodiscard]] Result<RecodeResult> decompress(FileSystem& files, const RecodeRequest& request,
                                              const Progress& progress = {}, std::stop_token stop = {});

} // namespace tracedeck::etl
