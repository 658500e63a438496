// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/MarkdownView.h"

#include <QDesktopServices>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextTable>
#include <QUrl>
#include <QWheelEvent>
#include <cmath>

namespace kernelarium::ui {

namespace {

bool isCode(const QTextBlockFormat& format) {
    return format.hasProperty(QTextFormat::BlockCodeFence) || format.hasProperty(QTextFormat::BlockCodeLanguage) ||
           format.nonBreakableLines();
}

} // namespace

MarkdownView::MarkdownView(const Theme& theme, QWidget* parent)
    : QTextBrowser(parent)
    , m_theme(theme) {
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setOpenLinks(false);
    setTabChangesFocus(true);
    document()->setDocumentMargin(0);
    viewport()->setAutoFillBackground(false);
    setStyleSheet(QStringLiteral("QTextBrowser { background: transparent; }"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&m_theme, &Theme::changed, this, &MarkdownView::render);
    connect(this, &QTextBrowser::anchorClicked, this, [](const QUrl& link) {
        if (link.scheme() == QLatin1String("https") || link.scheme() == QLatin1String("http"))
            QDesktopServices::openUrl(link);
    });
}

void MarkdownView::setText(const QString& markdown) {
    if (markdown == m_markdown) return;
    m_markdown = markdown;
    render();
}

void MarkdownView::render() {
    document()->setDefaultFont(m_theme.textFont());
    document()->setMarkdown(m_markdown, QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) |
                                            QTextDocument::MarkdownNoHTML);
    styleBlocks();
    styleTables();
    fit();
}

void MarkdownView::styleBlocks() {
    const Palette& colours = m_theme.colours();
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        QTextBlockFormat format = block.blockFormat();
        const bool code = isCode(format);
        const bool quote = format.hasProperty(QTextFormat::BlockQuoteLevel);
        format.setLineHeight(code ? 120 : 135, QTextBlockFormat::ProportionalHeight);
        if (code || quote) {
            format.setBackground(colours.raised);
            format.setLeftMargin(code ? 0 : 2 * Theme::unit);
        }
        const bool more = code && block.next().isValid() && isCode(block.next().blockFormat());
        if (!more && cursor.currentTable() == nullptr) format.setBottomMargin(2 * Theme::unit);
        cursor.setBlockFormat(format);
        styleCharacters(block, code);
    }
}

void MarkdownView::styleCharacters(const QTextBlock& block, bool code) {
    struct Part {
        int begin;
        int end;
        QTextCharFormat format;
    };
    std::vector<Part> parts; // collected first: writing into a block ends its iterators
    for (auto it = block.begin(); !it.atEnd(); ++it) {
        const QTextFragment fragment = it.fragment();
        Part part{fragment.position(), fragment.position() + fragment.length(), fragment.charFormat()};
        if (code || part.format.fontFixedPitch()) {
            part.format.setFont(m_theme.codeFont());
            part.format.setFontFixedPitch(true);
            if (!code) part.format.setBackground(m_theme.colours().raised);
        } else if (part.format.isAnchor()) {
            part.format.setForeground(m_theme.colours().accent);
        } else {
            continue;
        }
        parts.push_back(std::move(part));
    }
    for (const auto& part : parts) {
        QTextCursor cursor(document());
        cursor.setPosition(part.begin);
        cursor.setPosition(part.end, QTextCursor::KeepAnchor);
        cursor.setCharFormat(part.format);
    }
}

void MarkdownView::styleTables() {
    for (QTextFrame* frame : document()->rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (table == nullptr) continue;
        QTextTableFormat format = table->format();
        format.setBorderCollapse(true);
        format.setBorder(1);
        format.setBorderBrush(m_theme.colours().line);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setCellPadding(Theme::unit);
        format.setCellSpacing(0);
        format.setTopMargin(2 * Theme::unit);
        format.setBottomMargin(4 * Theme::unit);
        table->setFormat(format);
    }
}

void MarkdownView::fit() {
    document()->setTextWidth(viewport()->width());
    const int height = int(std::ceil(document()->size().height())) + 2;
    if (height != minimumHeight()) setFixedHeight(height);
}

void MarkdownView::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    fit();
}

void MarkdownView::wheelEvent(QWheelEvent* event) {
    event->ignore(); // what it is placed in scrolls
}

QVariant MarkdownView::loadResource(int, const QUrl&) {
    return {};
}

} // namespace kernelarium::ui
