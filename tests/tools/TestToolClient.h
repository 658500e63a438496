// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Outside tools through a child of their own, with programs of the test's in their places.
class TestToolClient : public QObject {
    Q_OBJECT

private slots:
    void requestsComeBack();
    void adviceComesThrough();
    void formattedTextComesThrough();
    void formatFollowsTheFoldersStyle();
    void measuredLaunchesComeThrough();
    void pythonsAreNamedOrRefused();
    void cardsThatAreThereNeedNoPython();
    void toolsAreEndedWhenCancelled();
};
