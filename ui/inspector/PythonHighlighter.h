// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QSyntaxHighlighter>

namespace kernelarium::ui {

/// Colours Python in a document as the editor colours CUDA: keywords, names of PyTorch, literals and comments.
class PythonHighlighter : public QSyntaxHighlighter {
    Q_OBJECT
public:
    PythonHighlighter(QTextDocument& document, const Theme& theme);

protected:
    void highlightBlock(const QString& line) override;

private:
    enum State { code, inDoubleQuotes, inSingleQuotes }; ///< of a text in three quotation marks that goes on
    int takeString(const QString& line, int from, int begin, QChar quote, bool isTriple);

    const Theme& m_theme;
};

} // namespace kernelarium::ui
