// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestPythonExport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void agreesWithTheBuiltInCard_data();
    void agreesWithTheBuiltInCard();
    void hostileCodeHarmsNothing_data();
    void hostileCodeHarmsNothing();
    void refusesByName_data();
    void refusesByName();
    void endsWhenCancelled();
    void namesWhatPythonsLack();
    void onePlaceIsOneCandidate();
    void deepAnswersAreRefused();
    void belongsToABuiltInTaskByItsNameOnly();
    void keepsACardForItsRow();
};
