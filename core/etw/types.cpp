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

std::string_view toString(ClockType clock) noexcept {
    switch (clock) {
    case ClockType::Qpc:
        return "Qpc";
    case ClockType::SystemTime:
        return "SystemTime";
    case ClockType::CpuCycle:
        return "CpuCycle";
    }
    return "Qpc";
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
    case LimitationCode::FeatureNotServed:
        return "FeatureNotServed";
    case LimitationCode::ProcessorsUnrecorded:
        return "ProcessorsUnrecorded";
    case LimitationCode::RingNotShared:
        return "RingNotShared";
    }
    return "NoPerfEvents";
}

std::string_view toString(Feature feature) noexcept {
    switch (feature) {
    case Feature::EventFilters:
        return "EventFilters";
    case Feature::ProcessFilters:
        return "ProcessFilters";
    case Feature::CaptureState:
        return "CaptureState";
    case Feature::EnableProperties:
        return "EnableProperties";
    case Feature::ClassicStacks:
        return "ClassicStacks";
    case Feature::SystemCaptureState:
        return "SystemCaptureState";
    case Feature::StackCaching:
        return "StackCaching";
    case Feature::PoolTags:
        return "PoolTags";
    case Feature::FlushThreshold:
        return "FlushThreshold";
    case Feature::HardwareCounters:
        return "HardwareCounters";
    case Feature::RealTimeSessions:
        return "RealTimeSessions";
    case Feature::PrivateSessions:
        return "PrivateSessions";
    case Feature::SecureSessions:
        return "SecureSessions";
    case Feature::HeapSessions:
        return "HeapSessions";
    case Feature::HypervisorSessions:
        return "HypervisorSessions";
    case Feature::CircularFiles:
        return "CircularFiles";
    case Feature::CompressedFiles:
        return "CompressedFiles";
    }
    return "EventFilters";
}

} // namespace tracedeck::etw
