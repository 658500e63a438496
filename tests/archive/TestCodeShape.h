// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Which codes count as the same.
class TestCodeShape : public QObject {
    Q_OBJECT
private slots:
    void normalises_data();
    void normalises();
    void layoutDoesNotMatter();
    void everyOtherChangeMatters();
    void takesAnyBytes();
};
