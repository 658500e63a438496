// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/HeatMargin.h"

#include "ui/editor/CodeStyle.h"
#include "ui/theme/Theme.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace kernelarium::ui {

namespace {

using S = QsciScintilla;
constexpr int width = 24;

} // namespace

HeatMargin::HeatMargin(QsciScintilla& editor, int margin, int firstMarker)
    : m_editor(editor)
    , m_margin(margin)
    , m_firstMarker(firstMarker) {
    m_editor.setMarginType(margin, S::SymbolMargin);
    m_editor.setMarginMarkerMask(margin, mask());
    m_editor.setMarginWidth(margin, 0);
    QObject::connect(&editor, &QsciScintillaBase::SCN_MODIFIED, &m_context,
                     [this](int position, int, const char*, int, int added, int, int, int, int, int) {
                         if (added == 0 || m_texts.empty()) return;
                         const int line = int(m_editor.SendScintilla(S::SCI_LINEFROMPOSITION, position));
                         std::map<int, QString> moved;
                         for (auto& [at, text] : m_texts)
                             moved.emplace(at <= line ? at : std::max(line, at + added), std::move(text));
                         m_texts = std::move(moved);
                     });
}

void HeatMargin::set(const std::vector<LineHeat>& heat) {
    for (int marker = m_firstMarker; marker <= findingMarker(); ++marker)
        m_editor.markerDeleteAll(marker);
    m_texts.clear();
    for (const LineHeat& line : heat) {
        if (line.line < 1 || line.line > m_editor.lines() || !(line.value >= 0)) continue;
        m_texts[line.line - 1] = line.text;
        const int level = int(std::ceil(std::min(line.value, 1.0) * levels)) - 1;
        if (level >= 0) m_editor.markerAdd(line.line - 1, m_firstMarker + level);
        if (line.isFinding) m_editor.markerAdd(line.line - 1, findingMarker());
    }
    if (!m_texts.empty()) m_editor.setMarginWidth(m_margin, width + 4);
}

QString HeatMargin::textOfLine(int line) const {
    const auto found = m_texts.find(line);
    return found == m_texts.end() ? QString() : found->second;
}

void HeatMargin::applyTheme(const Theme& theme) {
    const Palette& p = theme.colours();
    // QScintilla 2.13 draws marker images pixel by logical pixel, whatever scale it is told.
    constexpr double scale = 1;
    const int height = std::max(8, m_editor.textHeight(0) - 2);
    for (int level = 0; level < levels; ++level) {
        QImage image(int(width * scale), int(height * scale), QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        const double share = (level + 1.0) / levels;
        const double bar = width * scale * share;
        painter.fillRect(QRectF(width * scale - bar, 0, bar, height * scale),
                         mixed(p.field, p.series[1], 0.35 + 0.65 * share));
        painter.end();
        m_editor.markerDefine(image, m_firstMarker + level);
    }
    QImage mark(width, height, QImage::Format_ARGB32_Premultiplied);
    mark.fill(Qt::transparent);
    QPainter painter(&mark);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(p.accent);
    const double middle = height / 2.0;
    painter.drawPolygon(QPolygonF({{0, middle - 4}, {6, middle}, {0, middle + 4}}));
    painter.end();
    m_editor.markerDefine(mark, findingMarker());
}

} // namespace kernelarium::ui
