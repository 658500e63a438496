// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <array>
#include <string_view>
#include <vector>

namespace kernelarium::ui {

/// The named colours of a theme. Every colour that carries text stands out from `background`, `raised` and `field`
/// by at least 4.5:1 (WCAG 2.1, 1.4.3); marks and lines by at least 3:1.
struct Palette {
    bool dark = false;

    QColor background; ///< of the window
    QColor raised;     ///< bars, headers, docks' titles
    QColor field;      ///< tables, text, editors, plots
    QColor hover;
    QColor selection;     ///< behind selected text or rows
    QColor selectionText; ///< on it
    QColor text;
    QColor muted; ///< units, captions
    QColor line;  ///< hairlines
    QColor grid;  ///< of plots
    QColor accent;
    QColor accentText; ///< on accent

    // Where a number comes from. The mark's shape says the same: hollow, filled, dashed.
    QColor archived;
    QColor measured;
    QColor modelled;

    QColor ok;
    QColor wrong;
    QColor suspicious;
    QColor warning;

    // Code.
    QColor keyword;
    QColor type;
    QColor builtin; ///< CUDA's and torch's names
    QColor string;
    QColor number;
    QColor comment;
    QColor preprocessor;
    QColor currentLine; ///< background
    QColor added;       ///< background in a diff
    QColor removed;     ///< background in a diff

    /// Six that colour-blind readers can tell apart (Okabe and Ito, 2008), adjusted to the background.
    std::array<QColor, 6> series;
};

[[nodiscard]] const Palette& lightPalette();
[[nodiscard]] const Palette& darkPalette();

/// Contrast ratio of two opaque colours, 1 to 21 (WCAG 2.1, relative luminance).
[[nodiscard]] double contrast(const QColor& a, const QColor& b);

struct NamedColour {
    std::string_view name;
    QColor colour;
};
/// Those of the palette's colours in which text is written, on any of background, raised and field.
[[nodiscard]] std::vector<NamedColour> textColours(const Palette& palette);

} // namespace kernelarium::ui
