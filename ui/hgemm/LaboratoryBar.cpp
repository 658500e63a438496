// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hgemm/LaboratoryBar.h"

#include "ui/hgemm/LaboratoryEntry.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/WrapLayout.h"
#include "ui/words/Quantities.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDataStream>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolButton>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

using Kind = hgemm::Subject::Kind;
constexpr std::array libraries{Kind::cublas, Kind::ltFirst, Kind::ltFastest};
constexpr std::array modes{hgemm::Mode::hot, hgemm::Mode::cold, hgemm::Mode::offline, hgemm::Mode::server};

QString fieldText(const std::vector<hgemm::Shape>& shapes) {
    QStringList words;
    for (const hgemm::Shape& s : shapes)
        words << QStringLiteral("%1x%2x%3").arg(s.m).arg(s.n).arg(s.k);
    return words.join(QStringLiteral(", "));
}

} // namespace

LaboratoryBar::LaboratoryBar(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_shapes(new QLineEdit)
    , m_known(new QToolButton)
    , m_mode(new QComboBox)
    , m_layout(new QComboBox)
    , m_sums(new QComboBox)
    , m_baselines(new QToolButton)
    , m_energy(new QCheckBox(tr("Joules")))
    , m_search(new QCheckBox(tr("Search first")))
    , m_start(new QPushButton)
    , m_bar(new QProgressBar)
    , m_progress(new QLabel) {
    fillBoxes();
    build(theme);
    connect(m_start, &QPushButton::clicked, this, [this] {
        if (m_running)
            Q_EMIT cancelRequested();
        else
            Q_EMIT startRequested();
    });
    connect(m_shapes, &QLineEdit::returnPressed, this, [this] {
        if (!m_running && m_start->isEnabled()) Q_EMIT startRequested();
    });
    connect(m_mode, &QComboBox::currentIndexChanged, this, [this] {
        refresh();
        Q_EMIT modeChanged();
        Q_EMIT stateChanged();
    });
    for (QComboBox* box : {m_layout, m_sums})
        connect(box, &QComboBox::currentIndexChanged, this, &LaboratoryBar::stateChanged);
    for (QCheckBox* box : {m_energy, m_search})
        connect(box, &QCheckBox::toggled, this, &LaboratoryBar::stateChanged);
    connect(m_shapes, &QLineEdit::editingFinished, this, &LaboratoryBar::stateChanged);
    setState({});
}

void LaboratoryBar::fillBoxes() {
    m_shapes->setText(QStringLiteral("64, 1024, 4096"));
    m_shapes->setAccessibleName(tr("Shapes"));
    m_shapes->setToolTip(tr("C[M,N] = A[M,K] · B[K,N]: write 64x128x1024, several with commas; one number is a cube"));
    m_shapes->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("64x128x16384, 4096 ")));
    m_shapes->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_known->setText(tr("Shapes"));
    m_known->setToolTip(tr("Put known shapes into the field"));
    m_known->setMenu(new QMenu(m_known));
    m_known->setPopupMode(QToolButton::InstantPopup);
    for (const hgemm::Mode mode : modes)
        m_mode->addItem(modeText(mode));
    m_mode->setAccessibleName(tr("Mode"));
    m_mode->setToolTip(tr("Hot: calls back to back. Cold: an L2 cache without the operands. Offline: one call and a "
                          "wait for it, over and over. Server: requests at random times. Modes are never mixed"));
    m_layout->addItems({tr("both layouts"), tr("B as [N,K] (tn)"), tr("B as [K,N] (nn)")});
    m_layout->setAccessibleName(tr("Layout"));
    m_layout->setToolTip(tr("How B lies in memory; of both, the faster one counts, for each"));
    m_sums->addItems({tr("float32 sums"), tr("float16 sums")});
    m_sums->setAccessibleName(tr("Sums"));
    m_sums->setToolTip(tr("In what our kernels add up; the libraries always do in float32"));
    auto* menu = new QMenu(m_baselines);
    for (const Kind kind : libraries) {
        const std::string_view name = hgemm::name(kind);
        QAction* one = menu->addAction(QString::fromUtf8(name.data(), qsizetype(name.size())));
        one->setCheckable(true);
        one->setChecked(true);
        m_libraries << one;
        connect(one, &QAction::toggled, this, &LaboratoryBar::stateChanged);
    }
    m_baselines->setText(tr("Baselines"));
    m_baselines->setToolTip(tr("What is measured beside ours"));
    m_baselines->setMenu(menu);
    m_baselines->setPopupMode(QToolButton::InstantPopup);
    m_energy->setToolTip(tr("Energy of a call beside its time, by the card's counter: hot alone, a second for each"));
    m_search->setToolTip(tr("Look for the fastest of our kernels for these shapes, in place of taking the table's"));
    for (QToolButton* button : {m_known, m_baselines}) {
        button->setFocusPolicy(Qt::TabFocus);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    }
}

void LaboratoryBar::build(Theme& theme) {
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress of the measurement"));
    m_progress->setProperty("role", "muted");
    m_progress->setFont(theme.captionFont());
    m_progress->setTextFormat(Qt::PlainText);
    m_progress->setWordWrap(true);
    m_progress->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* controls = new QWidget;
    auto* row = new WrapLayout(controls, 6);
    row->setContentsMargins(0, 0, 0, 0);
    for (QWidget* one : std::initializer_list<QWidget*>{m_shapes, m_known, m_mode, m_layout, m_sums, m_baselines,
                                                        m_energy, m_search, m_start})
        row->addWidget(one);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 8, 8);
    layout->setSpacing(6);
    layout->addWidget(controls);
    layout->addWidget(m_bar);
    layout->addWidget(m_progress);
}

hgemm::Mode LaboratoryBar::mode() const {
    return modes[std::size_t(std::max(0, m_mode->currentIndex()))];
}

