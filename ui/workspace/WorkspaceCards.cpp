// SPDX-License-Identifier: GPL-3.0-or-later
// What the workspace's kernel is held against: the card of its task, built in or exported, or another kernel.
#include "ui/workspace/SourceFiles.h"
#include "ui/workspace/Workspace.h"

#include <QFileInfo>

namespace kernelarium::ui {

audit::RowTask Workspace::rowTask() const {
    if (!m_kernel.row) return {};
    return {int(m_kernel.row->level), int(m_kernel.row->task), m_kernel.row->opName,
            m_kernel.texts.functional.toStdString(), m_kernel.texts.module.toStdString()};
}

bool Workspace::isUnknownTask() const {
    if (!m_kernel.row || !m_kernel.arguments.isEmpty() || !m_kernel.task) return false;
    const archive::KernelSummary& row = *m_kernel.row;
    // A task that the user chose in its place is none of the row's.
    if (m_kernel.taskIsChosen || *m_kernel.task != task::TaskKey{int(row.level), int(row.task)}) return false;
    return !audit::isBuiltInTask(int(row.level), int(row.task), row.opName);
}

void Workspace::loadCard() {
    m_card.reset();
    if (!m_kernel.task) return;
    if (!isUnknownTask()) {
        if (auto card = task::loadCard(m_kernel.task->level, m_kernel.task->task))
            m_card = std::make_shared<const task::Card>(std::move(*card));
        return;
    }
    m_cards.lookUp(rowTask(), [this, key = m_kernel.key](const Result<CardDesk::CardPointer>& card) {
        if (key != m_kernel.key || !isUnknownTask()) return;
        if (!card && card.error().code != "cancelled") post(QString::fromStdString(card.error().text()), true);
        if (!card || !*card) return;
        m_card = *card;
        Q_EMIT taskChanged();
    });
}

QString Workspace::exportObstacle() const {
    if (m_kernel.isEmpty()) return tr("choose a kernel first");
    if (m_cards.isExporting()) return tr("a card is being exported");
    if (m_card) return tr("its task has a card");
    if (!isUnknownTask()) return tr("it is no kernel of an archive");
    if (!rowTask().hasCode()) return tr("the archive has no PyTorch code for it");
    return {};
}

void Workspace::exportCard() {
    if (exportObstacle().isEmpty()) m_cards.exportCard(rowTask());
}

void Workspace::cardExported(bool ok) {
    if (!ok) {
        const Error& error = m_cards.error();
        post(QString::fromStdString(error.text()), error.code != "cancelled");
        return;
    }
    post(tr("A card was exported from the PyTorch code: kernels of this task can be verified."));
    if (isUnknownTask() && !m_card) loadCard();
}

void Workspace::setTask(std::optional<task::TaskKey> task) {
    m_kernel.task = task;
    m_kernel.taskIsChosen = true;
    m_kernel.arguments.clear();
    m_known.insert(m_kernel.key, m_kernel);
    loadCard();
    Q_EMIT taskChanged();
}

void Workspace::setArguments(const QStringList& arguments) {
    m_kernel.arguments = arguments;
    if (!arguments.isEmpty()) m_kernel.task.reset();
    m_known.insert(m_kernel.key, m_kernel);
    loadCard();
    Q_EMIT taskChanged();
}

void Workspace::setReference(const QString& path) {
    if (path.isEmpty()) {
        takeReference(m_kernel.key, {}, {});
        return;
    }
    readSource(path, this, [this, path, key = m_kernel.key](Result<QString> text) {
        if (!text)
            post(QString::fromStdString(text.error().text()), true);
        else
            takeReference(key, *text, QFileInfo(path).fileName());
    });
}

void Workspace::setReferenceKernel(const QString& label) {
    const qint64 row = m_archive.rowOfLabel(label);
    if (row < 0) {
        post(tr("The archive has no kernel %1.").arg(label), true);
        return;
    }
    m_archive.fetch(m_archive.table()->id[std::size_t(row)],
                    [this, label, key = m_kernel.key](const Result<ArchiveDesk::Fetched>& fetched) {
                        if (!fetched)
                            post(QString::fromStdString(fetched.error().text()), true);
                        else
                            takeReference(key, fetched->code, label);
                    });
}

void Workspace::takeReference(const QString& key, const QString& text, const QString& name) {
    if (key != m_kernel.key) return;
    m_kernel.referenceText = text;
    m_kernel.referenceName = name;
    m_known.insert(m_kernel.key, m_kernel);
    Q_EMIT taskChanged();
}

} // namespace kernelarium::ui
