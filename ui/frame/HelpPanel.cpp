// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/HelpPanel.h"

#include <QAbstractTextDocumentLayout>
#include <QDesktopServices>
#include <QFile>
#include <QFileInfo>
#include <QScrollBar>
#include <QTextBlock>
#include <QUrl>

namespace kernelarium::ui {

namespace {

const QString contents = QStringLiteral("index");

QString pathOf(const QString& page) {
    return QStringLiteral(":/help/%1.md").arg(page);
}

/// What a repository's web page makes of a heading; Qt's reader of Markdown gives headings no names.
QString anchorOf(const QString& heading) {
    QString anchor;
    for (const QChar c : heading.trimmed().toLower())
        if (c.isSpace())
            anchor += u'-';
        else if (c.isLetterOrNumber() || c == u'-' || c == u'_')
            anchor += c;
    return anchor;
}

} // namespace

HelpPanel::HelpPanel(Theme& theme, QWidget* parent)
    : QTextBrowser(parent) {
    setAccessibleName(tr("Help"));
    setOpenLinks(false);
    document()->setDocumentMargin(16);
    setWordWrapMode(QTextOption::WordWrap); // a key's name is no place to break
    document()->setDefaultFont(theme.textFont());
    connect(&theme, &Theme::changed, this, [this] {
        const int place = verticalScrollBar()->value();
        m_written.isEmpty() ? showPage(m_page) : showText(m_written);
        verticalScrollBar()->setValue(place);
    });
    connect(this, &QTextBrowser::anchorClicked, this, &HelpPanel::follow);
}

void HelpPanel::showPage(const QString& name, const QString& anchor) {
    m_page = QFile::exists(pathOf(name)) ? name : contents;
    m_written.clear();
    QFile file(pathOf(m_page));
    if (!file.open(QIODevice::ReadOnly)) return;
    QString text = QString::fromUtf8(file.readAll());
    if (m_page != contents) text += QStringLiteral("\n---\n\n[%1](%2.md)\n").arg(tr("All pages"), contents);
    setMarkdown(text);
    goTo(anchor);
}

void HelpPanel::showText(const QString& markdown) {
    m_written = markdown;
    setMarkdown(markdown);
}

void HelpPanel::follow(const QUrl& link) {
    if (!link.isRelative())
        QDesktopServices::openUrl(link);
    else
        showPage(link.path().isEmpty() ? m_page : QFileInfo(link.path()).completeBaseName(), link.fragment());
}

void HelpPanel::goTo(const QString& anchor) {
    if (anchor.isEmpty()) return;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || anchorOf(block.text()) != anchor) continue;
        setTextCursor(QTextCursor(block));
        const QRectF place = document()->documentLayout()->blockBoundingRect(block);
        verticalScrollBar()->setValue(int(place.top()));
        return;
    }
}

} // namespace kernelarium::ui
