// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/source/SecondAssembly.h"

#include "core/diff/AssemblyDiff.h"
#include "core/perf/MultiprocessorLimits.h"
#include "core/text/CompilerSettings.h"
#include "ui/desks/BuildOptions.h"
#include "ui/editor/LatestJob.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/ElidedLabel.h"
#include "ui/widgets/WrapLayout.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Place.h"

#include <QComboBox>
#include <QDataStream>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

/// As one line says it, fast math included.
QString lineOfTarget(const Target& target) {
    text::CompileLine line;
    line.fastMath = target.fastMath;
    if (auto settings = text::settingsFromLine(target.compilerOptions.toStdString()))
        line.settings = std::move(*settings);
    return QString::fromStdString(text::lineOf(line));
}

QString captionOf(const Target& target) {
    const QString options = lineOfTarget(target);
    return options.isEmpty() ? target.arch : target.arch + QLatin1Char(' ') + options;
}

const compile::KernelResources* resourcesOf(const compile::CompiledUnit& unit, const std::string& kernel) {
    for (const compile::KernelResources& k : unit.kernels)
        if (k.name == kernel) return &k;
    return nullptr;
}

std::vector<int> linesOfChanges(const std::vector<diff::Change>& changes, bool old) {
    std::vector<int> lines;
    for (const diff::Change& change : changes)
        for (int i = 0; i < (old ? change.oldCount : change.newCount); ++i)
            lines.push_back((old ? change.oldFirst : change.newFirst) + i);
    return lines;
}

} // namespace

SecondAssembly::SecondAssembly(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_theme(theme)
    , m_kinds(new QComboBox)
    , m_archs(new QComboBox)
    , m_options(new QLineEdit)
    , m_mark(new QToolButton)
    , m_next(new QToolButton)
    , m_close(new QToolButton)
    , m_words(new ElidedLabel(Qt::ElideRight))
    , m_stack(new QStackedWidget)
    , m_views{new PtxView(theme), new PtxView(theme, Assembly::sass)}
    , m_job(new LatestJob(this)) {
    build();
    for (PtxView* view : m_views) {
        connect(view, &PtxView::sourceLineActivated, this, &SecondAssembly::sourceLineActivated);
        connect(view, &PtxView::shownChanged, this, &SecondAssembly::compareSoon);
    }
    for (PtxView* view : {&around.firstPtx, &around.firstSass})
        connect(view, &PtxView::shownChanged, this, [this, view] {
            if (view != &first() || isHidden()) return;
            this->view().showAs(*view);
            compareSoon();
        });
    connect(m_kinds, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_stack->setCurrentIndex(index);
        leave();
        Q_EMIT assemblyChanged();
        Q_EMIT stateChanged();
        follow();
        compareSoon();
    });
    connect(m_archs, &QComboBox::currentIndexChanged, this, [this] {
        Q_EMIT stateChanged();
        follow();
    });
    connect(m_options, &QLineEdit::editingFinished, this, [this] {
        Q_EMIT stateChanged();
        follow();
    });
    connect(m_mark, &QToolButton::toggled, this, [this] {
        Q_EMIT stateChanged();
        compareSoon();
    });
    connect(m_next, &QToolButton::clicked, this, [this] {
        if (view().goToNextDifferent()) view().editor().setFocus(Qt::OtherFocusReason);
    });
    connect(m_close, &QToolButton::clicked, this, &SecondAssembly::closeRequested);
    connect(&around.compiler, &CompileDesk::changed, this, &SecondAssembly::follow);
    connect(&around.place, &Place::changed, this, &SecondAssembly::follow);
    say();
}

void SecondAssembly::build() {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildBar());
    for (PtxView* view : m_views)
        m_stack->addWidget(view);
    layout->addWidget(m_stack, 1);
}

