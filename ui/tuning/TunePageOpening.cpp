// SPDX-License-Identifier: GPL-3.0-or-later
// How what the sweep found comes on the bench.
#include "core/tuning/space/PointText.h"
#include "gpu/protocol/BestText.h"
#include "ui/threads/Ask.h"
#include "ui/tuning/PointModel.h"
#include "ui/tuning/SizesView.h"
#include "ui/tuning/TunePage.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/Place.h"

#include <algorithm>

namespace kernelarium::ui {

namespace {

/// A point says more than its text.
bool setsCompiler(const tuning::TunableText& tunable) {
    return std::any_of(tunable.targets.begin(), tunable.targets.end(),
                       [](const tuning::Target& target) { return !std::holds_alternative<tuning::Spot>(target); });
}

} // namespace

void TunePage::open(int modelRow) {
    if (modelRow >= 0 && modelRow < m_model->rowCount())
        openPoint(QString::fromStdString(m_model->rows()[std::size_t(modelRow)].key));
}

void TunePage::openPoint(const QString& key) {
    const TuneSubjectPointer& subject = m_desk->subject();
    if (!subject || !subject->request) return;
    const protocol::SweepRequest& request = *subject->request;
    const auto point = subject->space().pointOf(key.toStdString());
    if (!point) return;
    tuning::PointText made =
        tuning::pointText(request.tunable, *point, request.points.compiler, request.points.fastMath);
    put({subject->kernelKey, QString::fromStdString(made.text),
         tr("%1 is in the editor; undo brings the former text back.").arg(key), setsCompiler(request.tunable),
         std::move(made.settings), made.fastMath});
}

/// Into one file; what is compiled for that takes a moment.
void TunePage::openFile() {
    const TuneSubjectPointer subject = m_desk->subject();
    if (!subject || !subject->request) return;
    m_sizes->setBusy(true);
    ask<protocol::BestText>(
        m_writer, this, "file",
        [subject, points = m_desk->points(),
         command = protocol::TrialJudge::commandsFor(m_with.paths.program.toStdString(), 1).compile](
            const std::stop_token& stop) { return protocol::bestText(*subject->request, points, command, stop); },
        [this, subject](Result<protocol::BestText> best) {
            m_sizes->setBusy(false);
            if (!best) {
                if (best.error().code != "cancelled") m_with.notices.postError(best.error());
                return;
            }
            const bool one = best->versions.size() == 1;
            QString words = one ? tr("%1 is the best for every size. It is in the editor; undo brings the former text "
                                     "back.")
                                      .arg(QString::fromStdString(best->versions.front().key))
                                : tr("One file of the best for each size is in the editor, %1 versions for %2 sizes; "
                                     "undo brings the former text back.")
                                      .arg(best->versions.size())
                                      .arg(subject->request->points.sizes.size());
            for (const std::string& sentence : best->slower)
                words += QLatin1Char(' ') + QString::fromStdString(sentence) + QLatin1Char('.');
            put({subject->kernelKey, QString::fromStdString(best->text), words, setsCompiler(subject->request->tunable),
                 std::move(best->settings), best->fastMath});
        });
}

/// The kernel comes back first where another one is on the bench.
void TunePage::put(Opening opening) {
    if (m_with.bench.kernel().key == opening.kernelKey) return putOpened(opening);
    m_opening = std::move(opening);
    const QString key = m_opening->kernelKey;
    m_with.bench.openKey(key);
}

/// What is said beside the text goes where the user would have put it.
void TunePage::putOpened(const Opening& opening) {
    m_with.bench.replaceSource(opening.text);
    QString words = opening.words;
    if (opening.sets) {
        const QString options = QString::fromStdString(text::lineOf(opening.settings));
        m_with.assignment.setBuild(options, m_with.bench.kernel().function);
        Target target = m_with.place.target();
        target.fastMath = opening.fastMath;
        m_with.place.setTarget(target);
        words += QLatin1Char(' ') + tr("It is compiled with: %1%2.")
                                        .arg(options.isEmpty() ? tr("no options") : options,
                                             opening.fastMath ? tr(", fast math") : QString());
    }
    m_with.notices.post(words);
    Q_EMIT backRequested();
}

} // namespace kernelarium::ui
