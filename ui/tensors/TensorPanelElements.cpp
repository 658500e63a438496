// SPDX-License-Identifier: GPL-3.0-or-later
//
// TensorPanel: single elements, wrong ones, who wrote them and what else these wrote.
#include "ui/tensors/ElementModel.h"
#include "ui/tensors/StoryBar.h"
#include "ui/tensors/TensorBar.h"
#include "ui/tensors/TensorPanel.h"
#include "ui/tensors/TensorPicture.h"
#include "ui/tensors/TensorWords.h"
#include "ui/tensors/ValuesModel.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/Trials.h"

#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QTabWidget>
#include <QTableView>

namespace kernelarium::ui {

namespace {
constexpr std::size_t mostWrongShown = 200;

QString filterText(const verify::WriterFilter& f) {
    const auto triple = [](const std::array<std::uint32_t, 3>& t) {
        return QStringLiteral("(%1, %2, %3)").arg(t[0]).arg(t[1]).arg(t[2]);
    };
    QStringList parts;
    if (f.line > 0) parts << TensorPanel::tr("line %1").arg(f.line);
    if (f.launch) parts << TensorPanel::tr("launch %1").arg(*f.launch + 1);
    if (f.block) parts << TensorPanel::tr("block %1").arg(triple(*f.block));
    if (f.thread) parts << TensorPanel::tr("thread %1").arg(triple(*f.thread));
    return parts.join(QStringLiteral(", "));
}
} // namespace

void TensorPanel::select(const tensor::Shape& element) {
    const auto entry = m_bar->entry();
    if (!entry || m_selecting) return;
    const QScopedValueRollback guard(m_selecting, true);
    m_selected = element;
    if (element.size() == entry->shape.size()) {
        m_bar->showElement(element);
        m_picture->showElement(element);
        if (const QModelIndex at = m_values->indexOf(element); at.isValid()) {
            m_valuesView->setCurrentIndex(at);
            m_valuesView->scrollTo(at);
        }
    }
    if (entry->subject.role == tensorview::Role::input)
        return m_story->say(tr("%1 is an input's, as it was drawn.").arg(indexText(element)));
    const TensorState& figures = m_with.desk.state(TensorDesk::Kind::figures);
    if (!figures.answer || !figures.answer->namesWriters)
        return m_story->offerEmulator(tr("Who wrote %1 is known in the emulator only.").arg(indexText(element)));
    tensorview::Query query;
    query.subject = {tensorview::Role::output, entry->subject.number};
    query.writerOf = element;
    m_with.desk.ask(TensorDesk::Kind::writer, query);
}

void TensorPanel::showElement(std::size_t output, std::int64_t element) {
    m_wanted = WantedElement{output, element, {}};
    if (!m_with.desk.isOpen() || !isOfThisText()) return m_with.trials.lookAtTensors();
    showWanted();
}

/// With the element that was asked about.
void TensorPanel::lookInEmulator() {
    const auto entry = m_bar->entry();
    if (entry && m_selected && m_selected->size() == entry->shape.size())
        m_wanted = WantedElement{entry->subject.number, tensorview::elementAt(*m_selected, entry->shape), entry->shape};
    m_with.trials.lookAtTensors(true);
}

void TensorPanel::showWanted() {
    const TensorState& figures = m_with.desk.state(TensorDesk::Kind::figures);
    if (!m_wanted || !figures.answer) return;
    const auto [output, element, of] = *m_wanted;
    const auto now = m_bar->entry();
    const bool isOfIt = now && now->subject.role != tensorview::Role::input && now->subject.number == output;
    if (!isOfIt) m_bar->choose({tensorview::Role::output, output});
    const auto entry = m_bar->entry();
    if (!entry || entry->subject.number != output) return;
    m_wanted.reset();
    if (of && *of != entry->shape)
        return m_story->say(tr("The emulator runs the task's small size, whose output is %1: choose an element of it.")
                                .arg(indexText(entry->shape)));
    if (element >= 0 && element < tensor::elementCount(entry->shape))
        select(tensorview::indexOf(element, entry->shape));
}

void TensorPanel::takeStory() {
    const TensorState& state = m_with.desk.state(TensorDesk::Kind::writer);
    // Another tensor or element was chosen meanwhile: it has a story of its own.
    const auto entry = m_bar->entry();
    const bool isWanted = entry && entry->subject.role != tensorview::Role::input &&
                          entry->subject.number == state.query.subject.number && state.query.writerOf == m_selected;
    if (!isWanted) return;
    switch (state.stage) {
    case Stage::idle:
    case Stage::waiting: return;
    case Stage::running:
        return m_story->say(tr("Finding out who wrote %1… (Escape cancels)")
                                .arg(indexText(state.query.writerOf.value_or(tensor::Shape()))));
    case Stage::cancelled: return m_story->say(tr("It was cancelled."));
    case Stage::failed: return m_story->say(QString::fromStdString(state.error.text()));
    case Stage::finished: break;
    }
    const tensorview::Entry* output = state.answer->find({tensorview::Role::output, entry->subject.number});
    if (state.answer->story)
        m_story->tell(*state.answer->story, isOfThisText(), output ? output->dtype : tensor::DType::Float32);
}

void TensorPanel::takeWrong() {
    const TensorState& state = m_with.desk.state(TensorDesk::Kind::wrong);
    if (state.query.subject.number != m_wrongOf) return; // of the output before
    if (isBusy(state.stage)) return m_wrongText->setText(tr("Comparing… (Escape cancels)"));
    m_wrong->clear();
    m_tabs->setTabText(2, tr("Wrong"));
    if (state.stage == Stage::failed) m_wrongText->setText(QString::fromStdString(state.error.text()));
    if (state.stage == Stage::cancelled) m_wrongText->setText(tr("It was cancelled."));
    if (state.stage != Stage::finished) m_wrongOf.reset(); // the next choice asks again
    if (state.stage != Stage::finished || !state.answer->wrong) return;
    const tensorview::WrongElements& w = *state.answer->wrong;
    const tensorview::Entry* difference =
        state.answer->find({tensorview::Role::difference, state.answeredQuery.subject.number});
    const tensorview::Entry* output =
        state.answer->find({tensorview::Role::output, state.answeredQuery.subject.number});
    if (difference) m_wrong->show(w.worst, difference->shape, output ? output->dtype : tensor::DType::Float64);
    m_tabs->setTabText(2, w.wrong ? tr("Wrong (%1)").arg(wholeText(w.wrong)) : tr("Wrong"));
    m_wrongText->setText(
        w.wrong == 0 ? tr("None of %1 elements is beyond the tolerance.").arg(wholeText(w.elements))
        : w.wrong > std::int64_t(w.worst.size())
            ? tr("%1 of %2 elements are wrong; the worst %3, the worst first.")
                  .arg(wholeText(w.wrong), wholeText(w.elements), wholeText(std::int64_t(w.worst.size())))
            : tr("%1 of %2 elements are wrong, the worst first.").arg(wholeText(w.wrong), wholeText(w.elements)));
}

void TensorPanel::askWrong() {
    const auto entry = m_bar->entry();
    const TensorState& figures = m_with.desk.state(TensorDesk::Kind::figures);
    if (!entry || !figures.answer) return;
    const std::size_t output = entry->subject.role == tensorview::Role::input ? 0 : entry->subject.number;
    if (m_wrongOf == output) return;
    if (!figures.answer->find({tensorview::Role::difference, output})) {
        m_wrongOf.reset();
        m_wrong->clear();
        m_tabs->setTabText(2, tr("Wrong"));
        m_wrongText->setText(figures.answer->whyNoReference.empty()
                                 ? tr("There is nothing to compare: the output is not there, or has another shape.")
                                 : QString::fromStdString(figures.answer->whyNoReference));
        return;
    }
    m_wrongOf = output;
    tensorview::Query query;
    query.subject = {tensorview::Role::output, output};
    query.worst = mostWrongShown;
    m_with.desk.ask(TensorDesk::Kind::wrong, query);
}

void TensorPanel::showWritten(const verify::WriterFilter& filter) {
    m_filter = filter;
    m_tabs->setCurrentIndex(3);
    if (!m_with.desk.isOpen() || !isOfThisText()) return m_with.trials.lookAtTensors(true);
    const TensorState& figures = m_with.desk.state(TensorDesk::Kind::figures);
    if (!figures.answer) return; // it is on its way, and asked for when it is there
    if (!figures.answer->namesWriters) return m_with.trials.lookAtTensors(true);
    askWritten();
}

void TensorPanel::askWritten() {
    const auto entry = m_bar->entry();
    const bool input = !entry || entry->subject.role == tensorview::Role::input;
    tensorview::Query query;
    query.subject = {tensorview::Role::output, input ? 0 : entry->subject.number};
    query.writtenBy = m_filter;
    if (input) m_bar->choose(query.subject);
    m_with.desk.ask(TensorDesk::Kind::written, query);
}

void TensorPanel::takeWritten() {
    const TensorState& state = m_with.desk.state(TensorDesk::Kind::written);
    if (!m_filter) return;
    const QString what = filterText(state.query.writtenBy.value_or(*m_filter));
    if (isBusy(state.stage)) return m_writtenText->setText(tr("Finding what %1 wrote… (Escape cancels)").arg(what));
    if (state.stage == Stage::failed) m_writtenText->setText(QString::fromStdString(state.error.text()));
    if (state.stage == Stage::cancelled) m_writtenText->setText(tr("It was cancelled."));
    if (state.stage != Stage::finished || !state.answer->written) return;
    const tensorview::Entry* output = state.answer->find(state.answeredQuery.subject);
    if (!output) return;
    const tensorview::Written& w = *state.answer->written;
    const auto entry = m_bar->entry();
    if (m_written->elements().size() != w.found.elements.size() || m_shownWritten != state.answer) {
        m_shownWritten = state.answer;
        m_written->show(w.found.elements, output->shape);
    }
    std::vector<tensor::Shape> outlined;
    const bool ofThis = entry && entry->subject.role != tensorview::Role::input &&
                        entry->subject.number == state.answeredQuery.subject.number &&
                        entry->shape.size() == output->shape.size();
    if (ofThis)
        for (const std::int64_t number : w.found.elements)
            outlined.push_back(tensorview::indexOf(number, output->shape));
    m_picture->setOutlined(outlined);
    QString text = w.found.count == 0 ? tr("Of output %1, %2 is the last writer of no element.")
                                      : tr("Of output %1, %2 is the last writer of %3 elements.");
    text = text.arg(qulonglong(state.answeredQuery.subject.number)).arg(what);
    if (w.found.count > 0) text = text.arg(wholeText(w.found.count));
    if (w.found.count > std::int64_t(w.found.elements.size()))
        text += QLatin1Char(' ') + tr("The first %1 are listed.").arg(wholeText(std::int64_t(w.found.elements.size())));
    if (w.count < tensor::elementCount(output->shape))
        text += QLatin1Char(' ') +
                tr("Looked at: %1 elements from number %2 on.").arg(wholeText(w.count), wholeText(w.first));
    m_writtenText->setText(text);
}

} // namespace kernelarium::ui
