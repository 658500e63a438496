// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Palette.h"

#include <QFrame>
#include <QLabel>
#include <QList>
#include <QPair>
#include <QPointer>
#include <QString>

namespace kernelarium::ui {

/// The full record of one mark.
struct Record {
    QString title;
    QList<QPair<QString, QString>> rows; ///< name, value
    QString explanation;

    [[nodiscard]] bool isEmpty() const { return title.isEmpty() && rows.isEmpty(); }
    [[nodiscard]] QString plain() const; ///< for a screen reader and the clipboard
};

/// A frame beside the cursor, over the whole window, that moves only when what it tells changes and that the mouse
/// looks through: it cannot flicker. It belongs to `owner` and goes with it.
class HoverCard : public QObject {
public:
    explicit HoverCard(QWidget& owner);
    ~HoverCard() override;

    void setColours(const Palette& palette, const QFont& font);
    /// `anchor` in the owner's pixels.
    void show(const Record& record, QPoint anchor);
    void hide();
    [[nodiscard]] bool isVisible() const { return m_frame && m_frame->isVisible(); }
    [[nodiscard]] QString text() const { return m_plain; }
    [[nodiscard]] QRect geometry() const { return m_frame ? m_frame->geometry() : QRect(); }

private:
    void build();
    [[nodiscard]] QString html(const Record& record) const;

    QWidget& m_owner;
    QPointer<QFrame> m_frame;
    QPointer<QLabel> m_label;
    Palette m_palette;
    QFont m_font;
    QString m_plain;
};

} // namespace kernelarium::ui
