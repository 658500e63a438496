// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/Palette.h"

#include <cmath>
#include <utility>

namespace kernelarium::ui {

namespace {

Palette makeLight() {
    Palette p;
    p.dark = false;
    p.background = "#f4f5f7";
    p.raised = "#ebedf0";
    p.field = "#ffffff";
    p.hover = "#e8eef7";
    p.selection = "#cfe0f7";
    p.selectionText = "#10151c";
    p.text = "#1b2027";
    p.muted = "#555d68";
    p.line = "#d3d7dd";
    p.grid = "#e3e6ea";
    p.accent = "#0a5cad";
    p.accentText = "#ffffff";
    p.archived = "#555d68";
    p.measured = "#006b45";
    p.modelled = "#8a3f86";
    p.ok = "#00663c";
    p.wrong = "#b3261e";
    p.suspicious = "#8a4b00";
    p.warning = "#7a5200";
    p.keyword = "#0b4fa0";
    p.type = "#00626b";
    p.builtin = "#7a3a8c";
    p.string = "#8c3b00";
    p.number = "#9c2a5b";
    p.comment = "#5a6a5c";
    p.preprocessor = "#6b5200";
    p.currentLine = "#f1f5fb";
    p.added = "#dff3e4";
    p.removed = "#fbe3e1";
    p.series = {QColor("#0072b2"), QColor("#c24e00"), QColor("#00805c"),
                QColor("#a8527f"), QColor("#8a6d00"), QColor("#2b7fb5")};
    return p;
}

Palette makeDark() {
    Palette p;
    p.dark = true;
    p.background = "#1b1e23";
    p.raised = "#23272e";
    p.field = "#16191d";
    p.hover = "#2a303a";
    p.selection = "#2c4a6e";
    p.selectionText = "#ffffff";
    p.text = "#e2e5ea";
    p.muted = "#a0a8b4";
    p.line = "#353b45";
    p.grid = "#2a2f37";
    p.accent = "#6cb2f5";
    p.accentText = "#0b1420";
    p.archived = "#b3bac4";
    p.measured = "#4fcf9a";
    p.modelled = "#dd9ada";
    p.ok = "#5fd39b";
    p.wrong = "#ff8a80";
    p.suspicious = "#f2b266";
    p.warning = "#e6c15c";
    p.keyword = "#7db8f7";
    p.type = "#5fd0d6";
    p.builtin = "#d3a0e6";
    p.string = "#f0a878";
    p.number = "#f093b8";
    p.comment = "#94a897";
    p.preprocessor = "#d6bb6a";
    p.currentLine = "#20252c";
    p.added = "#1d3a29";
    p.removed = "#46262a";
    p.series = {QColor("#56b4e9"), QColor("#e69f00"), QColor("#2fbf8f"),
                QColor("#e08fb8"), QColor("#f0e442"), QColor("#f07c3a")};
    return p;
}

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& c) {
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

} // namespace

const Palette& lightPalette() {
    static const Palette palette = makeLight();
    return palette;
}

const Palette& darkPalette() {
    static const Palette palette = makeDark();
    return palette;
}

double contrast(const QColor& a, const QColor& b) {
    double lighter = luminance(a), darker = luminance(b);
    if (lighter < darker) std::swap(lighter, darker);
    return (lighter + 0.05) / (darker + 0.05);
}

std::vector<NamedColour> textColours(const Palette& p) {
    return {{"text", p.text},
            {"muted", p.muted},
            {"accent", p.accent},
            {"archived", p.archived},
            {"measured", p.measured},
            {"modelled", p.modelled},
            {"ok", p.ok},
            {"wrong", p.wrong},
            {"suspicious", p.suspicious},
            {"warning", p.warning},
            {"keyword", p.keyword},
            {"type", p.type},
            {"builtin", p.builtin},
            {"string", p.string},
            {"number", p.number},
            {"comment", p.comment},
            {"preprocessor", p.preprocessor}};
}

} // namespace kernelarium::ui
