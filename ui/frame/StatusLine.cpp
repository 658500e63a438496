// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/StatusLine.h"

#include "ui/desks/CompileDesk.h"
#include "ui/desks/DeviceDesk.h"
#include "ui/desks/NcuDesk.h"
#include "ui/desks/RunDesk.h"
#include "ui/desks/TimeDesk.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Place.h"
#include "ui/workspace/Standing.h"
#include "ui/workspace/Trials.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <algorithm>

namespace kernelarium::ui {

StatusLine::StatusLine(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_theme(theme)
    , m_work(new QLabel)
    , m_progress(new QProgressBar)
    , m_cancel(new QToolButton)
    , m_compile(new QLabel)
    , m_standing(new QLabel)
    , m_target(new QToolButton)
    , m_typing(new QLabel)
    , m_cursor(new QLabel) {
    m_progress->setFixedWidth(120);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress"));
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolTip(tr("Stop what is running (Escape)"));
    m_cancel->setAutoRaise(true);
    m_target->setAutoRaise(true);
    m_target->setPopupMode(QToolButton::InstantPopup);
    m_target->setAccessibleName(tr("Target"));
    m_cursor->setProperty("role", "muted");
    m_cursor->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("Line 9999, column 999")));
    m_cursor->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_typing->setProperty("role", "muted");
    m_typing->setToolTip(tr("Ctrl+M in the editor: whether Tab types there or moves the focus"));
    m_typing->hide();
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 2, 12, 2);
    layout->setSpacing(12);
    // What they say must not decide how narrow the window can be.
    for (QLabel* label : {m_compile, m_standing, m_work})
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_work->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    layout->addWidget(m_compile, 2);
    layout->addWidget(m_standing, 3);
    layout->addWidget(m_work, 3);
    layout->addWidget(m_progress);
    layout->addWidget(m_cancel);
    layout->addSpacing(24);
    layout->addWidget(m_target);
    layout->addWidget(m_typing);
    layout->addWidget(m_cursor);

    m_tick.setInterval(250);
    connect(&m_tick, &QTimer::timeout, this, &StatusLine::refreshWork);
    connect(m_cancel, &QToolButton::clicked, this, &StatusLine::cancelRequested);
    connect(&around.trials, &Trials::busyChanged, this, &StatusLine::refresh);
    connect(&around.place, &Place::changed, this, &StatusLine::refresh);
    connect(&around.standing, &Standing::changed, this, &StatusLine::refreshStanding);
    connect(&around.bench, &Bench::kernelChanged, this, &StatusLine::refresh);
    connect(&theme, &Theme::changed, this, &StatusLine::refresh);
    refresh();
}

void StatusLine::setTargetMenu(QMenu* menu) {
    m_target->setMenu(menu);
}

void StatusLine::setCursor(int line, int column) {
    m_cursor->setText(tr("Line %1, column %2").arg(line).arg(column));
}

void StatusLine::setTyping(const QString& state) {
    m_typing->setText(state);
    m_typing->setVisible(!state.isEmpty());
}

QString StatusLine::typingText() const {
    return m_typing->text();
}

void StatusLine::setErrand(Errand errand, const QString& text, double fraction) {
    if (text.isEmpty())
        m_errands.erase(errand);
    else
        m_errands[errand] = {text, fraction};
    refresh();
}

const StatusLine::Told* StatusLine::errand() const {
    if (m_errands.empty()) return nullptr;
    const auto& [first, told] = *m_errands.begin();
    return first >= Errand::statistics && m_with.trials.isBusy() ? nullptr : &told;
}

bool StatusLine::shows(Errand which) const {
    return errand() != nullptr && m_errands.begin()->first == which;
}

QString StatusLine::compileText() const {
    return m_compile->text();
}

QString StatusLine::standingText() const {
    return m_standing->text();
}

void StatusLine::refreshStanding() {
    m_standing->setText(m_with.standing.sentence());
    m_standing->setToolTip(m_with.standing.explanation());
}

QString StatusLine::workText() const {
    return m_work->text();
}

