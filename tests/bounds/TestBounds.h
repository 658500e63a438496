// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Sources that take all there is: their children end within their bounds, with a word, and the parent stays small.
class TestBounds : public QObject {
    Q_OBJECT
private slots:
    void runsEnd_data();
    void runsEnd();
    void compilationsEnd_data();
    void compilationsEnd();
    void theTimeLimitHoldsForCompiling();
    void diagnosticsAreCounted();
    void whatATaskNeedsIsAllowed();
};
