// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Which toolkits are found in made-up places, and what is used of which.
class TestFoundToolkits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void nothing();
    void theSystems();
    void partsOfOnePlaceStayTogether();
    void tooOldIsTheLastChoice();
    void broughtGoesBeforeTheSystems();
    void theEnvironmentGoesBeforeBrought();
    void aNamedOneAlone();
    void onePlaceUnderTwoNames();
    void pythonPackages();
};
