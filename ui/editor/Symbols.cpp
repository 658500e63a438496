// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/Symbols.h"

#include "ui/editor/DocumentEdit.h"
#include "ui/editor/LatestJob.h"
#include "ui/names/CudaNames.h"

#include <algorithm>

namespace kernelarium::ui {

namespace {

using S = QsciScintilla;
constexpr std::size_t mostReturns = 100;

} // namespace

Symbols::Symbols(QsciScintilla& editor, int marker)
    : QObject(&editor)
    , m_editor(editor)
    , m_marker(marker)
    , m_job(new LatestJob(this)) {
    m_editor.markerDefine(S::Invisible, marker);
    connect(&editor, &QsciScintilla::textChanged, this, [this] { ++m_revision; });
}

void Symbols::forget() {
    m_job->cancel();
    m_from.clear();
}

void Symbols::read(std::function<void(std::shared_ptr<const SourceIndex>)> then) {
    const QByteArray bytes = documentBytes(m_editor);
    m_job->start([this, text = bytes.toStdString(), revision = m_revision,
                  then = std::move(then)](const std::stop_token&) -> LatestJob::Deliver {
        auto index = std::make_shared<const SourceIndex>(text);
        return [this, index, revision, then] {
            if (revision == m_revision) then(index);
        };
    });
}

void Symbols::goToDefinition(long position) {
    read([this, position](const std::shared_ptr<const SourceIndex>& index) { arrive(*index, position); });
}

void Symbols::arrive(const SourceIndex& index, long position) {
    const auto name = index.nameAt(std::size_t(position));
    if (!name) {
        Q_EMIT said(tr("There is no name here whose definition could be shown."));
        return;
    }
    const std::string_view word = index.text(*name);
    const QString shown = QString::fromUtf8(word.data(), qsizetype(word.size()));
    const auto definitions = index.definitionsOf(*name);
    if (definitions.empty()) {
        const CallTip* tip = callTipOf(word);
        Q_EMIT said(tip ? tr("%1 is CUDA's own: %2")
                              .arg(shown, QString::fromUtf8(tip->meaning.data(), qsizetype(tip->meaning.size())))
                        : tr("%1 is not defined in this file.").arg(shown));
        return;
    }
    auto target = definitions.begin();
    const auto here = std::find_if(definitions.begin(), definitions.end(),
                                   [&](const SourceDefinition& d) { return d.name == *name; });
    if (here != definitions.end()) target = here + 1 == definitions.end() ? definitions.begin() : here + 1;
    if (target == here) {
        Q_EMIT said(tr("This is the definition of %1.").arg(shown));
        return;
    }
    const long line = m_editor.SendScintilla(S::SCI_LINEFROMPOSITION, position);
    const long start = m_editor.SendScintilla(S::SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
    m_from.push_back({m_editor.markerAdd(int(line), m_marker), int(position - start) + 1});
    if (m_from.size() > mostReturns) {
        m_editor.markerDeleteHandle(m_from.front().handle);
        m_from.erase(m_from.begin());
    }
    const auto at = long(target->name.begin);
    const long to = m_editor.SendScintilla(S::SCI_LINEFROMPOSITION, at);
    Q_EMIT jumped(int(to) + 1,
                  int(at - m_editor.SendScintilla(S::SCI_POSITIONFROMLINE, static_cast<unsigned long>(to))) + 1);
}

void Symbols::goBack() {
    while (!m_from.empty()) {
        const From from = m_from.back();
        m_from.pop_back();
        const int line = m_editor.markerLine(from.handle);
        m_editor.markerDeleteHandle(from.handle);
        if (line < 0) continue; // that line is gone
        Q_EMIT jumped(line + 1, from.column);
        return;
    }
    Q_EMIT said(tr("F12 was not used in this text yet, or you are back already."));
}

void Symbols::findPlaces(std::function<void(Places)> found) {
    const long position = m_editor.SendScintilla(S::SCI_GETCURRENTPOS);
    read([this, position, found = std::move(found)](const std::shared_ptr<const SourceIndex>& index) {
        const auto name = index->nameAt(std::size_t(position));
        if (!name) {
            Q_EMIT said(tr("Put the cursor on the name that is to be another one."));
            return;
        }
        const auto definitions = index->definitionsOf(*name);
        const std::string_view word = index->text(*name);
        Places places;
        places.name = QString::fromUtf8(word.data(), qsizetype(word.size()));
        places.places = index->placesOf(*name);
        places.wholeFile = definitions.empty() || (definitions.front().scope.begin == 0 &&
                                                   definitions.front().scope.end == std::size_t(m_editor.length()));
        places.index = index;
        found(std::move(places));
    });
}

QString Symbols::problemWith(const QString& name) {
    const std::string word = name.toStdString();
    if (SourceIndex::isName(word)) return {};
    const bool shaped =
        !word.empty() && !(word[0] >= '0' && word[0] <= '9') &&
        std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (word.empty()) return tr("A name is needed.");
    return shaped ? tr("%1 is a word of the language.").arg(name) : tr("A name has letters, digits and _ only.");
}

void Symbols::rename(const Places& places, const QString& name) {
    if (m_editor.isReadOnly() || !problemWith(name).isEmpty() || name == places.name) return;
    std::vector<TextEdit> edits;
    for (const SourceSpan& place : places.places)
        edits.push_back({long(place.begin), long(place.end), name.toUtf8()});
    const long caret = movedBy(edits, m_editor.SendScintilla(S::SCI_GETCURRENTPOS), false);
    const long top = m_editor.SendScintilla(S::SCI_GETFIRSTVISIBLELINE);
    applyEdits(m_editor, edits);
    m_editor.SendScintilla(S::SCI_SETEMPTYSELECTION, static_cast<unsigned long>(caret));
    m_editor.SendScintilla(S::SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(top));
    showLineStarts(m_editor);
}

} // namespace kernelarium::ui
