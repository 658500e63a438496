// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/source/SourceMarks.h"

#include "ui/desks/CompileDesk.h"
#include "ui/desks/ProfileDesk.h"
#include "ui/desks/RunDesk.h"
#include "ui/desks/TidyDesk.h"
#include "ui/diagnostics/DiagnosticsModel.h"
#include "ui/editor/CodeEditor.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Settings.h"

#include <algorithm>

namespace kernelarium::ui {

namespace {

EditorMark::Severity severityOf(compile::Severity severity) {
    switch (severity) {
    case compile::Severity::error: return EditorMark::Severity::error;
    case compile::Severity::warning: return EditorMark::Severity::warning;
    case compile::Severity::note: break;
    }
    return EditorMark::Severity::note;
}

} // namespace

SourceMarks::SourceMarks(const Around& around, CodeEditor& editor, QObject* parent)
    : QObject(parent)
    , m_with(around)
    , m_editor(editor) {
    connect(&around.compiler, &CompileDesk::changed, this, &SourceMarks::refresh);
    connect(&around.runner, &RunDesk::verifyChanged, this, &SourceMarks::refresh);
    connect(&around.profiles, &ProfileDesk::changed, this, &SourceMarks::refresh);
    connect(&around.tidy, &TidyDesk::changed, this, &SourceMarks::refresh);
    connect(&around.settings, &Settings::changed, this, [this](const QString& key) {
        if (Settings::isOf(key, setting::archivedTidy)) refresh();
    });
}

void SourceMarks::refresh() {
    const CompileState& state = m_with.compiler.state();
    if (m_with.bench.kernel().isEmpty() || state.stage == Stage::waiting ||
        (state.stage == Stage::running && !state.diagnosed))
        return; // marks follow the edits until the compiler has spoken again
    std::vector<EditorMark> marks;
    if (state.diagnosed)
        for (const auto& d : state.diagnostics)
            if (d.file == ownFile && d.line > 0)
                marks.push_back({d.line, d.column, severityOf(d.severity), QString::fromStdString(d.text)});
    const VerifyState& verify = m_with.runner.verifyState();
    if (verify.answer && verify.generation == m_with.bench.generation())
        for (const auto& fault : verify.answer->faults)
            if (fault.line > 0)
                marks.push_back({fault.line, 0, EditorMark::Severity::fault, QString::fromStdString(fault.message)});
    addAdvice(marks);
    m_editor.setDiagnostics(marks);
}

void SourceMarks::addAdvice(std::vector<EditorMark>& marks) const {
    const TidyState& tidy = m_with.tidy.state();
    if (tidy.answer && tidy.answered == m_with.bench.generation())
        for (const auto& finding : tidy.answer->findings)
            marks.push_back({finding.line, finding.column, EditorMark::Severity::advice,
                             tr("%1 [%2; clang-tidy]")
                                 .arg(QString::fromStdString(finding.message), QString::fromStdString(finding.check))});
    // The archive's findings are about the archived text: where that was edited they are not known to hold.
    const auto& profiles = m_with.profiles.profiles();
    if (!m_with.settings.get(setting::archivedTidy) || m_with.bench.isEdited() || !profiles || !profiles->tidy ||
        !*profiles->tidy)
        return;
    const std::string source = m_with.bench.source().toStdString();
    const auto isSaid = [&](const profile::TidyFinding& archived) { // by clang-tidy here, at the same place
        return tidy.answer && tidy.answered == m_with.bench.generation() &&
               std::any_of(tidy.answer->findings.begin(), tidy.answer->findings.end(), [&](const auto& live) {
                   return live.line == archived.line && live.message == archived.message;
               });
    };
    for (const auto& finding : (*profiles->tidy)->findings) {
        if (isSaid(finding) || profile::isIndexNarrowing(finding, source)) continue;
        marks.push_back({finding.line, finding.column, EditorMark::Severity::advice,
                         tr("%1 [%2; clang-tidy, archived]")
                             .arg(QString::fromStdString(finding.message),
                                  QString::fromStdString(finding.check.empty() ? finding.severity : finding.check))});
    }
}

} // namespace kernelarium::ui
