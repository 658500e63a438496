// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/Scintilla.h"

namespace kernelarium::ui {

/// Completion and call tips of a CUDA text.
///
/// Words come from CudaNames and from the document: all of it up to 256 KB, else the 256 KB round the cursor, so that
/// a key costs the same in any file.
class Completion : public QObject {
    Q_OBJECT
public:
    static constexpr int threshold = 3; ///< letters after which the list opens by itself

    explicit Completion(QsciScintilla& editor);

    /// Opens the list for what stands before the cursor, however short.
    void complete();
    /// Shows the tip of the call whose parentheses the cursor is in.
    void showCallTip();

private:
    void added(int character);
    void open(int least);
    bool openInMark(int least); ///< whether the cursor is where a mark of a tunable text has words
    [[nodiscard]] QByteArray prefix(bool& afterMember) const;
    [[nodiscard]] bool inProse() const;

    QsciScintilla& m_editor;
};

} // namespace kernelarium::ui
