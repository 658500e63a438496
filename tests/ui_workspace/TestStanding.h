// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// What is known of the text on the bench is known wherever it comes from: by its hash.
class TestStanding : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysHowTheTextStands();
    void aVerdictBelongsToItsText();
    void nothingIsComparedAtAnotherSize();
    void whatWasUndoneDoesNotComeBack();
};

} // namespace kernelarium::ui
