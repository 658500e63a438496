// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/SearchHelp.h"

#include "core/archive/search/SearchSyntax.h"

#include <QKeyEvent>
#include <QLabel>
#include <QScreen>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

QString toHtml(std::string_view text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size())).toHtmlEscaped();
}

} // namespace

SearchHelp::SearchHelp(const Theme& theme, QWidget* parent)
    : QFrame(parent, Qt::Popup) {
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(tr("What can be searched for"));
    auto* label = new QLabel(sheet());
    label->setTextFormat(Qt::RichText);
    label->setFont(theme.textFont());
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->addWidget(label);
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
    adjustSize();
    QPoint place = anchor.mapToGlobal(QPoint(0, anchor.height() + 2));
    if (const QScreen* screen = anchor.screen()) {
        const QRect room = screen->availableGeometry();
        place.setX(std::clamp(place.x(), room.left(), std::max(room.left(), room.right() - width())));
    }
    move(place);
    show();
    setFocus();
}

void SearchHelp::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        QFrame::keyPressEvent(event);
    else
        hide();
}

} // namespace kernelarium::ui
