// SPDX-License-Identifier: GPL-3.0-or-later
// What came of a search, and where it goes.
#include "core/sass/proof/ProofText.h"
#include "core/text/KernelName.h"
#include "ui/desks/SessionDesk.h"
#include "ui/schedule/AcceptedModel.h"
#include "ui/schedule/BothSides.h"
#include "ui/schedule/ScheduleModel.h"
#include "ui/schedule/SchedulePage.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/Place.h"

#include <QComboBox>
#include <QFileDialog>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>

namespace kernelarium::ui {

QString SchedulePage::stampText() const {
    const ScheduleVariantPointer& variant = m_desk->variant();
    if (!variant)
        return tr("A schedule that is found is proved here, from the bytes of both kernels, and what that takes "
                  "for granted is said.");
    QString text = QString::fromStdString(sass::proofText(variant->proof));
    text += tr("\nTime: %1").arg(timeText(*variant));
    if (!variant->undone)
        for (const schedule::FinalFigure& figure : m_desk->result()->history.finals)
            text += QLatin1Char('\n') + QString::fromStdString(schedule::finalWords(figure));
    return text;
}

/// "98.2% (97.9 to 98.5%) of the original's time, measured".
QString SchedulePage::timeText(const ScheduleVariant& variant) const {
    if (variant.isModelled)
        return tr("%1% of the original's time, modelled, one warp alone").arg(numberText(variant.energy, 5));
    return tr("%1% (%2 to %3%) of the original's time, measured")
        .arg(numberText(variant.energy, 5), numberText(variant.low, 5), numberText(variant.high, 5));
}

void SchedulePage::refreshVariant() {
    const ScheduleVariantPointer& variant = m_desk->variant();
    m_sides->show(m_desk->subject(), variant);
    m_stamp->setPlainText(stampText());
    m_accepted->setUndone(variant ? variant->undone : std::nullopt);
    const auto& undo = m_desk->undoState();
    m_all->setEnabled(variant && variant->undone.has_value());
    m_undoSaid->setText(undo.stage == Stage::failed ? QString::fromStdString(undo.error.text())
                        : isBusy(undo.stage)        ? tr("proving the rest, and timing the rest beside the original")
                        : variant && variant->undone
                            ? tr("Without step %1: %2, %3")
                                  .arg(QString::number(*variant->undone), timeText(*variant),
                                       variant->proof.isProved() ? tr("proved") : tr("NOT PROVED"))
                        : m_accepted->rowCount() > 0 ? tr("All %1 moves").arg(m_accepted->rowCount())
                                                     : QString());
    refreshBar();
}

/// The instruction that a move is about, by its place in the original.
void SchedulePage::goToMove(int row) {
    const schedule::Step* step = m_accepted->stepOf(row);
    if (!step) return;
    static const QRegularExpression place(QStringLiteral(" at 0x([0-9a-f]+)"));
    const auto found = place.match(QString::fromStdString(step->text));
    if (found.hasMatch()) m_sides->goTo(m_sides->beforeModel().rowAt(found.captured(1).toLongLong(nullptr, 16)));
}

void SchedulePage::undoChosen() {
    if (const schedule::Step* step = m_accepted->stepOf(m_acceptedTable->currentIndex().row()))
        m_desk->undo(step->number);
}

void SchedulePage::keep() {
    const ScheduleVariantPointer variant = m_desk->variant();
    const ScheduleResultPointer result = m_desk->result();
    if (!variant || !result || !m_desk->subject()) return;
    if (const Result<void> may = m_desk->mayWrite(); !may) return m_with.notices.postError(may.error());
    // The bench may have another kernel by now.
    const ScheduleQuestion& asked = m_desk->subject()->question;
    const Kernel& kernel = asked.from;
    session::Attempt attempt;
    attempt.session = m_with.session.current();
    attempt.kernelKey = kernel.key.toStdString();
    attempt.kernelTitle = kernel.title.toStdString();
    if (kernel.task) {
        attempt.level = kernel.task->level;
        attempt.task = kernel.task->task;
    }
    attempt.createdMs = QDateTime::currentMSecsSinceEpoch();
    attempt.source = asked.source.toStdString();
    attempt.name = tr("native schedule of %1")
                       .arg(QString::fromStdString(text::kernelTitle(m_desk->subject()->subject.kernel)))
                       .toStdString();
    attempt.notes = tr("%1\n%2\nSearch: %3")
                        .arg(QString::fromStdString(schedule::resultWords(result->history)), stampText(),
                             QString::fromStdString(m_desk->subject()->store.string()))
                        .toStdString();
    // The text is the same as that of other attempts; what was done to its code is not.
    QJsonObject options = QJsonDocument::fromJson(QByteArray::fromStdString(asked.options)).object();
    const schedule::Step* best = result->history.bestStep();
    options[QStringLiteral("native_schedule")] =
        QString::fromStdString(best ? best->hash : std::string()) +
        (variant->undone ? QStringLiteral("-%1").arg(*variant->undone) : QString());
    attempt.optionsJson = QJsonDocument(options).toJson(QJsonDocument::Compact).toStdString();
    m_with.session.add(std::move(attempt), [this](Result<std::int64_t> id) {
        if (!id) return m_with.notices.postError(id.error());
        m_with.notices.post(tr("The schedule is attempt #%1 of the session.").arg(*id));
        Q_EMIT attemptAdded(*id);
    });
}

void SchedulePage::askForFile(bool cubin) {
    const QString name = m_kernels->currentText() + (cubin ? QStringLiteral(".cubin") : QStringLiteral(".patch.txt"));
    const QString path =
        QFileDialog::getSaveFileName(this, cubin ? tr("Export the cubin") : tr("Export the list of patches"), name,
                                     cubin ? tr("Cubins (*.cubin)") : tr("Texts (*.txt)"));
    if (path.isEmpty()) return;
    if (cubin)
        exportCubin(path);
    else
        exportPatches(path);
}

void SchedulePage::exportCubin(const QString& path) {
    m_desk->writeCubin(path, [this, path](const Result<void>& written) { tell(path, written); });
}

void SchedulePage::exportPatches(const QString& path) {
    m_desk->writePatches(path, [this, path](const Result<void>& written) { tell(path, written); });
}

void SchedulePage::tell(const QString& path, const Result<void>& written) {
    if (written)
        m_with.notices.post(tr("Written to %1.").arg(path));
    else
        m_with.notices.postError(written.error());
}

} // namespace kernelarium::ui
