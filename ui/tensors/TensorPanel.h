// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/TensorDesk.h"
#include "ui/theme/Theme.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QStackedWidget;
class QTableView;
class QTabWidget;

namespace kernelarium::ui {

class Bench;
class ElementModel;
class EmptyState;
class HistogramPlot;
class StoryBar;
class TensorBar;
class TensorPicture;
class Trials;
class ValuesModel;

/// What the inputs and outputs of a run hold: figures, a slice as a picture and in numbers, how values are distributed,
/// where the output is wrong, which thread and line wrote an element, and what else these wrote.
class TensorPanel : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Trials& trials;
        TensorDesk& desk;
    };
    TensorPanel(const Around& around, Theme& theme, QWidget* parent = nullptr);

    /// Lists and outlines what such stores wrote last; looks at the tensors first, where nobody did.
    void showWritten(const verify::WriterFilter& filter);
    /// Selects an element of an output, by row-major number, in what is shown of that; looks at the tensors first,
    /// where nobody did.
    void showElement(std::size_t output, std::int64_t element);
    /// Selects an element of the chosen tensor and asks who wrote it.
    void select(const tensor::Shape& element);

    [[nodiscard]] TensorBar& bar() { return *m_bar; }
    [[nodiscard]] TensorPicture& picture() { return *m_picture; }
    [[nodiscard]] HistogramPlot& histogram() { return *m_histogram; }
    [[nodiscard]] QTableView& values() { return *m_valuesView; }
    [[nodiscard]] QTableView& wrong() { return *m_wrongView; }
    [[nodiscard]] QTableView& written() { return *m_writtenView; }
    [[nodiscard]] QTabWidget& tabs() { return *m_tabs; }
    [[nodiscard]] StoryBar& story() { return *m_story; }
    [[nodiscard]] EmptyState& emptyState() { return *m_empty; }
    [[nodiscard]] bool isShowingTensors() const;
    [[nodiscard]] QString figures() const;

private:
    void build();
    QWidget* body();
    void connectParts();
    void refresh(); ///< which page, and what it says of the run
    void takeRun(); ///< another one was opened
    void take(TensorDesk::Kind kind);
    void takeFigures();
    void takeWrong();
    void takeWritten();
    void takeStory();
    void showEntry(); ///< asks for what is seen of the chosen tensor
    void askFigures();
    void askPicture();
    void askWritten();
    void askWrong();
    void lookInEmulator();
    void showWanted(); ///< what m_wanted says, where it is there
    [[nodiscard]] bool isOfThisText() const;
    void goToLine();
    void stepThrough();
    [[nodiscard]] bool isReading() const;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

    Around m_with;
    Theme& m_theme;
    TensorBar* m_bar;
    QLabel* m_figures;
    TensorPicture* m_picture;
    ValuesModel* m_values;
    QTableView* m_valuesView;
    HistogramPlot* m_histogram;
    ElementModel* m_wrong;
    QTableView* m_wrongView;
    QLabel* m_wrongText;
    ElementModel* m_written;
    QTableView* m_writtenView;
    QLabel* m_writtenText;
    QTabWidget* m_tabs;
    StoryBar* m_story;
    EmptyState* m_empty;
    QStackedWidget* m_pages;
    QTimer m_reading; ///< runs until a picture takes so long that it has to be said
    bool m_selecting = false;
    struct WantedElement {
        std::size_t output = 0;
        std::int64_t element = 0;
        std::optional<tensor::Shape> of; ///< where only an output of this shape has it
    };
    std::optional<WantedElement> m_wanted;        ///< until the run is there
    std::optional<tensor::Shape> m_selected;      ///< element of the chosen tensor
    std::optional<verify::WriterFilter> m_filter; ///< whose elements are listed, or are to be
    TensorAnswer m_shownWritten;
    std::optional<std::size_t> m_wrongOf; ///< the output whose wrong elements were asked for
};

} // namespace kernelarium::ui
