// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/PlotPanel.h"

#include "ui/plots/PlotCanvas.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/EmptyState.h"

#include <QContextMenuEvent>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace kernelarium::ui {

PlotPanel::PlotPanel(Theme& theme, PlotCanvas* canvas, const QString& iconName, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_canvas(canvas)
    , m_empty(new EmptyState(theme, iconName, this))
    , m_card(new HoverCard(*canvas))
    , m_column(new QVBoxLayout(this))
    , m_stack(new QStackedLayout) {
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_column->addLayout(m_stack, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_canvas);
    m_copyPicture = addPlotAction(tr("Copy picture"), tr("Copies the plot as it is shown"), QKeySequence());
    m_copyNumbers = addPlotAction(
        tr("Copy numbers"), tr("Copies the plotted records as a table, cells separated by tabs"), QKeySequence::Copy);
    m_save =
        addPlotAction(tr("Save chart…"), tr("Saves the plot as SVG or PNG, or its numbers as CSV"), QKeySequence());
    m_reset =
        addPlotAction(tr("Show everything"), tr("Resets zoom and position (double click)"), QKeySequence(Qt::Key_0));
    connect(m_copyPicture, &QAction::triggered, this, &PlotPanel::copyPicture);
    connect(m_copyNumbers, &QAction::triggered, this, &PlotPanel::copyNumbers);
    connect(m_save, &QAction::triggered, this, &PlotPanel::chooseFile);
    connect(m_reset, &QAction::triggered, m_canvas, &PlotCanvas::resetView);
    connect(m_canvas, &PlotCanvas::markEntered, this, &PlotPanel::enter);
    connect(m_canvas, &PlotCanvas::markActivated, this, [this](int mark) { activate(mark); });
    connect(m_empty, &EmptyState::actionRequested, this, &PlotPanel::actionRequested);
    connect(&theme, &Theme::changed, this, &PlotPanel::restyle);
    setFocusProxy(m_canvas);
    restyle();
}

QAction* PlotPanel::addPlotAction(const QString& text, const QString& toolTip, const QKeySequence& shortcut) {
    auto* action = new QAction(text, this);
    action->setToolTip(toolTip);
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(action);
    return action;
}

void PlotPanel::setBar(QWidget* bar) {
    m_column->insertWidget(0, bar);
}
bool PlotPanel::isEmpty() const {
    return m_stack->currentWidget() == m_empty;
}

void PlotPanel::setEmpty(bool empty) {
    m_stack->setCurrentWidget(empty ? static_cast<QWidget*>(m_empty) : m_canvas);
    if (empty) m_card->hide();
}

PlotLook PlotPanel::look(const Palette& palette) const {
    return {palette, m_theme.textFont(), m_theme.captionFont()};
}

void PlotPanel::restyle() {
    m_canvas->setLook(look(m_theme.colours()));
    m_card->setColours(m_theme.colours(), m_theme.captionFont());
    if (m_canvas->current() >= 0) enter(m_canvas->current());
}

void PlotPanel::enter(int mark) {
    if (mark < 0) {
        m_canvas->setAccessibleDescription({});
        return m_card->hide();
    }
    const Record record = recordOf(mark);
    m_canvas->setAccessibleDescription(record.plain());
    if (isVisible()) m_card->show(record, m_canvas->markPosition(mark).toPoint());
}

void PlotPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_canvas->setCurrent(-1);
    m_card->hide();
}

QImage PlotPanel::picture() const {
    return pictureOfPlot(*m_canvas);
}

QString PlotPanel::svgOf(PlotCanvas& fresh, QSize size, const Palette& palette) const {
    fresh.setLook(look(palette));
    return svgOfPlot(fresh, size, m_canvas->accessibleName());
}

ChartContent PlotPanel::content() const {
    return {[this] { return svg(m_canvas->size(), m_theme.colours()); }, [this] { return picture(); },
            [this] { return numbers(); },
            m_canvas->accessibleName().toLower().replace(QLatin1Char(' '), QLatin1Char('-'))};
}

Result<void> PlotPanel::saveTo(const QString& path) const {
    return saveChart(content(), path);
}
void PlotPanel::copyPicture() {
    ui::copyPicture(content());
}
void PlotPanel::copyNumbers() {
    ui::copyNumbers(content());
}

void PlotPanel::chooseFile() {
    chooseChartFile(*this, content(), [this](const QString& why) { Q_EMIT failed(why); });
}

void PlotPanel::contextMenuEvent(QContextMenuEvent* event) {
    if (isEmpty()) return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    const bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
    const int mark = keyboard ? m_canvas->current() : m_canvas->markAt(m_canvas->mapFrom(this, event->pos()));
    fillMenu(*menu, mark);
    if (!menu->isEmpty()) menu->addSeparator();
    menu->addActions({m_copyPicture, m_copyNumbers, m_save});
    menu->addSeparator();
    menu->addAction(m_reset);
    const QPoint place =
        keyboard && mark >= 0 ? m_canvas->mapToGlobal(m_canvas->markPosition(mark).toPoint()) : event->globalPos();
    menu->popup(place);
}

} // namespace kernelarium::ui
