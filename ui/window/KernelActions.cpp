// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/KernelActions.h"

#include "ui/desks/ArchiveDesk.h"
#include "ui/desks/NcuDesk.h"
#include "ui/desks/RunDesk.h"
#include "ui/desks/TidyDesk.h"
#include "ui/dialogs/KernelSetupDialog.h"
#include "ui/frame/Actions.h"
#include "ui/source/EditorArea.h"
#include "ui/window/Docks.h"
#include "ui/window/RunningWork.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Place.h"
#include "ui/workspace/Settings.h"
#include "ui/workspace/Trials.h"

namespace kernelarium::ui {

KernelActions::KernelActions(const Around& around, Theme& theme, const Parts& parts, QWidget& window)
    : QObject(&window)
    , m_with(around)
    , m_theme(theme)
    , m_parts(parts)
    , m_window(window) {
    addRuns();
    addSetup();
    addText();
}

QString KernelActions::noKernel() const {
    return m_with.bench.kernel().isEmpty() ? tr("choose a kernel first") : QString();
}

void KernelActions::addRuns() {
    const auto noReference = [this] {
        return m_with.trials.isProgram() ? tr("it is a program with a main of its own: Run (F5) executes it")
                                         : m_with.assignment.verifyObstacle();
    };
    // Without a reference the key leads to where one is chosen.
    const auto noSubject = [this, noReference] { return m_with.trials.isProgram() ? noReference() : noKernel(); };
    m_parts.actions.add({QStringLiteral("kernel.verify"), tr("&Verify"),
                         tr("Run the kernel and compare it with the reference; without one, choose it first"),
                         QKeySequence(Qt::CTRL | Qt::Key_Return), QStringLiteral("verify"),
                         [this] {
                             if (m_with.assignment.verifyObstacle().isEmpty())
                                 m_with.trials.verify();
                             else
                                 setUpKernel();
                         },
                         noSubject});
    m_parts.actions.add({QStringLiteral("kernel.time"), tr("&Time"),
                         tr("Time the kernel on the target GPU; on the emulator, model its time"),
                         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return), QStringLiteral("time"),
                         [this] { m_with.trials.time(); }, noReference});
    m_parts.actions.add({QStringLiteral("kernel.model"), tr("&Model the time"),
                         tr("Model the kernel's time on the roofline's device from the emulator's counters"),
                         QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Return), QStringLiteral("counters"),
                         [this] { m_with.trials.model(); }, noReference});
    m_parts.actions.add({QStringLiteral("kernel.run"), tr("&Run"), tr("Run the kernel once and summarize its outputs"),
                         QKeySequence(Qt::Key_F5), QStringLiteral("run"), [this] { m_with.trials.run(); },
                         [this, noReference] { return m_with.trials.isProgram() ? QString() : noReference(); }});
    m_parts.actions.add(
        {QStringLiteral("kernel.tensors"), tr("Look at the tensors"),
         tr("Run the kernel once, and see what its inputs and outputs hold and who wrote them"),
         QKeySequence(Qt::SHIFT | Qt::Key_F5), QStringLiteral("heatmap"), [this] { m_with.trials.lookAtTensors(); },
         [this] {
             return m_with.trials.isProgram() ? tr("it is a program with a main of its own: nothing says what it gives")
                                              : noKernel();
         }});
    m_parts.actions.add(
        {QStringLiteral("kernel.ncu"), tr("Measure with Nsight C&ompute"),
         tr("Run the kernel at full size on this machine's GPU under Nsight Compute, and show its counters in Profiles"),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M), QStringLiteral("device"),
         [this] {
             m_parts.docks.show(QStringLiteral("profiles"));
             m_with.trials.measure();
         },
         [this, noReference] { return m_with.ncu.isBusy() ? tr("it is already being measured") : noReference(); }});
    m_parts.actions.add({QStringLiteral("kernel.cancel"), tr("&Cancel"), tr("Stop what is running"),
                         QKeySequence(Qt::Key_Escape), QStringLiteral("cancel"), [this] { m_parts.work.cancel(); },
                         [this] { return m_parts.work.isAny() ? QString() : tr("nothing is running"); }});
}

