// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// What is typed, regular expressions, words, duplicates.
class TestSearchLanguage : public QObject {
    Q_OBJECT
private slots:
    void fields_data();
    void fields();
    void wrongValuesAreRefused_data();
    void wrongValuesAreRefused();
    void regexFindsWhatANaiveScanFinds_data();
    void regexFindsWhatANaiveScanFinds();
    void regexIsLinear();
    void brokenRegexIsRefused_data();
    void brokenRegexIsRefused();
    void usesWholeWords();
    void findsEachWord_data();
    void findsEachWord();
    void offersEachWord();
    void fieldsAloneAreAQuery();
    void duplicatesAreFolded();
    void shortTextsNeedNoScan();
};
