// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/ToolkitPage.h"

#include "ui/dialogs/GetToolkitDialog.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

constexpr int rowsOfToolkits = 4;
constexpr int linesOfFinding = 3;
constexpr int permille = 1000;
constexpr int widestPath = 230; ///< the whole of it is in the tool tip

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

} // namespace

ToolkitPage::ToolkitPage(ToolkitDesk& desk, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_list(new QTreeWidget)
    , m_finding(new QLabel)
    , m_progress(new QProgressBar)
    , m_get(new QPushButton(tr("&Get…")))
    , m_remove(new QPushButton(tr("&Remove")))
    , m_cancel(new QPushButton(tr("&Stop"))) {
    build();
    connect(&desk, &ToolkitDesk::changed, this, &ToolkitPage::refresh);
    connect(&desk, &ToolkitDesk::progressChanged, this, &ToolkitPage::refreshProgress);
    connect(&desk, &ToolkitDesk::ended, this, [this](const QString& summary) {
        m_end = summary;
        refresh();
    });
    connect(m_get, &QPushButton::clicked, this, [this] { GetToolkitDialog::openOn(m_desk, this); });
    connect(m_remove, &QPushButton::clicked, &desk, &ToolkitDesk::remove);
    connect(m_cancel, &QPushButton::clicked, &desk, &ToolkitDesk::cancel);
    refresh();
    refreshProgress();
    desk.look();
}

void ToolkitPage::build() {
    auto* caption = new QLabel(tr("CUDA &toolkits"));
    caption->setBuddy(m_list);
    m_list->setAccessibleName(tr("CUDA toolkits"));
    m_list->setHeaderLabels({tr("Toolkit"), tr("Version"), tr("Found"), tr("Used for")});
    m_list->setRootIsDecorated(false);
    m_list->setTabKeyNavigation(false);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setFixedHeight(m_list->header()->sizeHint().height() + rowsOfToolkits * (fontMetrics().height() + 6) + 4);
    m_finding->setObjectName(QStringLiteral("toolkitFinding"));
    m_finding->setAccessibleName(tr("What is missing"));
    m_finding->setProperty("role", "muted");
    m_finding->setWordWrap(true);
    m_finding->setTextFormat(Qt::PlainText);
    m_finding->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_finding->setAlignment(Qt::AlignTop);
    m_finding->setMinimumHeight(fontMetrics().height() * linesOfFinding);
    m_progress->setRange(0, permille);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress"));
    m_cancel->setToolTip(tr("What came is kept, and getting it again resumes from there"));
    for (QPushButton* button : {m_get, m_remove, m_cancel})
        button->setAutoDefault(false);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_get);
    row->addWidget(m_remove);
    row->addWidget(m_progress, 1);
    row->addWidget(m_cancel);
    row->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(caption);
    layout->addWidget(m_list);
    layout->addWidget(m_finding);
    layout->addLayout(row);
}

QString ToolkitPage::finding() const {
    return m_finding->text();
}

void ToolkitPage::refresh() {
    const auto& state = m_desk.state();
    if (!state.answer) {
        m_finding->setText(isBusy(state.stage) ? tr("Looking…") : QString::fromStdString(state.error.text()));
        m_remove->setEnabled(false);
        return;
    }
    const toolkit::Toolkits& found = state.answer->toolkits;
    m_list->clear();
    for (std::size_t i = 0; i < found.found.size(); ++i) {
        const toolkit::FoundToolkit& kit = found.found[i];
        const QStringList cells{QString::fromStdString(kit.root),
                                kit.version.empty() ? QStringLiteral("-") : QString::fromStdString(kit.version),
                                fromView(toolkit::originName(kit.origin)),
                                QString::fromStdString(toolkit::useText(found, i))};
        auto* item = new QTreeWidgetItem(m_list, cells);
        for (int column = 0; column < cells.size(); ++column)
            item->setToolTip(column, cells[column]);
    }
    for (int column = 0; column + 1 < m_list->columnCount(); ++column)
        m_list->resizeColumnToContents(column);
    m_list->setColumnWidth(0, std::min(m_list->columnWidth(0), widestPath));
    QStringList lines;
    if (!m_end.isEmpty()) lines << m_end;
    if (found.found.empty()) lines << tr("No CUDA toolkit was found.");
    for (const std::string& text : toolkit::missingTexts(found))
        lines << QString::fromStdString(text);
    m_finding->setText(lines.join(QLatin1Char('\n')));
    m_remove->setEnabled(state.answer->brought.has_value() && !m_desk.isBusy());
    m_remove->setToolTip(state.answer->brought ? tr("Remove the toolkit that was brought into your own folder")
                                               : tr("Not now: no toolkit was brought"));
}

void ToolkitPage::refreshProgress() {
    const bool busy = m_desk.isBusy();
    m_progress->setVisible(busy);
    m_cancel->setVisible(busy);
    m_get->setEnabled(!busy);
    m_get->setToolTip(busy ? tr("Not now: a toolkit is being brought or removed")
                           : tr("See what compiling needs, with sizes and licence, and install it in your own folder"));
    if (busy) m_remove->setEnabled(false);
    if (!busy) return;
    m_end.clear();
    m_finding->setText(m_desk.progressText());
    m_progress->setRange(0, m_desk.fraction() < 0 ? 0 : permille);
    m_progress->setValue(int(m_desk.fraction() * permille));
}

} // namespace kernelarium::ui
