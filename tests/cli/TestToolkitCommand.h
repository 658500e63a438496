// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// `toolkit get`, `show` and `remove`, with the system's toolkit hidden and wheels made of it.
class TestToolkitCommand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void saysWhatIsMissing();
    void showsSizesAndLicenceFirst();
    void getsGoesOnCompilesAndIsRemoved();
    void refusals();
};