QWidget* SecondAssembly::buildBar() {
    m_kinds->addItems({tr("PTX"), tr("SASS")});
    m_kinds->setAccessibleName(tr("Kind of the second assembly"));
    m_kinds->setToolTip(tr("What the two show side by side"));
    for (const perf::ArchitectureLimits& a : perf::architectureLimits())
        m_archs->addItem(QString::fromUtf8(a.arch.data(), qsizetype(a.arch.size())));
    m_archs->setCurrentText(m_with.place.target().arch == QLatin1String("sm_80") ? QStringLiteral("sm_90")
                                                                                 : QStringLiteral("sm_80"));
    m_archs->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_kinds->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_archs->setAccessibleName(tr("Architecture of the second assembly"));
    m_archs->setToolTip(tr("What the text is compiled for a second time"));
    m_options->setAccessibleName(tr("Compiler options of the second assembly"));
    m_options->setPlaceholderText(QStringLiteral("--fast-math --max-registers=N -DNAME=VALUE"));
    m_options->setToolTip(tr("Compiler options of the second assembly, in place of the kernel's own: --fast-math, "
                             "--max-registers=N, -DNAME=VALUE, -UNAME, -IFOLDER"));
    m_options->setFont(m_theme.codeFont());
    m_mark->setText(tr("Differences"));
    m_mark->setCheckable(true);
    m_mark->setChecked(true);
    m_mark->setFocusPolicy(Qt::StrongFocus);
    m_mark->setToolTip(tr("Mark the instructions that only one of the two has. Numbers of registers and labels do not "
                          "count: another allocation gives others."));
    m_next->setText(tr("Next"));
    m_next->setFocusPolicy(Qt::StrongFocus);
    m_next->setToolTip(tr("Go to the next difference; the source and the other listing follow"));
    m_close->setFocusPolicy(Qt::StrongFocus);
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Close the second assembly"));
    m_close->setAccessibleName(tr("Close the second assembly"));
    const auto restyle = [this] { m_close->setIcon(m_theme.icon(QStringLiteral("cancel"))); };
    connect(&m_theme, &Theme::changed, this, restyle);
    restyle();
    m_words->setProperty("role", "muted");
    m_words->setTextFormat(Qt::PlainText);
    m_options->setMinimumWidth(24 * Theme::unit);
    auto* bar = new QWidget;
    auto* layout = new WrapLayout(bar, 8);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->addWidget(m_kinds);
    layout->addWidget(m_archs);
    layout->addWidget(m_options);
    layout->addWidget(m_mark);
    layout->addWidget(m_next);
    layout->addWidget(m_close);
    layout->addWidget(m_words);
    m_words->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_words->setMinimumWidth(24 * Theme::unit);
    return bar;
}

Assembly SecondAssembly::assembly() const {
    return m_kinds->currentIndex() == 1 ? Assembly::sass : Assembly::ptx;
}

void SecondAssembly::setAssembly(Assembly assembly) {
    m_kinds->setCurrentIndex(assembly == Assembly::sass ? 1 : 0);
}

PtxView& SecondAssembly::view() const {
    return *m_views[m_kinds->currentIndex() == 1 ? 1 : 0];
}

PtxView& SecondAssembly::first() const {
    return assembly() == Assembly::sass ? m_with.firstSass : m_with.firstPtx;
}

void SecondAssembly::focusFirst() {
    m_archs->setFocus(Qt::ShortcutFocusReason);
}

void SecondAssembly::showSourceLine(int line) {
    if (!isHidden()) view().showSourceLine(line);
}

QString SecondAssembly::words() const {
    return m_words->text();
}

Result<Target> SecondAssembly::target() const {
    Result<text::CompileLine> line = text::compileFromLine(m_options->text().toStdString());
    if (!line) return line.error();
    Target target = m_with.place.targetFor(m_with.bench.kernel());
    target.arch = m_archs->currentText();
    target.fastMath = line->fastMath;
    target.compilerOptions = wholeOptions(QString::fromStdString(text::lineOf(line->settings)), m_with.bench.kernel());
    return target;
}

void SecondAssembly::clear() {
    ++m_ticket;
    m_unit.reset();
    m_firstUnit.reset();
    for (PtxView* view : m_views)
        view->setPtx({});
    say();
}

void SecondAssembly::leave() {
    for (PtxView* view : {&m_with.firstPtx, &m_with.firstSass}) {
        view->setCaption({});
        view->markDifferent({});
    }
}

void SecondAssembly::follow() {
    if (isHidden() || m_with.bench.kernel().isEmpty()) return;
    first().setCaption(captionOf(m_with.place.targetFor(m_with.bench.kernel())));
    const CompileState& state = m_with.compiler.state();
    if (state.stage != Stage::finished || !state.answer || !state.answer->ok)
        return; // the last one is better than none
    const Result<Target> wanted = target();
    if (!wanted) {
        ++m_ticket;
        m_firstUnit.reset();
        m_unit.reset();
        return refuse(QString::fromStdString(wanted.error().text()));
    }
    const bool sass = assembly() == Assembly::sass;
    if (state.answer == m_firstUnit && wanted->compilesAs(m_asked) && (m_withSass || !sass)) return;
    m_firstUnit = state.answer;
    m_asked = *wanted;
    m_withSass = sass;
    compile();
}

