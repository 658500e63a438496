// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/source/SourceQuestions.h"

#include "core/text/CompilerSettings.h"
#include "ui/editor/CodeEditor.h"
#include "ui/editor/PromptBar.h"
#include "ui/editor/Symbols.h"
#include "ui/words/Words.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Place.h"

#include <QRegularExpression>

namespace kernelarium::ui {

void askForLine(CodeEditor& editor, PromptBar& prompt) {
    const auto place = [](const QString& answer) { // "12", "12:5", "12,5"
        static const QRegularExpression form(QStringLiteral(R"(^\s*(\d{1,9})\s*(?:[:,]\s*(\d{1,9}))?\s*$)"));
        const QRegularExpressionMatch match = form.match(answer);
        return match.hasMatch() ? std::pair(match.captured(1).toInt(), match.captured(2).toInt()) : std::pair(0, 0);
    };
    PromptBar::Question question;
    question.label = Words::tr("Go to line");
    question.button = Words::tr("Go");
    question.answer = QString::number(editor.cursorLine());
    question.remark = [&editor, place](const QString& answer) -> PromptBar::Remark {
        const int last = editor.lines(), line = place(answer).first;
        if (line >= 1 && line <= last) return {Words::tr("of %1; line:column goes to a column").arg(last), false};
        return {Words::tr("A line from 1 to %1, or line:column").arg(last), true};
    };
    question.answered = [&editor, place](const QString& answer) {
        const auto [line, column] = place(answer);
        editor.goToLine(line, column);
    };
    prompt.ask(std::move(question));
}

void askForNewName(CodeEditor& editor, PromptBar& prompt) {
    editor.symbols().findPlaces([&editor, &prompt](Symbols::Places places) {
        PromptBar::Question question;
        question.label = Words::tr("Rename %1 to").arg(places.name);
        question.button = Words::tr("Rename");
        question.answer = places.name;
        question.remark = [places](const QString& answer) -> PromptBar::Remark {
            if (const QString problem = Symbols::problemWith(answer); !problem.isEmpty()) return {problem, true};
            const auto count = places.places.size();
            QString text = places.wholeFile ? Words::tr("%n place(s) in this file", nullptr, int(count))
                                            : Words::tr("%n place(s) where it is known", nullptr, int(count));
            if (answer == places.name) return {text + Words::tr("; comments and texts stay"), true};
            if (const auto taken = places.index->count(answer.toStdString()); taken > 0)
                text += Words::tr("; %1 stands in %n place(s) already", nullptr, int(taken)).arg(answer);
            else
                text += Words::tr("; comments and texts stay");
            return {text, false};
        };
        question.answered = [&editor, places](const QString& answer) { editor.symbols().rename(places, answer); };
        prompt.ask(std::move(question));
    });
}

QString optionsLine(const Bench& bench, const Place& place) {
    text::CompileLine line;
    line.fastMath = place.target().fastMath;
    if (auto settings = text::settingsFromLine(bench.kernel().compilerOptions.toStdString()))
        line.settings = std::move(*settings);
    return QString::fromStdString(text::lineOf(line));
}

void askForOptions(Bench& bench, Assignment& assignment, Place& place, PromptBar& prompt) {
    PromptBar::Question question;
    question.label = Words::tr("Compiler options");
    question.button = Words::tr("Compile");
    question.answer = optionsLine(bench, place);
    question.remark = [&place](const QString& answer) -> PromptBar::Remark {
        if (const auto line = text::compileFromLine(answer.toStdString()); !line)
            return {QString::fromStdString(line.error().text()), true};
        return {Words::tr("for %1: --fast-math, --max-registers=N, -DNAME=VALUE, -UNAME, -IFOLDER; line information is "
                          "always there")
                    .arg(place.target().arch),
                false};
    };
    question.answered = [&bench, &assignment, &place](const QString& answer) {
        const auto line = text::compileFromLine(answer.toStdString());
        if (!line) return;
        assignment.setBuild(QString::fromStdString(text::lineOf(line->settings)), bench.kernel().function);
        Target target = place.target();
        target.fastMath = line->fastMath;
        place.setTarget(target);
    };
    prompt.ask(std::move(question));
}

} // namespace kernelarium::ui
