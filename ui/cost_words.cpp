// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cost_words.h"

#include "ui/format.h"

#include <algorithm>

namespace tracedeck::ui {

QString CostWords::rate(const plan::Cost& cost) {
    const QString bytes = Format::bytesPerSecond(cost.bytesPerSecond);
    const QString processors = Format::percent(std::max(0.01, cost.processors));
    return cost.isMeasured
               ? tr("About %1 and %2 of one processor, as measured on this machine.").arg(bytes, processors)
               : tr("About %1 and %2 of one processor, if the machine is in ordinary use.").arg(bytes, processors);
}

QString CostWords::reach(const plan::Cost& cost, const Ends& ends) {
    if (cost.held) {
        return tr("Memory holds about the last %1.").arg(Format::span(cost.held->count()));
    }
    if (cost.bytesPerSecond <= 0) {
        return {};
    }
    const auto secondsOf = [&](const std::optional<Bytes>& room) {
        return room ? std::optional(static_cast<double>(room->count) / cost.bytesPerSecond) : std::nullopt;
    };
    const std::optional<double> disk = secondsOf(ends.disk);
    const std::optional<double> file = secondsOf(ends.file);
    const auto time = static_cast<double>(ends.time.count());
    const bool isFileFirst = file && (!disk || *file <= *disk);
    const std::optional<double> first = isFileFirst ? file : disk;
    if (time > 0 && (!first || time <= *first)) {
        const auto bytes = static_cast<std::uint64_t>(time * cost.bytesPerSecond);
        return tr("The file gets about %1 in %2.").arg(Format::bytes(Bytes{bytes}), Format::span(time));
    }
    if (!first) {
        return {};
    }
    return isFileFirst ? tr("The file is full after about %1.").arg(Format::span(*first))
                       : tr("The disk lasts about %1.").arg(Format::span(*first));
}

} // namespace tracedeck::ui
