// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/palette_icon.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QSvgRenderer>

/// A static library's resources are linked in by this call alone. The macro wants the global namespace.
static void useTracedeckResources() {
    Q_INIT_RESOURCE(tracedeck);
}

namespace tracedeck::ui {
namespace {

class PaletteIconEngine final : public QIconEngine {
public:
    explicit PaletteIconEngine(QByteArray drawing) : m_drawing(std::move(drawing)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        QColor color = QGuiApplication::palette().color(mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active,
                                                        mode == QIcon::Selected ? QPalette::HighlightedText
                                                                                : QPalette::WindowText);
        QByteArray drawing = m_drawing;
        drawing.replace("currentColor", color.name().toLatin1());
        QSvgRenderer renderer(drawing);
        const int side = std::min(rect.width(), rect.height());
        const QRect square(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2, side, side);
        painter->save();
        painter->setOpacity(mode == QIcon::Disabled ? 0.5 : 1.0);
        renderer.render(painter, square);
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new PaletteIconEngine(m_drawing); }

private:
    QByteArray m_drawing;
};

} // namespace

QIcon applicationIcon() {
    useTracedeckResources();
    return QIcon(QStringLiteral(":/icons/tracedeck.svg"));
}

QIcon paletteIcon(const QString& name) {
    useTracedeckResources();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    return QIcon(new PaletteIconEngine(file.readAll()));
}

} // namespace tracedeck::ui
