// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/Kernel.h"
#include "ui/words/GeneratedKernels.h"
#include "ui/workspace/SelectionHistory.h"
#include "ui/workspace/TakenHunks.h"

#include <QHash>
#include <QObject>
#include <QTimer>
#include <functional>

namespace kernelarium::ui {

class ArchiveDesk;
class Notices;
class SessionDesk;

/// One kernel and its text as it stands: what is put on the bench, what was there before, and the edits that are not
/// saved. Everything returns at once; what is opened arrives as a signal.
class Bench : public QObject {
    Q_OBJECT
public:
    Bench(ArchiveDesk& archive, SessionDesk& session, Notices& notices, QObject* parent = nullptr);
    ~Bench() override;

    [[nodiscard]] const Kernel& kernel() const { return m_kernel; }
    [[nodiscard]] const QString& source() const { return m_source; }
    [[nodiscard]] quint64 generation() const { return m_generation; } ///< grows with every change of the text
    [[nodiscard]] bool isEdited() const { return !m_kernel.isEmpty() && m_source != m_kernel.original; }

    // What is on the bench. `line` (from 1) is shown; 0: where the reader was.
    void openArchived(qint64 id, int line = 0);
    void openFile(const QString& path) { openFiles({path}); }
    /// One after the other, as if each had been chosen in turn: the last one stays on the bench.
    void openFiles(const QStringList& paths);
    void openText(const Kernel& kernel, int line = 0); ///< a lesson's or a new one; `original` is its text
    void openKey(const QString& key);                  ///< one that was on the bench before
    /// A new text of the session: its key and title are made here, from where it was generated or without.
    void openNew(Kernel kernel, const std::optional<GeneratedFrom>& from = {});
    /// Grows with every request to put a kernel on the bench: only the newest is heard.
    [[nodiscard]] quint64 openings() const { return m_opening; }
    [[nodiscard]] bool canGoBack() const { return m_history.canGoBack(); }
    [[nodiscard]] bool canGoForward() const { return m_history.canGoForward(); }
    void goBack() { openKey(m_history.back()); }
    void goForward() { openKey(m_history.forward()); }

    /// The editor's text changed under the user's fingers.
    void setSource(const QString& text, int cursorLine);
    /// Another text from elsewhere: an attempt, the original, a reverted change. The editor takes it over, undoable.
    void replaceSource(const QString& text);
    /// The text with a change of another kernel in it, undoable likewise. The next attempt that has it names both.
    void takeHunk(const HunkSource& source, const QString& text);
    /// Whose changes the text has that no attempt names yet.
    [[nodiscard]] std::vector<session::OtherParent> takenFrom() const { return m_taken.in(m_kernel.key, m_source); }
    /// An attempt at this kernel names them now.
    void takenIsKept(const QString& key, const std::vector<session::OtherParent>& parents);
    void revertToOriginal() { replaceSource(m_kernel.original); }
    void saveToFile(const QString& path);

    /// Changes what the kernel is held against, and nothing else; remembered while the program runs.
    void amend(const std::function<void(Kernel&)>& change);

    void goTo(int line, int column = 0) { Q_EMIT lineRequested(line, column); }
    /// The line that stepping stands at; 0: none.
    void setStepLine(int line);
    [[nodiscard]] int stepLine() const { return m_stepLine; }

Q_SIGNALS:
    /// Another kernel is on the bench, and nobody has looked at it: what is known of the former one is to be forgotten.
    void kernelPut();
    void kernelChanged(); ///< likewise, for those who show it: source() is its text
    /// source() is another text and generation() grew, for what works on the text. `opened`: it was not typed, and
    /// nobody types at it.
    void textChanged(bool opened);
    void sourceChanged();                     ///< the text was changed, or isEdited() did
    void sourceReplaced(const QString& text); ///< by replaceSource()
    void lineRequested(int line, int column);
    void lineRemembered(int line);                           ///< where the reader of an unsaved text was
    void keyChanged(const QString& from, const QString& to); ///< before kernelChanged(): it was saved under a name
    void stepLineChanged(int line);

private:
    void put(Kernel kernel, int line);
    void sourceIsNow(const QString& text);
    void openNext(quint64 opening, QStringList paths);
    void openDraft(const QString& key);
    void takeWhatWasSet(Kernel& kernel) const;
    void saved(const QString& path, const QString& text);
    void keepDraft();
    void settleDraft();
    void keepTaken();
    void keepCardPath();
    [[nodiscard]] QString cardPathOf(const QString& key) const;

    ArchiveDesk& m_archive;
    SessionDesk& m_session;
    Notices& m_notices;
    Kernel m_kernel;
    QString m_source;
    quint64 m_generation = 0;
    int m_cursorLine = 0;
    int m_stepLine = 0;
    quint64 m_opening = 0;
    SelectionHistory m_history;
    QHash<QString, Kernel> m_known; ///< by key: all that were on the bench
    QTimer m_draftPause;
    TakenHunks m_taken;
};

} // namespace kernelarium::ui
