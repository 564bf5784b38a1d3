// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/etw/engine/buffer_pool.h"
#include "core/etw/engine/kernel_source.h"
#include "core/etw/engine/loss_ledger.h"
#include "core/etw/engine/mover.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracedeck::etw::engine {

/// One session: buffers, and a file (sequential mode) or none (ring).
///
/// Threading: writeEvent() from any thread; the KernelSink part from the kernel source's; everything else from the
/// control thread.
class Session final : public KernelSink {
public:
    struct Setup {
        SessionId id;
        std::uint16_t loggerId = 0;
        SessionConfig config; ///< checked by session_rules.h
        const Clock* clock = nullptr;
        FileSystem* files = nullptr;
        etlformat::TraceIdentity identity; ///< start times are set here
    };
    /// Gets the buffers and, in file mode, creates the file.
    [[nodiscard]] static Result<std::unique_ptr<Session>> create(Setup setup);
    /// Stops and closes what still runs.
    ~Session() override;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// System loggers: begins to record the kernel.
    [[nodiscard]] Status startKernel(KernelSource& source);
    /// As if it had never been: for a start that fails after create(). Fails where the file stays.
    [[nodiscard]] Status discard();

    [[nodiscard]] const SessionConfig& config() const noexcept { return m_config; }
    [[nodiscard]] SessionId id() const noexcept { return m_id; }
    [[nodiscard]] bool isRing() const noexcept { return m_pool.shape().isRing; }
    [[nodiscard]] bool isSystemLogger() const noexcept;
    [[nodiscard]] std::vector<Limitation> limitations() const;

    /// Writes a complete event with an EventHeader and gives it its time. Never blocks; loss is counted.
    void writeEvent(std::uint32_t processor, std::span<const std::byte> event) noexcept;

    // KernelSink
    bool write(std::uint32_t processor, Ticks time, std::span<const std::byte> head, std::span<const std::byte> payload,
               std::span<const std::byte> more) noexcept override;
    void lost(LossCause cause, std::uint64_t events, Ticks first) noexcept override;
    [[nodiscard]] Ticks oldest() const noexcept override;

    [[nodiscard]] SessionStats stats();
    [[nodiscard]] Result<SessionStats> update(const SessionConfig& config);
    [[nodiscard]] Result<SessionStats> flush(const std::string& fileName);
    /// The file that stop() writes a ring to; none in file mode and for an empty name. Made before anything is
    /// stopped, so that a name that cannot be written to does not cost the recording.
    [[nodiscard]] Result<std::unique_ptr<LogFile>> createRingFile(const std::string& fileName);
    /// Ends it. Nobody but the kernel source may write any more.
    [[nodiscard]] SessionStats stop(std::unique_ptr<LogFile> ringFile);
    [[nodiscard]] Status mark(const std::string& text);

private:
    Session(Setup setup, BufferPool::Shape shape);
    [[nodiscard]] Status getReady();
    [[nodiscard]] Result<std::unique_ptr<LogFile>> createFile(const std::string& path, std::uint32_t mode,
                                                              LogFile::Limits limits);
    enum class After : std::uint8_t { Continue, Stop };
    [[nodiscard]] Status writeRing(LogFile& file, After after);
    [[nodiscard]] FileTime wallTimeOf(Ticks ticks) const noexcept;
    void stopKernel();

    SessionId m_id;
    std::uint16_t m_loggerId;
    SessionConfig m_config;
    const Clock& m_clock;
    FileSystem& m_files;
    etlformat::TraceIdentity m_identity;

    mutable BufferPool m_pool;
    LossLedger m_ledger;
    std::vector<Ticks> m_lastTimes; ///< of the kernel's events, by processor
    std::unique_ptr<Mover> m_mover; ///< file mode
    std::unique_ptr<KernelRun> m_kernel;
    std::vector<Limitation> m_lastLimitations; ///< of a kernel run that has ended
    std::optional<Error> m_ringError;
    std::uint64_t m_ringDiscarded = 0; ///< events of a ring whose file could not be written to the end
    std::uint64_t m_lastProduced = 0;
};

} // namespace tracedeck::etw::engine
