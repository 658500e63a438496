// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestSuperopt : public QObject {
    Q_OBJECT
private slots:
    void explainsInWords();
    void explainsAsJson();
    void explainsACardOfOnesOwn();
    void provesWhatItExplains();
    void showsCandidates();
    void showsOneCandidateInItsLevels();
    void verifiesCandidates();
    void emitsTheCandidateThatIsAskedFor();
    void refusesAnOperatorWithoutAFormByItsName();
    void callsDegenerateTasksSo();
    void badInputIsRefused_data();
    void badInputIsRefused();
};
