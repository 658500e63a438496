// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/LineNumbers.h"
#include "ui/editor/PtxListing.h"
#include "ui/editor/Scintilla.h"

#include <QWidget>
#include <map>
#include <memory>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QStackedLayout;
class QToolButton;

namespace kernelarium::ui {

class LatestJob;
class PtxLexer;
class Theme;

/// What a PtxView shows.
enum class Assembly { ptx, sass };

/// The PTX of the source, or the machine's instructions, line by line beside the number of the source line that each
/// was made from.
class PtxView : public QWidget {
    Q_OBJECT
public:
    explicit PtxView(Theme& theme, Assembly assembly = Assembly::ptx, QWidget* parent = nullptr);

    /// Another text, read off the GUI thread; empty shows what the panel is for. The chosen function stays chosen
    /// by name, and the highlighted source line stays.
    void setPtx(const QString& text);
    /// Why there is no text, in the place of what the panel is for.
    void refuse(const QString& why);
    [[nodiscard]] QString emptyText() const; ///< what stands there when there is no text
    [[nodiscard]] bool isEmpty() const;
    /// Highlights what a source line became and scrolls to the first; 0 highlights nothing. Emits nothing.
    void showSourceLine(int line);

    /// Names of the functions in the order of the list: kernels, the file's functions, support code.
    [[nodiscard]] QStringList functions() const;
    /// Chooses by name; false when there is none of that name.
    bool chooseFunction(const QString& name);
    void setDetails(bool shown); ///< .loc, .file and debug sections

    /// The PTX lines (0-based, of what is shown) that are highlighted.
    [[nodiscard]] std::vector<int> highlighted() const { return m_highlighted; }
    /// What is compared of the shown lines with those of another view: the text of each.
    [[nodiscard]] std::vector<std::string> shownLines() const;
    /// Marks lines (0-based, of what is shown) until something else is shown; empty: none.
    void markDifferent(const std::vector<int>& lines);
    [[nodiscard]] const std::vector<int>& different() const { return m_different; }
    /// The next marked run of lines after the cursor, around the end; false where nothing is marked.
    bool goToNextDifferent();
    /// What it was compiled for, before the count of instructions: "sm_90".
    void setCaption(const QString& caption);
    [[nodiscard]] QString summary() const;        ///< caption and count
    [[nodiscard]] std::vector<int> bands() const; ///< source lines that something shown was made from, each once
    /// Shows what another view shows, without choices of its own.
    void showAs(const PtxView& other);
    [[nodiscard]] QString chosenFunction() const;
    [[nodiscard]] QsciScintilla& editor() { return *m_editor; } ///< for a FindBar

Q_SIGNALS:
    void sourceLineActivated(int line); ///< the cursor went to PTX of another source line
    void listingReady();                ///< after setPtx
    void shownChanged();                ///< another text, function or choice of details

private:
    void build();
    void applyTheme();
    void fillFunctions();
    void showSelection();
    void highlight(bool scroll);
    void cursorMoved();
    void refreshSummary();
    void paintBands();

    Theme& m_theme;
    const Assembly m_assembly;
    LatestJob* m_job;
    QStackedLayout* m_pages = nullptr;
    QComboBox* m_choice = nullptr;
    QToolButton* m_details = nullptr;
    QLabel* m_summary = nullptr;
    QLabel* m_empty = nullptr;
    QsciScintilla* m_editor = nullptr;
    PtxLexer* m_lexer = nullptr;
    std::unique_ptr<LineNumbers> m_numbers;
    std::shared_ptr<const PtxListing> m_listing;
    std::vector<int> m_shownSource;          ///< source line by shown line
    std::multimap<int, int> m_shownOfSource; ///< the other way round
    std::vector<int> m_highlighted;
    std::vector<int> m_different;
    QString m_caption;
    std::size_t m_instructions = 0;
    int m_sourceLine = 0;
    bool m_quiet = false; ///< the cursor moves because we move it
};

} // namespace kernelarium::ui
