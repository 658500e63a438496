// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Palette.h"

#include <QFont>
#include <QIcon>
#include <QObject>
#include <QString>

class QApplication;

namespace kernelarium::ui {

/// Colours, fonts and icons of the whole window. Panels take a reference, draw from colours() and redraw on changed().
class Theme : public QObject {
    Q_OBJECT
public:
    enum class Choice { system, light, dark };

    explicit Theme(QObject* parent = nullptr);

    [[nodiscard]] Choice choice() const { return m_choice; }
    /// Applies to the running application at once; emits changed() when the colours change.
    void setChoice(Choice choice);
    [[nodiscard]] static QString word(Choice choice); ///< "system", "light", "dark"
    [[nodiscard]] static Choice choiceFromWord(const QString& word);

    /// Everything half as large again, to be read from the last row of a room; emits changed().
    void setProjected(bool projected);
    [[nodiscard]] bool isProjected() const { return m_projected; }

    [[nodiscard]] const Palette& colours() const { return *m_palette; }

    [[nodiscard]] QFont textFont() const { return m_text; }
    [[nodiscard]] QFont captionFont() const; ///< one step smaller
    [[nodiscard]] QFont headingFont() const; ///< the same size, semibold
    [[nodiscard]] QFont codeFont() const { return m_code; }
    /// 4 logical pixels: distances are multiples.
    static constexpr int unit = 4;

    /// An icon of resources/icons by its file's name without the ending, drawn in the text colour (muted when
    /// disabled).
    [[nodiscard]] QIcon icon(const QString& name) const;
    [[nodiscard]] QIcon icon(const QString& name, const QColor& colour) const;

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void apply();
    void sizeFonts();
    [[nodiscard]] bool systemIsDark() const;

    Choice m_choice = Choice::system;
    const Palette* m_palette;
    const Palette* m_applied = nullptr; ///< the one that the application has; none when the desktop's has come over it
    QFont m_text;
    QFont m_code;
    double m_plainSize = 10; ///< points of both
    bool m_projected = false;
    bool m_applying = false;
    bool m_systemDark = false;
};

} // namespace kernelarium::ui