void StatusLine::refresh() {
    refreshCompile();
    const bool busy = m_with.trials.isBusy() || !m_errands.empty();
    if (busy && !m_busy) {
        m_since.start();
        m_tick.start();
    } else if (!busy) {
        m_tick.stop();
    }
    m_busy = busy;
    refreshWork();
    const Target& target = m_with.place.target();
    const QString obstacle = m_with.place.obstacle();
    m_target->setText(tr("%1%2, %3%4")
                          .arg(obstacle.isEmpty() ? QString() : QStringLiteral("⚠ "), placeText(target), target.arch,
                               target.fastMath ? tr(", fast math") : QString()));
    m_target->setToolTip(obstacle.isEmpty() ? tr("Where kernels run, and what they are compiled for") : obstacle);
}

void StatusLine::refreshWork() {
    if (m_progress->isHidden() == m_busy) {
        m_progress->setVisible(m_busy);
        m_work->setVisible(m_busy); // else its room is the standing's
        m_cancel->setVisible(m_busy);
    }
    if (!m_busy) {
        m_work->clear();
        return;
    }
    QString text;
    const Told* told = errand();
    if (told) {
        text = told->text;
    } else {
        const RunDesk& runner = m_with.runner;
        QString step;
        text = tr("Waiting for the compiler");
        if (m_with.timer.isBusy()) {
            text = tr("Timing");
            step = m_with.timer.state().step;
        } else if (m_with.devices.isBusy()) {
            text = m_with.devices.busyText();
        } else if (isBusy(runner.verifyState().stage)) {
            text = tr("Verifying");
            step = runner.verifyState().step;
        } else if (isBusy(runner.runState().stage)) {
            text = tr("Running");
            step = runner.runState().step;
        } else if (isBusy(runner.profileState().stage)) {
            text = tr("Counting at full size");
            step = runner.profileState().step;
        } else if (m_with.compiler.isDisassembling()) {
            text = tr("Disassembling");
        } else if (m_with.ncu.isBusy()) {
            text = tr("Measuring under Nsight Compute");
        }
        if (!step.isEmpty()) text += QStringLiteral(": ") + QString(step).replace(QLatin1Char('_'), QLatin1Char(' '));
    }
    if (!told && m_since.elapsed() > 1000) text += QStringLiteral("  ") + secondsText(double(m_since.elapsed() / 1000));
    m_work->setText(text);
    const double fraction = told ? told->fraction : -1;
    if (fraction >= 0) {
        m_progress->setRange(0, 1000);
        m_progress->setValue(int(1000 * fraction));
    } else {
        m_progress->setRange(0, 0);
    }
}

void StatusLine::refreshCompile() {
    const CompileState& state = m_with.compiler.state();
    const Palette& p = m_theme.colours();
    QColor colour = p.muted;
    QString text;
    switch (state.stage) {
    case Stage::idle: break;
    case Stage::waiting:
    case Stage::running: text = tr("● compiling"); break;
    case Stage::cancelled: text = tr("compilation cancelled"); break;
    case Stage::failed:
        text = tr("✗ %1").arg(QString::fromStdString(state.error.message));
        colour = p.wrong;
        break;
    case Stage::finished: {
        const auto count = [&](compile::Severity severity) {
            return int(std::count_if(state.diagnostics.begin(), state.diagnostics.end(),
                                     [severity](const auto& d) { return d.severity == severity; }));
        };
        const int errors = count(compile::Severity::error), warnings = count(compile::Severity::warning);
        QStringList counts;
        if (errors > 0) counts << (errors == 1 ? tr("1 error") : tr("%1 errors").arg(errors));
        if (warnings > 0) counts << (warnings == 1 ? tr("1 warning") : tr("%1 warnings").arg(warnings));
        if (state.answer->ok) {
            int registers = 0;
            for (const auto& kernel : state.answer->kernels)
                registers = std::max(registers, kernel.registers);
            text = tr("✓ compiled in %1").arg(secondsText(state.answer->seconds.total));
            if (registers > 0) text += tr(", %1 registers").arg(registers);
            if (!counts.isEmpty()) text += QStringLiteral(", ") + counts.join(QStringLiteral(", "));
            colour = p.ok;
        } else {
            text = counts.isEmpty() ? tr("✗ does not compile") : tr("✗ %1").arg(counts.join(QStringLiteral(", ")));
            colour = p.wrong;
        }
    }
    }
    m_compile->setText(text);
    m_compile->setStyleSheet(QStringLiteral("color: %1").arg(colour.name()));
}

} // namespace kernelarium::ui
