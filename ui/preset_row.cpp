// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/preset_row.h"

#include "ui/palette_icon.h"

#include <QAction>
#include <QEvent>
#include <QMenu>
#include <QPainter>
#include <QStyle>
#include <QToolButton>

#include <algorithm>

namespace tracedeck::ui {
namespace {

constexpr int kSmallestWidth = 64;
constexpr int kMarkHeight = 3; ///< of the bar below the button that is on

void dress(QToolButton* button) {
    button->setIconSize({22, 22});
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
}

int widthOf(const QToolButton* button) {
    return std::max(kSmallestWidth, button->sizeHint().width());
}

/// How the outlook begins, before its reasons.
QString introductionOf(PresetOutlook::Kind kind) {
    using enum PresetOutlook::Kind;
    switch (kind) {
    case Unknown:
    case Whole:
        return {};
    case Partial:
        return PresetRow::tr("Only a part of it can be recorded on this machine.");
    case Impossible:
        return PresetRow::tr("It cannot be recorded on this machine now.");
    case Unavailable:
        return PresetRow::tr("It cannot be chosen here.");
    }
    return {};
}

/// Rich text, so that it wraps.
QString toolTipOf(const QStringList& paragraphs) {
    QString text;
    for (const QString& paragraph : paragraphs) {
        text += QStringLiteral("<p>%1</p>").arg(paragraph.toHtmlEscaped());
    }
    return text;
}

} // namespace

PresetRow::PresetRow(const std::vector<Preset>& presets, QWidget* parent)
    : QWidget(parent), m_presets(presets), m_more(new QToolButton(this)), m_menu(new QMenu(m_more)) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    for (std::size_t i = 0; i < presets.size(); ++i) {
        addItem(i);
    }
    dress(m_more);
    m_more->setText(tr("More"));
    m_more->setIcon(paletteIcon(QStringLiteral("more")));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(m_menu);
    m_menu->setToolTipsVisible(true);
    describeMore();
}

void PresetRow::addItem(std::size_t preset) {
    const Preset& from = m_presets[preset];
    Item item{new QToolButton(this), new QAction(paletteIcon(from.icon), from.label, m_menu)};
    dress(item.button);
    item.button->setText(from.label);
    item.button->setIcon(paletteIcon(from.icon));
    item.action->setCheckable(true);
    m_menu->addAction(item.action);
    connect(item.button, &QToolButton::clicked, this, [this, preset] {
        setCurrent(m_current); // a click alone checks nothing: what is chosen does
        Q_EMIT chosen(preset);
    });
    connect(item.action, &QAction::triggered, this, [this, preset] {
        setCurrent(m_current);
        Q_EMIT chosen(preset);
    });
    m_items.push_back(item);
    setOutlook(preset, {});
}

void PresetRow::setCurrent(std::optional<std::size_t> preset) {
    m_current = preset;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        m_items[i].button->setChecked(i == preset);
        m_items[i].action->setChecked(i == preset);
    }
    describeMore();
    update();
}

void PresetRow::setOutlook(std::size_t preset, const PresetOutlook& outlook) {
    QStringList paragraphs{m_presets[preset].symptom};
    if (const QString introduction = introductionOf(outlook.kind); !introduction.isEmpty()) {
        paragraphs << introduction;
    }
    paragraphs << outlook.reasons;
    const bool canBeChosen = outlook.kind != PresetOutlook::Kind::Unavailable;
    const Item& item = m_items[preset];
    item.button->setEnabled(canBeChosen);
    item.button->setToolTip(toolTipOf(paragraphs));
    item.button->setAccessibleDescription(paragraphs.join(u' '));
    item.action->setEnabled(canBeChosen);
    item.action->setToolTip(toolTipOf(paragraphs));
    item.action->setStatusTip(paragraphs.join(u' '));
}

void PresetRow::describeMore() {
    const bool holdsCurrent = m_current && *m_current >= m_shown;
    m_more->setChecked(holdsCurrent);
    QString description = tr("More things that can be wrong.");
    if (holdsCurrent) {
        description = tr("%1 Chosen: %2.").arg(description, m_presets[*m_current].label);
    }
    m_more->setToolTip(description);
    m_more->setAccessibleDescription(description);
}

QList<QWidget*> PresetRow::tabOrder() const {
    QList<QWidget*> order;
    for (const Item& item : m_items) {
        order << item.button;
    }
    return order << m_more;
}

int PresetRow::spacing() const {
    return std::max(4, style()->pixelMetric(QStyle::PM_LayoutHorizontalSpacing, nullptr, this));
}

int PresetRow::widthOf(std::size_t buttons) const {
    int width = 0;
    for (std::size_t i = 0; i < buttons; ++i) {
        width += ui::widthOf(m_items[i].button) + spacing();
    }
    return buttons == m_items.size() ? width - spacing() : width + ui::widthOf(m_more);
}

std::size_t PresetRow::fittingIn(int width) const {
    std::size_t buttons = std::min(kMostButtons, m_items.size());
    while (buttons > 1 && widthOf(buttons) > width) {
        --buttons;
    }
    return buttons;
}

void PresetRow::arrange() {
    m_shown = fittingIn(width());
    int left = 0;
    const auto place = [&](QToolButton* button) {
        const QRect logical(left, 0, ui::widthOf(button), height() - kMarkHeight - 1);
        button->setGeometry(QStyle::visualRect(layoutDirection(), rect(), logical));
        left += logical.width() + spacing();
    };
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const bool isShown = i < m_shown;
        m_items[i].button->setVisible(isShown);
        m_items[i].action->setVisible(!isShown);
        if (isShown) {
            place(m_items[i].button);
        }
    }
    m_more->setVisible(m_shown < m_items.size());
    place(m_more);
    describeMore();
}

QSize PresetRow::sizeHint() const {
    const std::size_t buttons = std::min(kMostButtons, m_items.size());
    return {widthOf(buttons), minimumSizeHint().height()};
}

QSize PresetRow::minimumSizeHint() const {
    int height = m_more->sizeHint().height();
    for (const Item& item : m_items) {
        height = std::max(height, item.button->sizeHint().height());
    }
    return {widthOf(std::min<std::size_t>(1, m_items.size())), height + kMarkHeight + 1};
}

/// Some styles hardly show which button is on.
void PresetRow::paintEvent(QPaintEvent*) {
    if (!m_current) {
        return;
    }
    const QRect button = (*m_current < m_shown ? m_items[*m_current].button : m_more)->geometry();
    QPainter(this).fillRect(QRect(button.left(), height() - kMarkHeight, button.width(), kMarkHeight),
                            palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::Highlight));
}

void PresetRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void PresetRow::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange ||
        event->type() == QEvent::LayoutDirectionChange) {
        updateGeometry();
        arrange();
    }
}

} // namespace tracedeck::ui
