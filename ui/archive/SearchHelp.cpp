// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/SearchHelp.h"

#include "core/archive/search/SearchSyntax.h"

#include <QKeyEvent>
#include <QLabel>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

QString toHtml(std::string_view text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size())).toHtmlEscaped();
}

} // namespace

SearchHelp::SearchHelp(const Theme& theme, QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_area(new QScrollArea) {
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(tr("What can be searched for"));
    auto* label = new QLabel(sheet());
    label->setTextFormat(Qt::RichText);
    label->setFont(theme.textFont());
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    m_area->setWidget(label);
    m_area->setFrameShape(QFrame::NoFrame);
    for (QWidget* part : {m_area->viewport(), static_cast<QWidget*>(label)})
        part->setAutoFillBackground(false); // as the sheet behind it
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    layout->addWidget(m_area);
}

QString SearchHelp::sheet() {
    QString rows;
    for (const archive::SearchField& field : archive::searchFields())
        rows += QStringLiteral(
                    "<tr><td style='padding-right:16px'><code>%1</code>\u200b</td><td><code>\u200b</code>%2</td></tr>")
                    .arg(toHtml(field.example), toHtml(field.meaning));
    return tr("<p>Text is searched for in names and code exactly as typed, spaces included: <code>x == "
              "1</code>.<br/>Each of several words, in any order: <code>all:\"shared conv\"</code>. In addition, "
              "anywhere:</p><table cellspacing='2'>%1</table><p>Numbers take &gt; &gt;= &lt; &lt;= = and "
              "<code>:1..2</code>; a field's value with spaces stands in \"quotes\". <code>-verdict:verified</code>, "
              "<code>NOT tiled</code>, <code>a OR b</code><br/>and parentheses make expressions; OR binds weakest, NOT "
              "takes one word, or <code>\"a phrase\"</code>.<br/>Ctrl+Space completes.</p>")
        .arg(rows);
}

void SearchHelp::showBelow(const QWidget& anchor) {
    const QMargins around = layout()->contentsMargins();
    const QSize sheetSize = m_area->widget()->sizeHint();
    QSize whole(sheetSize.width() + around.left() + around.right() + 2 * frameWidth(),
                sheetSize.height() + around.top() + around.bottom() + 2 * frameWidth());
    QPoint place = anchor.mapToGlobal(QPoint(0, anchor.height() + 2));
    if (const QScreen* screen = anchor.screen()) {
        const QRect room = screen->availableGeometry();
        if (whole.height() > room.bottom() - place.y()) {
            whole.setHeight(std::max(120, room.bottom() - place.y()));
            whole.rwidth() += m_area->verticalScrollBar()->sizeHint().width();
        }
        place.setX(std::clamp(place.x(), room.left(), std::max(room.left(), room.right() - width())));
    }
    resize(whole);
    move(place);
    show();
    setFocus();
}

void SearchHelp::keyPressEvent(QKeyEvent* event) {
    QScrollBar& bar = *m_area->verticalScrollBar();
    const int key = event->key();
    if (event->matches(QKeySequence::Copy))
        QFrame::keyPressEvent(event);
    else if (bar.maximum() > 0 && (key == Qt::Key_Down || key == Qt::Key_Up))
        bar.setValue(bar.value() + (key == Qt::Key_Down ? 1 : -1) * bar.singleStep());
    else if (bar.maximum() > 0 && (key == Qt::Key_PageDown || key == Qt::Key_PageUp))
        bar.setValue(bar.value() + (key == Qt::Key_PageDown ? 1 : -1) * bar.pageStep());
    else
        hide();
}

} // namespace kernelarium::ui
