// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// The window with the system's toolkit hidden: what it offers, brings and lists.
class TestToolkitWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void offersWhatCompilingNeeds();
    void compilesWithWhatItBrought();
    void listsWhatTheCommandLineLists();
    void asksAnIndexThatDoesNotAnswer();
    void takesAFolder();
    void stopsAndGoesOn();
    void toursWhatWorks();
};

} // namespace kernelarium::ui