Result<LaboratoryJob> LaboratoryBar::job() const {
    LaboratoryJob job;
    static const QRegularExpression between(QStringLiteral("[,;\\s]+"));
    for (const QString& word : m_shapes->text().split(between, Qt::SkipEmptyParts)) {
        QString plain = word;
        plain.replace(QChar(0xd7), QLatin1Char('x'));
        const auto shape = hgemm::shapeOf(plain.toStdString());
        if (!shape)
            return Error{"bad_input", tr("“%1” is no shape.").arg(word).toStdString(),
                         tr("Write 64x128x1024, or one number for a cube.").toStdString()};
        if (const std::string why = hgemm::refusal(*shape); !why.empty())
            return Error{"bad_input", tr("“%1” cannot be measured.").arg(word).toStdString() + ' ' + why,
                         tr("Give a smaller shape.").toStdString()};
        if (std::find(job.shapes.begin(), job.shapes.end(), *shape) == job.shapes.end()) job.shapes.push_back(*shape);
    }
    if (job.shapes.empty())
        return Error{"bad_input", tr("There is no shape.").toStdString(),
                     tr("Write 64x128x1024, or one number for a cube.").toStdString()};
    job.mode = mode();
    job.parts.libraries.clear();
    for (qsizetype i = 0; i < m_libraries.size(); ++i)
        if (m_libraries[i]->isChecked()) job.parts.libraries.push_back(libraries[std::size_t(i)]);
    if (m_layout->currentIndex() == 1) job.parts.layouts = {hgemm::Layout::tn};
    if (m_layout->currentIndex() == 2) job.parts.layouts = {hgemm::Layout::nn};
    job.parts.halfSums = m_sums->currentIndex() == 1;
    job.energy = m_energy->isChecked();
    job.searches = m_search->isChecked();
    return job;
}

void LaboratoryBar::setKnownShapes(const std::vector<hgemm::Shape>& shapes) {
    QMenu* menu = m_known->menu();
    menu->clear();
    const auto offer = [&](const QString& text, const std::vector<hgemm::Shape>& some) {
        if (some.empty()) return;
        menu->addAction(tr("%1 (%2)").arg(text, wholeText(std::int64_t(some.size()))), this, [this, some] {
            m_shapes->setText(fieldText(some));
            m_shapes->setFocus(Qt::OtherFocusReason);
            Q_EMIT stateChanged();
        });
    };
    std::vector<hgemm::Shape> cubes;
    for (const hgemm::Shape& s : shapes)
        if (s.m == s.n && s.n == s.k) cubes.push_back(s);
    offer(tr("Recorded cubes"), cubes);
    offer(tr("All recorded shapes"), shapes);
    m_known->setVisible(!shapes.empty());
}

void LaboratoryBar::setObstacle(const QString& obstacle) {
    m_obstacle = obstacle;
    refresh();
}

void LaboratoryBar::setState(const LaboratoryState& state) {
    m_running = isBusy(state.stage);
    m_bar->setVisible(m_running);
    m_bar->setRange(0, state.done > 0 ? int(state.all) : 0);
    m_bar->setValue(int(state.done));
    QString text;
    if (m_running)
        text =
            state.step.isEmpty() ? tr("starting") : tr("%1 of %2: %3").arg(state.done).arg(state.all).arg(state.step);
    else if (state.stage == Stage::failed)
        text = QString::fromStdString(state.error.text());
    else if (state.stage == Stage::cancelled)
        text = tr("Cancelled; what was measured stays.");
    else if (state.stage == Stage::finished)
        text = tr("%1 measured.").arg(wholeText(std::int64_t(state.answer)));
    if (!state.refusal.isEmpty()) text += QLatin1Char(' ') + state.refusal;
    m_progress->setText(text);
    refresh();
}

void LaboratoryBar::refresh() {
    m_start->setText(m_running ? tr("Cancel") : tr("Measure"));
    m_start->setEnabled(m_running || m_obstacle.isEmpty());
    m_start->setToolTip(m_running              ? tr("What was measured stays")
                        : m_obstacle.isEmpty() ? tr("Ours and the baselines, checked against float64 and timed in turn")
                                               : m_obstacle);
    m_energy->setEnabled(mode() == hgemm::Mode::hot);
    m_progress->setVisible(!m_progress->text().isEmpty());
}

QString LaboratoryBar::progressText() const {
    return m_progress->text();
}

QByteArray LaboratoryBar::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << m_shapes->text() << qint32(m_mode->currentIndex()) << qint32(m_layout->currentIndex())
        << qint32(m_sums->currentIndex()) << m_energy->isChecked() << m_search->isChecked();
    for (const QAction* one : m_libraries)
        out << one->isChecked();
    return state;
}

void LaboratoryBar::restoreState(const QByteArray& state) {
    QString shapes;
    qint32 mode = 0, layout = 0, sums = 0;
    bool energy = false, search = false;
    std::array<bool, libraries.size()> checked{};
    QDataStream in(state);
    in >> shapes >> mode >> layout >> sums >> energy >> search;
    for (bool& one : checked)
        in >> one;
    if (in.status() != QDataStream::Ok) return;
    m_shapes->setText(shapes);
    m_mode->setCurrentIndex(std::clamp(mode, 0, m_mode->count() - 1));
    m_layout->setCurrentIndex(std::clamp(layout, 0, m_layout->count() - 1));
    m_sums->setCurrentIndex(std::clamp(sums, 0, m_sums->count() - 1));
    m_energy->setChecked(energy);
    m_search->setChecked(search);
    for (std::size_t i = 0; i < checked.size(); ++i)
        m_libraries[qsizetype(i)]->setChecked(checked[i]);
}

} // namespace kernelarium::ui