void SecondAssembly::compile() {
    const quint64 ticket = ++m_ticket;
    if (view().isEmpty()) view().refuse(tr("Compiling for %1… (Escape cancels)").arg(m_asked.arch));
    m_with.compiler.assembleSecond(m_with.bench.source(), m_asked, m_withSass,
                                   [this, ticket](Result<CompileDesk::Assembled> answer) {
                                       if (ticket == m_ticket) hear(std::move(answer));
                                   });
}

void SecondAssembly::refuse(const QString& why) {
    for (PtxView* view : m_views)
        view->refuse(why);
    say();
}

void SecondAssembly::hear(Result<CompileDesk::Assembled> answer) {
    m_unit.reset();
    if (!answer) {
        const bool cancelled = answer.error().code == "cancelled";
        refuse(cancelled ? tr("It was cancelled. Any edit starts it again.")
                         : QString::fromStdString(answer.error().text()));
    } else if (!answer->unit->ok) {
        QString why;
        for (const compile::Diagnostic& d : answer->unit->diagnostics)
            if (d.severity == compile::Severity::error && why.isEmpty()) why = QString::fromStdString(d.text);
        refuse(tr("The text does not compile for %1: %2").arg(captionOf(m_asked), why));
    } else {
        m_unit = answer->unit;
        for (PtxView* view : m_views)
            view->setCaption(captionOf(m_asked));
        view().showAs(first());
        m_views[0]->setPtx(QString::fromStdString(m_unit->ptx));
        m_views[1]->setPtx(answer->sass);
    }
    say();
}

/// Off the GUI thread: listings may be long.
void SecondAssembly::compareSoon() {
    m_changes = -1;
    if (isHidden()) return m_job->cancel();
    std::vector<std::string> a = first().shownLines(), b = view().shownLines();
    if (!m_mark->isChecked() || a.empty() || b.empty() || !m_unit) {
        m_job->cancel();
        showDifferences({}, {}, -1);
        return;
    }
    m_job->start([this, a = std::move(a), b = std::move(b)](const std::stop_token& stop) {
        const std::vector<diff::Change> changes = diff::assemblyDiff(a, b, stop);
        return LatestJob::Deliver([this, here = linesOfChanges(changes, true), there = linesOfChanges(changes, false),
                                   count = int(changes.size())] { showDifferences(here, there, count); });
    });
}

void SecondAssembly::showDifferences(const std::vector<int>& here, const std::vector<int>& there, int changes) {
    first().markDifferent(here);
    view().markDifferent(there);
    m_changes = changes;
    m_next->setEnabled(!there.empty());
    say();
}

void SecondAssembly::say() {
    QStringList words;
    const auto& firstUnit = m_with.compiler.state().answer;
    if (m_unit && firstUnit) {
        const std::string chosen = view().chosenFunction().toStdString();
        for (const compile::KernelResources& k : m_unit->kernels) {
            const compile::KernelResources* other = resourcesOf(*firstUnit, k.name);
            const bool all = !resourcesOf(*m_unit, chosen);
            if (!other || (!all && k.name != chosen) || words.size() >= 3) continue;
            QString kernel = tr("%1: %2 registers, first %3")
                                 .arg(QString::fromStdString(k.name))
                                 .arg(k.registers)
                                 .arg(other->registers);
            const int spills = k.spillStoreBytes + k.spillLoadBytes;
            const int otherSpills = other->spillStoreBytes + other->spillLoadBytes;
            if (spills + otherSpills > 0) kernel += tr("; %1 bytes spilled, first %2").arg(spills).arg(otherSpills);
            words << kernel;
        }
        if (m_changes == 0)
            words << tr("no difference but numbers of registers and labels");
        else if (m_changes > 0)
            words << (m_changes == 1 ? tr("1 difference") : tr("%L1 differences").arg(m_changes));
    }
    m_words->setText(words.join(QStringLiteral(" · ")));
    m_words->setToolTip(m_words->text());
}

QByteArray SecondAssembly::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << m_kinds->currentIndex() << m_archs->currentText() << m_options->text() << m_mark->isChecked();
    return state;
}

void SecondAssembly::restoreState(const QByteArray& state) {
    int kind = 0;
    QString arch, options;
    bool marked = true;
    QDataStream in(state);
    in >> kind >> arch >> options >> marked;
    if (in.status() != QDataStream::Ok) return;
    m_kinds->setCurrentIndex(kind == 1 ? 1 : 0);
    if (m_archs->findText(arch) >= 0) m_archs->setCurrentText(arch);
    m_options->setText(options);
    m_mark->setChecked(marked);
}

} // namespace kernelarium::ui
