// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/host/system_log.h"

#include "core/base/result.h"

#include <fcntl.h>
#include <syslog.h>
#include <systemd/sd-journal.h>
#include <unistd.h>

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace tracedeck::host {
namespace {

/// sd-daemon(3): "<4>" before a line is its priority.
class JournalPriority final : public spdlog::custom_flag_formatter {
public:
    void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& into) override {
        const std::string_view priority = [&]() -> std::string_view {
            switch (message.level) {
            case spdlog::level::critical:
                return "<2>";
            case spdlog::level::err:
                return "<3>";
            case spdlog::level::warn:
                return "<4>";
            case spdlog::level::info:
                return "<6>";
            case spdlog::level::trace:
            case spdlog::level::debug:
            case spdlog::level::off:
            case spdlog::level::n_levels:
                break;
            }
            return "<7>";
        }();
        into.append(priority.data(), priority.data() + priority.size());
    }
    [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
        return std::make_unique<JournalPriority>();
    }
};

void setJournalPattern(spdlog::logger& logger) {
    auto formatter = std::make_unique<spdlog::pattern_formatter>();
    formatter->add_flag<JournalPriority>('J').set_pattern("%J%v");
    logger.set_formatter(std::move(formatter));
}

} // namespace

void logToSystem(bool isVerbose) {
    auto logger = spdlog::stderr_logger_mt("tracedeck-host");
    if (std::getenv("JOURNAL_STREAM") != nullptr) {
        setJournalPattern(*logger);
    } else {
        logger->set_pattern("%Y-%m-%d %H:%M:%S.%e %n %l: %v");
    }
    logger->set_level(isVerbose ? spdlog::level::debug : spdlog::level::info);
    spdlog::set_default_logger(std::move(logger));
}

void leaveTerminal() {
    if (::setsid() < 0 && errno != EPERM) { // it leads a session of its own already
        spdlog::warn("the terminal's signals reach the host: {}", errnoError(errno, "setsid").detail);
    }
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    const int journal = ::sd_journal_stream_fd("tracedeck-host", LOG_INFO, 1);
    const int log = journal >= 0 ? journal : nothing;
    if (nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0 || ::dup2(nothing, STDOUT_FILENO) < 0 ||
        ::dup2(log, STDERR_FILENO) < 0) {
        spdlog::warn("the host keeps its terminal: {}", errnoError(errno, "/dev/null").detail);
    }
    for (const int each : {nothing, journal}) {
        if (each >= 0) {
            ::close(each);
        }
    }
    if (journal >= 0) {
        setJournalPattern(*spdlog::default_logger());
    }
}

} // namespace tracedeck::host
