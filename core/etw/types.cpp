// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/types.h"

namespace tracedeck::etw {

std::string_view toString(LossCause cause) noexcept {
    switch (cause) {
    case LossCause::NoFreeBuffer:
        return "NoFreeBuffer";
    case LossCause::EventTooLarge:
        return "EventTooLarge";
    case LossCause::SourceOverflow:
        return "SourceOverflow";
    case LossCause::SourceThrottled:
        return "SourceThrottled";
    case LossCause::TooLate:
        return "TooLate";
    case LossCause::DiskFull:
        return "DiskFull";
    case LossCause::WriteFailed:
        return "WriteFailed";
    }
    return "NoFreeBuffer";
}

std::string_view toString(LimitationCode code) noexcept {
    switch (code) {
    case LimitationCode::PerfEventParanoid:
        return "PerfEventParanoid";
    case LimitationCode::NoPerfEvents:
        return "NoPerfEvents";
    case LimitationCode::NoTracefs:
        return "NoTracefs";
    case LimitationCode::MlockLimit:
        return "MlockLimit";
    case LimitationCode::KernelPointersHidden:
        return "KernelPointersHidden";
    case LimitationCode::ProcUnreadable:
        return "ProcUnreadable";
    case LimitationCode::ShortStacks:
        return "ShortStacks";
    case LimitationCode::KeywordNotOnThisPlatform:
        return "KeywordNotOnThisPlatform";
    case LimitationCode::KeywordNotServed:
        return "KeywordNotServed";
    case LimitationCode::StackNotServed:
        return "StackNotServed";
    case LimitationCode::ProviderNotOnThisPlatform:
        return "ProviderNotOnThisPlatform";
    case LimitationCode::ProfilerTimerCoarse:
        return "ProfilerTimerCoarse";
    case LimitationCode::NotElevated:
        return "NotElevated";
    case LimitationCode::ImageUnloadUnseen:
        return "ImageUnloadUnseen";
    case LimitationCode::EventsUnreported:
        return "EventsUnreported";
    case LimitationCode::PidNamespace:
        return "PidNamespace";
    case LimitationCode::DescriptorLimit:
        return "DescriptorLimit";
    case LimitationCode::ImageFilesUntouched:
        return "ImageFilesUntouched";
    }
    return "NoPerfEvents";
}

} // namespace tracedeck::etw
