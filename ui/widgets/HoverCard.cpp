// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/HoverCard.h"

#include <QTextDocument>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {
constexpr int widest = 340;
constexpr int distance = 14; ///< from the mark
constexpr int padding = 8;
} // namespace

QString Record::plain() const {
    QStringList lines{title};
    for (const auto& [name, value] : rows)
        lines << name + QStringLiteral(": ") + value;
    if (!explanation.isEmpty()) lines << explanation;
    return lines.join(QLatin1Char('\n'));
}

HoverCard::HoverCard(QWidget& owner)
    : QObject(&owner)
    , m_owner(owner)
    , m_palette(lightPalette())
    , m_font(owner.font()) {}

HoverCard::~HoverCard() {
    if (m_frame && m_frame->parentWidget() != &m_owner) delete m_frame;
}

void HoverCard::setColours(const Palette& palette, const QFont& font) {
    m_palette = palette;
    m_font = font;
    if (m_frame) delete m_frame; // rebuilt in the new colours
    m_plain.clear();
}

void HoverCard::build() {
    // In the window, so that a low dock does not cut it and pictures of the window show it.
    m_frame = new QFrame(m_owner.window());
    m_frame->setObjectName(QStringLiteral("hoverCard"));
    m_frame->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_frame->setFocusPolicy(Qt::NoFocus);
    m_frame->setStyleSheet(QStringLiteral("#hoverCard { background: %1; border: 1px solid %2; border-radius: 4px; }")
                               .arg(m_palette.raised.name(), m_palette.line.name()));
    m_label = new QLabel(m_frame);
    m_label->setTextFormat(Qt::RichText);
    m_label->setWordWrap(true);
    m_label->setFont(m_font);
    auto* layout = new QVBoxLayout(m_frame);
    layout->setContentsMargins(padding, padding, padding, padding);
    layout->addWidget(m_label);
}

QString HoverCard::html(const Record& record) const {
    QString text =
        QStringLiteral("<div style='color:%1'><b>%2</b>").arg(m_palette.text.name(), record.title.toHtmlEscaped());
    if (!record.rows.isEmpty()) {
        text += QStringLiteral("<table cellspacing='0' cellpadding='1' style='margin-top:4px'>");
        for (const auto& [name, value] : record.rows)
            text += QStringLiteral(
                        "<tr><td style='color:%1; padding-right:12px; white-space:nowrap'>%2</td><td>%3</td></tr>")
                        .arg(m_palette.muted.name(), name.toHtmlEscaped(), value.toHtmlEscaped());
        text += QStringLiteral("</table>");
    }
    if (!record.explanation.isEmpty())
        text +=
            QStringLiteral("<p style='margin-top:6px; margin-bottom:0'>%1</p>").arg(record.explanation.toHtmlEscaped());
    return text + QStringLiteral("</div>");
}

void HoverCard::show(const Record& record, QPoint anchor) {
    if (m_frame && m_frame->parentWidget() != m_owner.window()) delete m_frame; // the dock was torn off
    if (!m_frame) build();
    m_plain = record.plain();
    const QString text = html(record);
    m_label->setText(text);
    QTextDocument document;
    document.setDefaultFont(m_font);
    document.setDocumentMargin(0);
    document.setHtml(text);
    const int width = std::min(widest, int(std::ceil(document.idealWidth())) + 4);
    m_label->setFixedSize(width, m_label->heightForWidth(width));
    m_frame->adjustSize();
    const QWidget* window = m_owner.window();
    const QPoint mark = m_owner.mapTo(window, anchor);
    const QSize size = m_frame->size();
    int x = mark.x() + distance;
    if (x + size.width() > window->width() - 4) x = mark.x() - distance - size.width();
    int y = mark.y() + distance;
    if (y + size.height() > window->height() - 4) y = mark.y() - distance - size.height();
    m_frame->move(std::clamp(x, 4, std::max(4, window->width() - size.width() - 4)),
                  std::clamp(y, 4, std::max(4, window->height() - size.height() - 4)));
    m_frame->show();
    m_frame->raise();
}

void HoverCard::hide() {
    if (m_frame) m_frame->hide();
    m_plain.clear();
}

} // namespace kernelarium::ui
