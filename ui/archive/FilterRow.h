// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

class QComboBox;
class QDialog;
class QHBoxLayout;
class QToolButton;

namespace kernelarium::ui {

/// The search's choices side by side; where they would be cut, behind one button that says how many are made.
class FilterRow : public QWidget {
    Q_OBJECT
public:
    /// Takes them: `boxes` are choices whose first item is none, `fold` a switch that is elsewhere while there is room.
    FilterRow(const QList<QComboBox*>& boxes, QToolButton* fold, QHBoxLayout* whereFoldIs, QWidget* parent = nullptr);

    [[nodiscard]] bool isFolded() const { return m_folded; } ///< behind the button
    [[nodiscard]] QToolButton& button() { return *m_button; }

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();
    void refreshButton();
    void open();

    QList<QComboBox*> m_boxes;
    QToolButton* m_fold;
    QHBoxLayout* m_whereFoldIs;
    int m_foldsPlace;
    QToolButton* m_button;
    QHBoxLayout* m_row;
    QDialog* m_popup;
    bool m_folded = false;
};

} // namespace kernelarium::ui
