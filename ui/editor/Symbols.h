// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/Scintilla.h"
#include "ui/names/SourceIndex.h"

#include <functional>
#include <memory>

namespace kernelarium::ui {

class LatestJob;

/// Names of the text in an editor: from one to its definition and back, and another name for all of its places. The
/// text is read off the GUI thread; what was found for a text that has changed since is dropped.
class Symbols : public QObject {
    Q_OBJECT
public:
    /// `marker`: one of the editor's markers, which it takes without drawing anything.
    Symbols(QsciScintilla& editor, int marker);

    /// Of the name at a position; from a definition to the next one of the same name.
    void goToDefinition(long position);
    /// Where goToDefinition() was asked last.
    void goBack();
    [[nodiscard]] bool canGoBack() const { return !m_from.empty(); }
    /// The text is another one.
    void forget();

    /// Where a name stands for the same, and what else is known of the text.
    struct Places {
        QString name;
        std::vector<SourceSpan> places;
        bool wholeFile = true; ///< else within a function, say
        std::shared_ptr<const SourceIndex> index;
    };
    /// Of the name at the cursor. Says so where there is none.
    void findPlaces(std::function<void(Places)> found);
    /// Why a name can be none; empty where it can.
    [[nodiscard]] static QString problemWith(const QString& name);
    /// Writes another name to all of the places, which are of the text as it stands: one undo step.
    void rename(const Places& places, const QString& name);

Q_SIGNALS:
    void jumped(int line, int column);  ///< both from 1, in bytes
    void said(const QString& sentence); ///< why nothing happened

private:
    void read(std::function<void(std::shared_ptr<const SourceIndex>)> then);
    void arrive(const SourceIndex& index, long position);

    QsciScintilla& m_editor;
    int m_marker;
    LatestJob* m_job;
    quint64 m_revision = 0;
    struct From {
        int handle; ///< of a marker on its line, which follows edits
        int column;
    };
    std::vector<From> m_from;
};

} // namespace kernelarium::ui
