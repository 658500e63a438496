// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/words/ParentWords.h"

#include "ui/words/GeneratedKernels.h"
#include "ui/words/Words.h"

#include <QStringList>

namespace kernelarium::ui {

namespace {

QString withAttempt(const std::string& title, qint64 attempt) {
    const QString name = QString::fromStdString(title);
    return attempt == 0 ? name : Words::tr("%1 (attempt %2)").arg(name).arg(attempt);
}

} // namespace

QString kernelWithParents(const session::AttemptSummary& attempt) {
    QStringList parents{QString::fromStdString(attempt.kernelTitle)};
    for (const session::OtherParent& other : attempt.takenFrom)
        parents << QString::fromStdString(other.kernelTitle);
    return parents.join(QStringLiteral(" + "));
}

QString parentsSentence(const session::AttemptSummary& attempt) {
    const auto generated = generatedFrom(QString::fromStdString(attempt.kernelKey));
    if (attempt.takenFrom.empty()) return generated ? generated->sentence() : QString();
    QStringList others;
    for (const session::OtherParent& other : attempt.takenFrom)
        others << withAttempt(other.kernelTitle, other.attempt);
    const QString edited =
        Words::tr("Edited from %1; changes taken from %2.")
            .arg(withAttempt(attempt.kernelTitle, attempt.parent), others.join(QStringLiteral(", ")));
    return generated ? generated->sentence() + QLatin1Char(' ') + edited : edited;
}

} // namespace kernelarium::ui
