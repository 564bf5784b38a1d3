// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN
#include "core/etw/types.h"
#endif

#include <QObject>

#include <functional>
#include <memory>
#include <optional>

namespace tracedeck::ui {

/// Asks what the machine can do; the answer comes once, on any thread, at any later time.
using CapabilitiesSource = std::function<void(std::function<void(Result<etw::Capabilities>)>)>;

/// What this machine can do, asked for without waiting.
///
/// Threading: UI thread; an answer that comes after the destruction is dropped.
class Machine final : public QObject {
    Q_OBJECT
public:
    explicit Machine(CapabilitiesSource source, QObject* parent = nullptr);

    /// A question that is under way is not asked twice.
    void ask();
    /// Empty until the answer is there.
    [[nodiscard]] const std::optional<etw::Capabilities>& capabilities() const noexcept { return m_capabilities; }
    [[nodiscard]] const std::optional<Error>& error() const noexcept { return m_error; }

Q_SIGNALS:
    void changed();
    /// The answer is what was known already.
    void unchanged();

private:
    void take(Result<etw::Capabilities> answer);

    CapabilitiesSource m_source;
    std::optional<etw::Capabilities> m_capabilities;
    std::optional<Error> m_error;
    bool m_isAsking = false;
};

} // namespace tracedeck::ui
