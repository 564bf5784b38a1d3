// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/preset_outlook.h"

#include <QWidget>

class QAction;
class QMenu;
class QToolButton;

namespace tracedeck::ui {

/// One button for each preset, as many as fit, and the others in a menu behind "More".
///
/// Threading: UI thread. Ownership: `presets` must outlive it.
class PresetRow final : public QWidget {
    Q_OBJECT
public:
    /// More would be a wall of buttons on a wide screen.
    static constexpr std::size_t kMostButtons = 8;

    explicit PresetRow(const std::vector<Preset>& presets, QWidget* parent = nullptr);

    /// The preset that the choice is; nothing where it is none of them.
    void setCurrent(std::optional<std::size_t> preset);
    void setOutlook(std::size_t preset, const PresetOutlook& outlook);

    /// The preset's button; hidden where it stands in the menu.
    [[nodiscard]] QToolButton* button(std::size_t preset) const { return m_items[preset].button; }
    /// The same in the menu; invisible where it has a button.
    [[nodiscard]] QAction* action(std::size_t preset) const { return m_items[preset].action; }
    [[nodiscard]] QToolButton* moreButton() const noexcept { return m_more; }
    [[nodiscard]] QList<QWidget*> tabOrder() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void chosen(std::size_t preset);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Item {
        QToolButton* button = nullptr;
        QAction* action = nullptr; // in the menu
    };
    void addItem(std::size_t preset);
    void arrange();
    [[nodiscard]] std::size_t fittingIn(int width) const;
    [[nodiscard]] int widthOf(std::size_t buttons) const;
    [[nodiscard]] int spacing() const;
    void describeMore();

    const std::vector<Preset>& m_presets;
    std::vector<Item> m_items;
    QToolButton* m_more;
    QMenu* m_menu;
    std::size_t m_shown = 0; ///< buttons
    std::optional<std::size_t> m_current;
};

} // namespace tracedeck::ui
