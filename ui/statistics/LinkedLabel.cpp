// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statistics/LinkedLabel.h"

namespace kernelarium::ui {

namespace {

// Characters of no language: no text that is shown has them. The link's number stands behind the first.
constexpr QChar linkBegins(0xE000), linkEnds(0xE001);
constexpr char16_t firstLink = 0xE100;

} // namespace

QString Links::to(const QString& number, DrillPointer drill) {
    if (!drill) return number;
    m_drills << std::move(drill);
    return QString(linkBegins) + QChar(char16_t(firstLink + m_drills.size() - 1)) + number + linkEnds;
}

LinkedLabel::LinkedLabel(QWidget* parent)
    : WrappedLabel(parent) {
    setTextFormat(Qt::RichText);
    connect(this, &QLabel::linkActivated, this, [this](const QString& link) {
        bool isNumber = false;
        const int place = link.toInt(&isNumber);
        if (isNumber && place >= 0 && place < m_drills.size()) Q_EMIT drilled(m_drills[place]);
    });
}

void LinkedLabel::setSentence(const QString& sentence, const Links& links) {
    m_drills = links.m_drills;
    m_sentence.clear();
    QString rich;
    for (qsizetype i = 0; i < sentence.size(); ++i) {
        const QChar c = sentence[i];
        if (c == linkBegins && i + 1 < sentence.size()) {
            rich += QStringLiteral("<a href=\"%1\">").arg(sentence[++i].unicode() - firstLink);
        } else if (c == linkEnds) {
            rich += QStringLiteral("</a>");
        } else {
            m_sentence += c;
            rich += QString(c).toHtmlEscaped();
        }
    }
    setTextInteractionFlags(m_drills.isEmpty() ? Qt::TextSelectableByMouse
                                               : Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse |
                                                     Qt::LinksAccessibleByKeyboard);
    setText(rich);
    setAccessibleName(m_sentence);
}

} // namespace kernelarium::ui