void KernelActions::addSetup() {
    m_parts.actions.add({QStringLiteral("kernel.setup"),
                         tr("Task and re&ference…"),
                         tr("Choose the task or the kernel to compare this kernel with"),
                         QKeySequence(Qt::CTRL | Qt::Key_T),
                         {},
                         [this] { setUpKernel(); },
                         [this] { return noKernel(); }});
    m_parts.actions.add({QStringLiteral("kernel.exportCard"),
                         tr("E&xport a task card"),
                         tr("Derive a task card from the row's PyTorch code (runs your Python)"),
                         {},
                         {},
                         [this] { m_with.assignment.exportCard(); },
                         [this] { return m_with.assignment.exportObstacle(); }});
    m_parts.actions.add({QStringLiteral("kernel.options"),
                         tr("Compiler options…"),
                         tr("Change what the kernel asks of its compiler: most registers, fast math, macros, folders"),
                         QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_O),
                         {},
                         [this] { m_parts.editor.askForOptions(); },
                         [this] { return noKernel(); }});
    m_parts.actions.add({QStringLiteral("kernel.fastMath"),
                         tr("F&ast math"),
                         tr("Compile with --use_fast_math, as the archive was"),
                         {},
                         {},
                         [this] {
                             Target target = m_with.place.target();
                             target.fastMath = !target.fastMath;
                             m_with.place.setTarget(target);
                         },
                         {},
                         true,
                         [this] { return m_with.place.target().fastMath; }});
    m_parts.actions.add({QStringLiteral("kernel.tidy"),
                         tr("&Live clang-tidy"),
                         tr("Run clang-tidy while you type, if it is installed"),
                         {},
                         {},
                         [this] { m_with.settings.set(setting::liveTidy, !m_with.tidy.isEnabled()); },
                         {},
                         true,
                         [this] { return m_with.tidy.isEnabled(); }});
}

void KernelActions::addText() {
    m_parts.actions.add({QStringLiteral("kernel.diff"), tr("Show &differences"),
                         tr("Compare the text with the original"), QKeySequence(Qt::CTRL | Qt::Key_D),
                         QStringLiteral("diff"), [this] { m_parts.editor.showDiff(!m_parts.editor.isShowingDiff()); },
                         [this] { return noKernel(); }, true, [this] { return m_parts.editor.isShowingDiff(); }});
    m_parts.actions.add({QStringLiteral("kernel.original"),
                         tr("Back to the &original"),
                         tr("Restore the original text (Undo brings yours back)"),
                         {},
                         QStringLiteral("restore"),
                         [this] { m_with.bench.revertToOriginal(); },
                         [this] { return m_with.bench.isEdited() ? QString() : tr("the text is the original"); }});
}

void KernelActions::setUpKernel() {
    auto* dialog = new KernelSetupDialog(m_with.bench.kernel(), m_theme, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (const auto& table = m_with.archive.table()) dialog->offerArchived(*table);
    if (const auto& verdict = m_with.runner.verifyState().answer) {
        QStringList functions;
        for (const std::string& function : verdict->functions)
            functions << QString::fromStdString(function);
        dialog->offerFunctions(functions);
    }
    if (m_with.trials.isProgram())
        dialog->takeProgram();
    else if (!m_with.bench.kernel().task)
        dialog->offerArguments(m_with.bench.source());
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_with.assignment.setBuild(dialog->compilerOptions(), dialog->function());
        if (!dialog->arguments().isEmpty() || dialog->isOfProgram())
            m_with.assignment.setArguments(dialog->arguments());
        else if (dialog->task() != m_with.bench.kernel().task)
            m_with.assignment.setTask(dialog->task());
        if (dialog->isReferenceKept()) return;
        if (const QString label = dialog->referenceLabel(); !label.isEmpty())
            m_with.assignment.setReferenceKernel(label);
        else
            m_with.assignment.setReference(dialog->referencePath());
    });
    dialog->open();
}

} // namespace kernelarium::ui
