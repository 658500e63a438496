// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTemporaryDir>

/// The desktop entry, AppStream data, icons and file types, as the build lays them out for the installation.
class TestDesktop : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void theEntryNamesWhatIsThere();
    void theMetainfoNamesWhatIsThere();
    void theIconHasItsSizes();
    void filesAreKnownByWhatTheyAre();
    void theValidatorsAgree();

private:
    QTemporaryDir m_data;
    bool m_hasTypes = false;
};
