// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Pages of a simple index, as they should be and as they are not.
class TestIndexPage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsJson();
    void readsHtml();
    void refusesWhatIsWrong_data();
    void refusesWhatIsWrong();
    void knowsFilesOfAWheel_data();
    void knowsFilesOfAWheel();
};
