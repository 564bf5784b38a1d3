// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/buffering.h"

#include <algorithm>
#include <cmath>

namespace tracedeck::plan {

namespace {

constexpr double kDefaultSizeKib = 128;
constexpr double kDefaultCount = 64;
constexpr std::uint32_t kSmallSizeKib = 64;
constexpr std::uint32_t kSmallCount = 16;
constexpr std::uint64_t kMostBuffers = 1U << 24U; // keeps every product below in 64 bits

std::uint32_t atLeastTwoPerProcessor(std::uint64_t count, std::uint32_t numberOfProcessors) {
    const std::uint64_t least = std::uint64_t{2} * std::max(numberOfProcessors, 1U);
    return static_cast<std::uint32_t>(std::min(std::max(count, least), kMostBuffers));
}

void report(std::vector<Diagnostic>& diagnostics, Severity severity, const std::string& profile, std::string object,
            std::string detail) {
    diagnostics.push_back({severity, profile, std::move(object), std::nullopt, std::move(detail)});
}

/// 0 is no value.
void takeSmaller(std::uint64_t& value, const std::optional<profile::Quantity>& own) {
    if (own && own->value >= 1) {
        const auto count = static_cast<std::uint64_t>(own->value);
        value = value == 0 ? count : std::min(value, count);
    }
}

std::string sizeText(double kib) {
    return std::to_string(static_cast<std::uint64_t>(kib)) + " KB";
}

} // namespace

void SessionBuffers::add(const profile::BufferSettings& settings, const etw::Capabilities& capabilities,
                         const std::string& owner, const std::string& profile, std::vector<Diagnostic>& diagnostics) {
    const double asked = settings.bufferSizeKib ? settings.bufferSizeKib->value : kDefaultSizeKib;
    const double clamped = std::clamp(asked, double{etw::kSmallestBufferKib}, double{etw::kLargestBufferKib});
    if (clamped != asked) {
        report(diagnostics, Severity::Warning, profile, owner,
               "buffer size " + sizeText(asked) + (clamped > asked ? " raised to " : " reduced to ") +
                   sizeText(clamped));
    }
    const auto sizeKib = static_cast<std::uint32_t>(clamped);
    double count = settings.buffers ? settings.buffers->value : kDefaultCount;
    if (settings.buffersPerProcessor) {
        count = settings.buffersPerProcessor->value * std::max(capabilities.numberOfProcessors, 1U);
    } else if (settings.buffers && settings.buffers->isPercentageOfTotalMemory) {
        if (capabilities.physicalMemory.count == 0) {
            report(diagnostics, Severity::Warning, profile, owner,
                   "the size of physical memory is not known: 64 buffers instead of a percentage of it");
            count = kDefaultCount;
        } else {
            double bytes = static_cast<double>(capabilities.physicalMemory.count) * std::min(count, 100.0) / 100.0;
            if (settings.buffers->maximumBufferSpaceMib) {
                bytes = std::min(bytes, static_cast<double>(*settings.buffers->maximumBufferSpaceMib) * 1024 * 1024);
            }
            count = std::floor(bytes / (double{1024} * sizeKib));
        }
    } else if (count != std::floor(count)) {
        report(diagnostics, Severity::Warning, profile, owner, "a fraction of a buffer is left out");
    }
    if (settings.stackCaching) {
        etw::StackCaching& caching = m_stackCaching ? *m_stackCaching : m_stackCaching.emplace();
        caching.bucketCount = std::max(caching.bucketCount, settings.stackCaching->bucketCount);
        caching.cacheSizeKib = std::max(caching.cacheSizeKib, settings.stackCaching->cacheSizeKib);
    }
    takeSmaller(m_flushTimerSeconds, settings.flushTimerSeconds);
    takeSmaller(m_flushThreshold, settings.flushThreshold);
    m_sizeKib = std::max(m_sizeKib, sizeKib);
    m_count += static_cast<std::uint64_t>(std::min(std::floor(count), static_cast<double>(kMostBuffers)));
}

void SessionBuffers::applyTo(etw::SessionConfig& config, std::uint32_t numberOfProcessors,
                             std::vector<Diagnostic>& diagnostics) const {
    const std::uint32_t count = atLeastTwoPerProcessor(m_count, numberOfProcessors);
    if (count > m_count) {
        report(diagnostics, Severity::Note, {}, "session " + config.name,
               std::to_string(m_count) + " buffers raised to two per processor: " + std::to_string(count));
    }
    config.bufferSizeKib = m_sizeKib;
    config.minimumBuffers = count;
    config.maximumBuffers = count;
    config.stackCaching = m_stackCaching;
    config.flushTimer = std::chrono::seconds(m_flushTimerSeconds);
    config.flushThreshold = static_cast<std::uint32_t>(std::min<std::uint64_t>(m_flushThreshold, UINT32_MAX));
}

void roundToProcessors(etw::SessionConfig& config, std::uint32_t numberOfProcessors) {
    const std::uint32_t processors = std::max(numberOfProcessors, 1U);
    config.maximumBuffers = (config.maximumBuffers + processors - 1) / processors * processors;
    config.minimumBuffers = config.maximumBuffers;
}

void setSmallBuffers(etw::SessionConfig& config, std::uint32_t numberOfProcessors) {
    config.bufferSizeKib = kSmallSizeKib;
    config.minimumBuffers = atLeastTwoPerProcessor(kSmallCount, numberOfProcessors);
    config.maximumBuffers = config.minimumBuffers;
}

void limitToHalfOfMemory(std::vector<PlannedSession>& sessions, const etw::Capabilities& capabilities,
                         std::vector<Diagnostic>& diagnostics) {
    const auto bytesOf = [](const etw::SessionConfig& config) {
        return kib(config.bufferSizeKib).count * config.maximumBuffers;
    };
    const std::uint32_t smallCount = atLeastTwoPerProcessor(kSmallCount, capabilities.numberOfProcessors);
    const auto isSmall = [&](const etw::SessionConfig& config) {
        return config.bufferSizeKib == kSmallSizeKib && config.maximumBuffers <= smallCount;
    };
    const std::uint64_t allowed = capabilities.physicalMemory.count / 2;
    std::uint64_t total = 0;
    std::uint64_t fixed = 0; // of sessions that are small anyway
    for (const PlannedSession& session : sessions) {
        total += bytesOf(session.config);
        fixed += isSmall(session.config) ? bytesOf(session.config) : 0;
    }
    if (capabilities.physicalMemory.count == 0 || total <= allowed || fixed >= allowed) {
        return;
    }
    const double share = static_cast<double>(allowed - fixed) / static_cast<double>(total - fixed);
    for (PlannedSession& session : sessions) {
        etw::SessionConfig& config = session.config;
        if (isSmall(config)) {
            continue;
        }
        const std::uint32_t before = config.maximumBuffers;
        const auto scaled = static_cast<std::uint64_t>(before * share);
        std::uint32_t count = std::min(before, atLeastTwoPerProcessor(scaled, capabilities.numberOfProcessors));
        if (session.kind == PlannedSession::Kind::Hypervisor) {
            count -= count % std::max(capabilities.numberOfProcessors, 1U);
        }
        if (count < before) {
            report(diagnostics, Severity::Warning, {}, "session " + config.name,
                   std::to_string(before) + " buffers reduced to " + std::to_string(count) +
                       ": all buffers together take at most half of physical memory");
        }
        config.minimumBuffers = count;
        config.maximumBuffers = count;
    }
}

} // namespace tracedeck::plan
