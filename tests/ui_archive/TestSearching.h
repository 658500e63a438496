// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// The search field, its language, and saved searches.
class TestSearching : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fieldsNarrowTheTable_data();
    void fieldsNarrowTheTable();
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
    void completesFieldsAndValues();
    void valuesFollowTheirField();
    void anUnfinishedFieldIsLeftOut();
    void offersToLookForEachWord();
    void explainsItself();
    void foldsTheSameCode();
    void firstHitsComeFirst();
    void savedSearchesAreKept();
    void aDeletedSearchComesBack();
    void aSearchNeedsAName();
    void aSavedLiteralStaysOne();
};

} // namespace kernelarium::ui
