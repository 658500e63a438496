// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Programs with a main of their own, on the command line.
class TestProgram : public QObject {
    Q_OBJECT
private slots:
    void reportsItsExitCodeBesideOurs();
    void findingsAreOurExitCode_data();
    void findingsAreOurExitCode();
    void itsFolderIsSearched();
    void isNotVerified();
};
