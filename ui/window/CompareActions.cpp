// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/CompareActions.h"

#include "ui/archive/ArchivePanel.h"
#include "ui/compare/ComparePage.h"
#include "ui/desks/SessionDesk.h"
#include "ui/frame/Actions.h"
#include "ui/sessions/SessionDock.h"
#include "ui/window/Pages.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace kernelarium::ui {

CompareActions::CompareActions(const Around& around, const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_with(around)
    , m_parts(parts) {
    parts.actions.add({QStringLiteral("compare.selection"),
                       tr("Compare the selected &kernels"),
                       tr("Put two kernels of the Archive panel side by side, or one beside the kernel on the bench"),
                       {},
                       QStringLiteral("diff"),
                       [this] { compareSelection(); },
                       [this] { return selectionObstacle(); }});
    parts.actions.add(
        {QStringLiteral("compare.original"),
         tr("Compare with the or&iginal"),
         tr("Put the original of the kernel on the bench beside the text as it stands: text, PTX, counters "
            "and times"),
         {},
         {},
         [this] { compareWithOriginal(); },
         [this] { return originalObstacle(); }});
    connect(&parts.archive, &ArchivePanel::compareRequested, this,
            [this] { m_parts.actions.run(QStringLiteral("compare.selection")); });
    connect(&parts.attempts, &SessionDock::compareRequested, this, &CompareActions::compareAttempts);
}

ComparePage& CompareActions::page() const {
    return m_parts.pages.page<ComparePage>();
}

ComparedKernel CompareActions::onBench() const {
    const Kernel& kernel = m_with.bench.kernel();
    ComparedKernel compared;
    compared.key = kernel.key;
    compared.title = m_with.bench.source() == kernel.original ? kernel.title : tr("%1, as edited").arg(kernel.title);
    compared.source = m_with.bench.source();
    compared.card = m_with.assignment.card();
    compared.compilerOptions = kernel.compilerOptions;
    if (kernel.row && m_with.bench.source() == kernel.original) compared.archivedMs = kernel.row->runtime;
    compared.isOnBench = true;
    return compared;
}

QString CompareActions::selectionObstacle() const {
    const auto rows = m_parts.archive.chosenRows();
    if (rows.empty()) return tr("no kernel is selected in the Archive panel");
    if (rows.size() > 2) return tr("more than two kernels are selected");
    if (rows.size() == 2) return {};
    const Kernel& kernel = m_with.bench.kernel();
    const bool isSame =
        kernel.row && m_with.bench.source() == kernel.original && page().archived(rows.front()).row == kernel.row->id;
    return kernel.isEmpty() || isSame ? tr("a second kernel is to be selected (Ctrl and a click)") : QString();
}

QString CompareActions::originalObstacle() const {
    if (m_with.bench.kernel().isEmpty()) return tr("no kernel is on the bench");
    return m_with.bench.source() == m_with.bench.kernel().original ? tr("the text is the original") : QString();
}

void CompareActions::compareSelection() {
    if (!selectionObstacle().isEmpty()) return;
    const auto rows = m_parts.archive.chosenRows();
    const ComparedKernel first = page().archived(rows.front());
    const ComparedKernel second = rows.size() == 2 ? page().archived(rows.back()) : onBench();
    m_parts.pages.open(QStringLiteral("compare"));
    page().compare(first, second);
}

void CompareActions::compareWithBench(qint64 archived) {
    const auto other = page().archivedNumber(archived);
    if (!other || m_with.bench.kernel().isEmpty()) return;
    m_parts.pages.open(QStringLiteral("compare"));
    page().compare(*other, onBench());
}

ComparedKernel CompareActions::compared(const session::Attempt& attempt) const {
    ComparedKernel kernel;
    kernel.key = QString::fromStdString(attempt.kernelKey);
    kernel.title = attempt.name.empty() ? tr("#%1, %2").arg(attempt.id).arg(QString::fromStdString(attempt.kernelTitle))
                                        : tr("#%1, %2").arg(attempt.id).arg(QString::fromStdString(attempt.name));
    kernel.source = QString::fromStdString(attempt.source);
    kernel.compilerOptions = QJsonDocument::fromJson(QByteArray::fromStdString(attempt.optionsJson))
                                 .object()[QStringLiteral("settings")]
                                 .toString();
    if (attempt.task > 0) kernel.task = task::TaskKey{attempt.level, attempt.task};
    if (kernel.key == m_with.bench.kernel().key) kernel.card = m_with.assignment.card();
    return kernel;
}

void CompareActions::compareAttempts(qint64 older, qint64 newer) {
    const auto fetch = [this](qint64 id, std::function<void(const ComparedKernel&)> then) {
        m_with.session.fetch(id, [this, then = std::move(then)](Result<session::Attempt> found) {
            if (found)
                then(compared(*found));
            else
                m_with.notices.postFailure(found.error());
        });
    };
    fetch(older, [this, fetch, newer](const ComparedKernel& a) {
        fetch(newer, [this, a](const ComparedKernel& b) {
            m_parts.pages.open(QStringLiteral("compare"));
            page().compare(a, b);
        });
    });
}

void CompareActions::compareWithOriginal() {
    if (!originalObstacle().isEmpty()) return;
    const Kernel& kernel = m_with.bench.kernel();
    ComparedKernel original = onBench();
    original.title = kernel.title;
    original.source = kernel.original;
    original.isOnBench = false;
    if (kernel.row) original.archivedMs = kernel.row->runtime;
    m_parts.pages.open(QStringLiteral("compare"));
    page().compare(original, onBench());
}

} // namespace kernelarium::ui
