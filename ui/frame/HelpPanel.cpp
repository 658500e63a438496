// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/HelpPanel.h"

#include <QFile>

namespace kernelarium::ui {

HelpPanel::HelpPanel(Theme& theme, QWidget* parent)
    : QTextBrowser(parent) {
    setAccessibleName(tr("Help"));
    setOpenLinks(false);
    document()->setDocumentMargin(16);
    setWordWrapMode(QTextOption::WordWrap); // a key's name is no place to break
    document()->setDefaultFont(theme.textFont());
    connect(&theme, &Theme::changed, this, [this] { m_written.isEmpty() ? showPage(m_page) : showText(m_written); });
}

void HelpPanel::showPage(const QString& name) {
    m_page = name;
    m_written.clear();
    QFile file(QStringLiteral(":/help/%1.md").arg(name));
    if (!file.exists()) file.setFileName(QStringLiteral(":/help/editor.md"));
    if (file.open(QIODevice::ReadOnly)) setMarkdown(QString::fromUtf8(file.readAll()));
}

void HelpPanel::showText(const QString& markdown) {
    m_written = markdown;
    setMarkdown(markdown);
}

} // namespace kernelarium::ui
