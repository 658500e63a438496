// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Sweeps from the command line where something is wrong: a store, an input, the output, the moment of a crash.
class TestTuneBroken : public QObject {
    Q_OBJECT
private slots:
    void aForgedTimeIsNeverBest();
    void whatIsNotKeptDoesNotCount();
    void onlyFilesAreWritten();
    void everyErrorIsJson_data();
    void everyErrorIsJson();
    void whatCannotBeginLeavesNoStore();
    void withoutAReferenceNothingBegins();
    void textsOfOtherEncodings();
    void whatIsIgnoredIsNamed();
    void lostOutputIsAnError();
    void closedStreamsAreNotTheStore();
    void aPartAnswersInJson();
};
