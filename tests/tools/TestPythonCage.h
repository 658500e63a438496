// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// What the Python that exports cards must not do, tried by an ordinary user's (where the tests are root's, one is
/// made): a package named torch holds the attack.
class TestPythonCage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void attacksAreRefused_data();
    void attacksAreRefused();
    void whatWritesTooMuchIsEnded_data();
    void whatWritesTooMuchIsEnded();
    void theQuestionForItsVersionIsConfinedAsWell();
    void aVirtualEnvironmentIsReadable();
};
