// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/source/SourceFormat.h"
#include "ui/theme/Theme.h"
#include "ui/workspace/TakenHunks.h"

#include <QHash>
#include <QWidget>
#include <memory>

class QLabel;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace kernelarium::compile {
struct CompiledUnit;
}

namespace kernelarium::ui {

class CodeEditor;
class DiffView;
class FindBar;
class KernelTabs;
struct EditorPage;
class PromptBar;
class PtxView;
class ArchiveDesk;
class Assignment;
class Bench;
class CompileDesk;
class FormatDesk;
class Heat;
class Notices;
class PastTrials;
class Place;
class ProfileDesk;
class RunDesk;
class SessionDesk;
class SassPanel;
class Settings;
class SecondAssembly;
class SourceMarks;
class TidyDesk;

/// The kernel's text, the PTX and the machine's instructions beside it, and the differences in their place.
class EditorArea : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Assignment& assignment;
        Place& place;
        Heat& heat;
        PastTrials& past;
        ArchiveDesk& archive;
        CompileDesk& compiler;
        RunDesk& runner;
        SessionDesk& session;
        ProfileDesk& profiles;
        TidyDesk& tidy;
        FormatDesk& formatter;
        Notices& notices;
        Settings& settings;
    };
    EditorArea(const Around& around, Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] CodeEditor& editor() { return *m_editor; }
    [[nodiscard]] PtxView& ptx() { return *m_ptx; }
    [[nodiscard]] SassPanel& sass() { return *m_native; }
    [[nodiscard]] DiffView& diff() { return *m_diff; }
    [[nodiscard]] KernelTabs& tabs() { return *m_tabs; }
    [[nodiscard]] PromptBar& prompt() { return *m_prompt; }

    void focusEditor();
    void find();
    void replace();
    void findNext();
    void findPrevious();
    void askForLine();     ///< and goes there
    void askForNewName();  ///< of the name at the cursor, for all of its places
    void goToDefinition(); ///< of the name at the cursor
    void goBackFromDefinition();
    void format(); ///< the text by clang-format, or the lines of the selection
    void goToNextMark();
    void goToPreviousMark();
    void showDiff(bool shown);
    [[nodiscard]] bool isShowingDiff() const;
    /// Against an attempt's text instead of the original.
    void compareWith(qint64 attempt);
    /// Against an archived kernel, by its number.
    void compareWithArchived(qint64 kernel);
    void compareWithText(const QString& text, const HunkSource& source);
    void showPtx(bool shown);
    [[nodiscard]] bool isShowingPtx() const;
    void showSass(bool shown);
    [[nodiscard]] bool isShowingSass() const;
    /// The PTX or SASS of another architecture or other options, beside the first.
    void showSecond(bool shown);
    [[nodiscard]] bool isShowingSecond() const;
    [[nodiscard]] SecondAssembly& second() { return *m_second; }
    void askForOptions(); ///< of the compiler
    [[nodiscard]] QToolButton& optionsButton() { return *m_options; }
    /// Tab moves the focus out of the text, whatever text it is.
    void setTabMoves(bool moves);
    [[nodiscard]] bool tabMoves() const;

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void cursorMoved(int line, int column);
    void typingChanged(const QString& state); ///< what Tab does in the text, where it does not type; else empty
    void filesDropped(const QStringList& paths);
    void stateChanged();
    void openRequested();    ///< of the empty state
    void newRequested();     ///< of the empty state: a kernel for a task
    void lessonsRequested(); ///< of the empty state

private:
    void leaveKeysToTheWindow();
    void tellTyping();
    void openKernel();
    void openText();
    void refreshHeader();
    void refreshPtx();
    void refreshBands();
    void refreshDiff();
    void takeChange(const QString& text);
    void refreshOptions();

    Around m_with;
    Theme& m_theme;
    KernelTabs* m_tabs;
    QLabel* m_title;
    QLabel* m_subtitle;
    CodeEditor* m_editor;
    PtxView* m_ptx;
    SassPanel* m_native;
    SecondAssembly* m_second;
    QToolButton* m_options; ///< what the kernel is compiled with, where it is read and changed
    DiffView* m_diff;
    FindBar* m_find;
    PromptBar* m_prompt;
    QSplitter* m_split;
    QStackedWidget* m_pages;
    SourceMarks* m_marks;
    SourceFormat m_format;
    QString m_compared;                                       ///< the text that differences are shown against
    HunkSource m_comparedFrom;                                ///< whose it is; without a key: the original
    QString m_shown;                                          ///< the key of the kernel whose text is shown
    QHash<QString, std::shared_ptr<const EditorPage>> m_kept; ///< of the other tabs, by key
    bool m_isAsLeft = false;                                  ///< the page shown: nobody is to be led elsewhere
    /// Held: another one must not come to lie at the address of one that is gone.
    std::shared_ptr<const compile::CompiledUnit> m_ptxUnit;
    bool m_diffOpened = false; ///< its first change is to be gone to
};

} // namespace kernelarium::ui
