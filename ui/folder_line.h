// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/folder_probe.h"

#include <QWidget>

class QLabel;

namespace tracedeck::ui {

/// One line below the name of a folder: what is free in it, or why it cannot be used.
class FolderLine final : public QWidget {
    Q_OBJECT
public:
    /// A recording needs room that can be told before; a file to be saved has its size.
    enum class Purpose { Record, Save };
    explicit FolderLine(Purpose purpose, QWidget* parent = nullptr);

    void showFacts(const FolderFacts& facts);
    [[nodiscard]] QString text() const;

private:
    Purpose m_purpose;
    QLabel* m_icon;
    QLabel* m_text;
};

} // namespace tracedeck::ui
