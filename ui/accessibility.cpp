// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accessibility.h"

#include <QAccessible>
#include <QLabel>

namespace tracedeck::ui {

void announce(QLabel* label, const QString& text) {
    label->setText(text);
    label->setAccessibleName(text);
    QAccessibleEvent renamed(label, QAccessible::NameChanged);
    QAccessible::updateAccessibility(&renamed);
    QAccessibleEvent alert(label, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

} // namespace tracedeck::ui
