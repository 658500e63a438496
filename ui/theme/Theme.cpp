// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/Theme.h"

#include "ui/theme/IconEngine.h"
#include "ui/theme/Style.h"
#include "ui/theme/StyleSheet.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QPalette>
#include <QToolTip>

namespace kernelarium::ui {

namespace {

QPalette toQt(const Palette& p) {
    QPalette q;
    q.setColor(QPalette::Window, p.background);
    q.setColor(QPalette::WindowText, p.text);
    q.setColor(QPalette::Base, p.field);
    q.setColor(QPalette::AlternateBase, p.background);
    q.setColor(QPalette::Text, p.text);
    q.setColor(QPalette::PlaceholderText, p.muted);
    q.setColor(QPalette::Button, p.raised);
    q.setColor(QPalette::ButtonText, p.text);
    q.setColor(QPalette::BrightText, p.wrong);
    q.setColor(QPalette::ToolTipBase, p.raised);
    q.setColor(QPalette::ToolTipText, p.text);
    q.setColor(QPalette::Highlight, p.selection);
    q.setColor(QPalette::HighlightedText, p.selectionText);
    q.setColor(QPalette::Link, p.accent);
    q.setColor(QPalette::LinkVisited, p.accent);
    q.setColor(QPalette::Light, p.field);
    q.setColor(QPalette::Midlight, p.raised);
    q.setColor(QPalette::Mid, p.line);
    q.setColor(QPalette::Dark, p.line);
    q.setColor(QPalette::Shadow, p.line);
    for (auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        q.setColor(QPalette::Disabled, role, p.muted);
    return q;
}

QFont codeFontOf(int pointSize) {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    for (const char* family : {"JetBrains Mono", "Cascadia Code", "Fira Code", "Source Code Pro", "DejaVu Sans Mono"})
        if (QFontDatabase::hasFamily(QString::fromLatin1(family))) {
            font.setFamily(QString::fromLatin1(family));
            break;
        }
    font.setStyleHint(QFont::Monospace);
    font.setPointSize(pointSize);
    return font;
}

} // namespace

Theme::Theme(QObject* parent)
    : QObject(parent)
    , m_palette(&lightPalette()) {
    m_text = QApplication::font();
    if (m_text.pointSize() <= 0) m_text.setPointSize(10);
    m_code = codeFontOf(m_text.pointSize());
    m_plainSize = m_text.pointSizeF();
    m_systemDark = systemIsDark();
    qApp->setStyle(new Style);
    qApp->installEventFilter(this);
    apply();
}

void Theme::setChoice(Choice choice) {
    m_choice = choice;
    apply();
}

void Theme::setProjected(bool projected) {
    if (projected == m_projected) return;
    m_projected = projected;
    sizeFonts();
    m_applied = nullptr; // widgets take their font anew where the style sheet is set again
    apply();
}

void Theme::sizeFonts() {
    constexpr double larger = 1.5;
    const double size = m_plainSize * (m_projected ? larger : 1);
    m_text.setPointSizeF(size);
    m_code.setPointSizeF(size);
    QApplication::setFont(m_text);
    QToolTip::setFont(m_text);
}

QString Theme::word(Choice choice) {
    switch (choice) {
    case Choice::light: return QStringLiteral("light");
    case Choice::dark: return QStringLiteral("dark");
    case Choice::system: break;
    }
    return QStringLiteral("system");
}

Theme::Choice Theme::choiceFromWord(const QString& word) {
    if (word == QLatin1String("light")) return Choice::light;
    if (word == QLatin1String("dark")) return Choice::dark;
    return Choice::system;
}

QFont Theme::captionFont() const {
    QFont font = m_text;
    font.setPointSizeF(m_text.pointSizeF() * 0.9);
    return font;
}

QFont Theme::headingFont() const {
    QFont font = m_text;
    font.setWeight(QFont::DemiBold);
    return font;
}

QIcon Theme::icon(const QString& name) const {
    return QIcon(new IconEngine(name, m_palette->text, m_palette->muted));
}

QIcon Theme::icon(const QString& name, const QColor& colour) const {
    return QIcon(new IconEngine(name, colour, m_palette->muted));
}

bool Theme::eventFilter(QObject* watched, QEvent* event) {
    // The desktop's own palette arrives as a change of the application's: what we set ourselves is not it.
    if (watched == qApp && event->type() == QEvent::ApplicationPaletteChange && !m_applying) {
        m_systemDark = systemIsDark();
        m_applied = nullptr;
        if (m_choice == Choice::system) apply();
    }
    return QObject::eventFilter(watched, event);
}

bool Theme::systemIsDark() const {
    const QPalette palette = QApplication::palette();
    return palette.color(QPalette::WindowText).lightness() > palette.color(QPalette::Window).lightness();
}

void Theme::apply() {
    const bool dark = m_choice == Choice::dark || (m_choice == Choice::system && m_systemDark);
    const Palette* wanted = dark ? &darkPalette() : &lightPalette();
    if (wanted == m_applied) return; // every widget would be polished again
    m_applied = m_palette = wanted;
    m_applying = true;
    const QPalette palette = toQt(*m_palette);
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
    qApp->setStyleSheet(styleSheet(*m_palette));
    m_applying = false;
    Q_EMIT changed();
}

} // namespace kernelarium::ui
