// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/Assignment.h"

#include "ui/desks/ArchiveDesk.h"
#include "ui/desks/BuildOptions.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/SourceFiles.h"

#include <QFileInfo>

namespace kernelarium::ui {

Assignment::Assignment(Bench& bench, ArchiveDesk& archive, CardDesk& cards, Notices& notices, QObject* parent)
    : QObject(parent)
    , m_bench(bench)
    , m_archive(archive)
    , m_cards(cards)
    , m_notices(notices) {
    connect(&m_cards, &CardDesk::exported, this, &Assignment::exported);
}

audit::RowTask Assignment::rowTask() const {
    const Kernel& kernel = m_bench.kernel();
    if (!kernel.row) return {};
    return {int(kernel.row->level), int(kernel.row->task), kernel.row->opName, kernel.texts.functional.toStdString(),
            kernel.texts.module.toStdString()};
}

bool Assignment::isUnknownTask() const {
    const Kernel& kernel = m_bench.kernel();
    if (!kernel.row || !kernel.arguments.isEmpty() || !kernel.task) return false;
    const archive::KernelSummary& row = *kernel.row;
    // A task that the user chose in its place is none of the row's.
    if (kernel.taskIsChosen || *kernel.task != task::TaskKey{int(row.level), int(row.task)}) return false;
    return !audit::isBuiltInTask(int(row.level), int(row.task), row.opName);
}

void Assignment::load() {
    m_card.reset();
    const Kernel& kernel = m_bench.kernel();
    if (!kernel.task) return;
    if (!kernel.cardPath.isEmpty()) return loadOwnCard();
    if (!isUnknownTask()) {
        if (auto card = task::loadCard(kernel.task->level, kernel.task->task))
            m_card = std::make_shared<const task::Card>(std::move(*card));
        return;
    }
    m_cards.lookUp(rowTask(), [this, key = kernel.key](const Result<CardDesk::KeptCard>& kept) {
        if (key != m_bench.kernel().key || !isUnknownTask()) return;
        if (!kept) m_notices.postFailure(kept.error());
        if (!kept || !kept->card) return;
        m_card = kept->card;
        m_cardVersion = kept->version;
        Q_EMIT changed();
    });
}

/// A card of the user's own, which may have changed since the kernel was here.
void Assignment::loadOwnCard() {
    m_card = m_bench.kernel().card;
    if (m_card) return;
    m_cards.read(m_bench.kernel().cardPath,
                 [this, key = m_bench.kernel().key](const Result<CardDesk::CardPointer>& card) {
                     if (key != m_bench.kernel().key || m_bench.kernel().cardPath.isEmpty()) return;
                     if (!card) {
                         m_notices.postFailure(card.error());
                         return;
                     }
                     m_bench.amend([&](Kernel& kernel) { kernel.card = *card; });
                     m_card = *card;
                     Q_EMIT changed();
                 });
}

audit::Versions Assignment::versions() const {
    const Kernel& kernel = m_bench.kernel();
    audit::TodaysVersions today;
    audit::Versions versions = today.of(kernel.task ? kernel.task->level : 0, kernel.task ? kernel.task->task : 0);
    if (m_card && kernel.card)
        versions.card = audit::referenceVersion(task::writeCard(*m_card));
    else if (m_card && isUnknownTask())
        versions.card = m_cardVersion;
    if (!kernel.arguments.isEmpty()) versions.card = "arguments";
    if (!kernel.referenceText.isEmpty()) versions.card = audit::referenceVersion(kernel.referenceText.toStdString());
    return versions;
}

QString Assignment::exportObstacle() const {
    if (m_bench.kernel().isEmpty()) return tr("choose a kernel first");
    if (m_cards.isExporting()) return tr("a card is being exported");
    if (m_card) return tr("its task has a card");
    if (!isUnknownTask()) return tr("it is no kernel of an archive");
    if (!rowTask().hasCode()) return tr("the archive has no PyTorch code for it");
    return {};
}

QString Assignment::verifyObstacle() const {
    if (m_bench.kernel().isEmpty()) return tr("choose a kernel first");
    if (m_card || !m_bench.kernel().arguments.isEmpty()) return {};
    return exportObstacle().isEmpty() ? tr("its task has no card yet: Kernel, Export a task card")
                                      : tr("say what to compare it with: Task and reference (Ctrl+T)");
}

void Assignment::exportCard() {
    if (exportObstacle().isEmpty()) m_cards.exportCard(rowTask());
}

void Assignment::exported() {
    const auto& state = m_cards.exporting();
    if (state.stage == Stage::failed) m_notices.postError(state.error);
    if (state.stage == Stage::cancelled) m_notices.post(QString::fromStdString(cancelledError().text()));
    if (state.stage != Stage::finished) return;
    m_notices.post(tr("A card was exported from the PyTorch code: kernels of this task can be verified."));
    if (isUnknownTask() && !m_card) load();
}

void Assignment::setTask(std::optional<task::TaskKey> task) {
    m_bench.amend([task](Kernel& kernel) {
        kernel.task = task;
        kernel.taskIsChosen = true;
        kernel.cardPath.clear();
        kernel.card.reset();
        kernel.arguments.clear();
    });
    load();
    Q_EMIT changed();
}

void Assignment::setBuild(const QString& typed, const QString& function) {
    const Kernel& now = m_bench.kernel();
    const QString compilerOptions = wholeOptions(typed, now);
    if (now.isEmpty() || (now.compilerOptions == compilerOptions && now.function == function)) return;
    m_bench.amend([&](Kernel& kernel) {
        kernel.compilerOptions = compilerOptions;
        kernel.function = function;
    });
    Q_EMIT changed();
}

void Assignment::setArguments(const QStringList& arguments) {
    m_bench.amend([&arguments](Kernel& kernel) {
        kernel.arguments = arguments;
        if (arguments.isEmpty()) return;
        kernel.task.reset();
        kernel.cardPath.clear();
        kernel.card.reset();
    });
    load();
    Q_EMIT changed();
}

void Assignment::setReference(const QString& path) {
    if (path.isEmpty()) {
        takeReference(m_bench.kernel().key, {}, {});
        return;
    }
    readSource(path, this, [this, path, key = m_bench.kernel().key](Result<QString> text) {
        if (!text)
            m_notices.postError(text.error());
        else
            takeReference(key, *text, QFileInfo(path).fileName());
    });
}

void Assignment::setReferenceKernel(const QString& label) {
    const qint64 row = m_archive.rowOfLabel(label);
    if (row < 0) {
        m_notices.post(tr("The archive has no kernel %1.").arg(label), true);
        return;
    }
    m_archive.fetch(m_archive.table()->id[std::size_t(row)],
                    [this, label, key = m_bench.kernel().key](const Result<ArchiveDesk::Fetched>& fetched) {
                        if (!fetched)
                            m_notices.postError(fetched.error());
                        else
                            takeReference(key, fetched->code, label);
                    });
}

void Assignment::takeReference(const QString& key, const QString& text, const QString& name) {
    if (key != m_bench.kernel().key) return;
    m_bench.amend([&](Kernel& kernel) {
        kernel.referenceText = text;
        kernel.referenceName = name;
    });
    Q_EMIT changed();
}

} // namespace kernelarium::ui
