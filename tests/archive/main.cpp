// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/TestArchiveFile.h"
#include "tests/archive/TestCodeShape.h"
#include "tests/archive/TestExport.h"
#include "tests/archive/TestImport.h"
#include "tests/archive/TestImportSafety.h"
#include "tests/archive/TestParquet.h"
#include "tests/archive/TestParquetRefusals.h"
#include "tests/archive/TestQueries.h"
#include "tests/archive/TestSearch.h"
#include "tests/archive/TestSearchLanguage.h"

#include <QCoreApplication>
#include <QtTest>

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    TestImport import;
    TestImportSafety safety;
    TestParquet parquet;
    TestParquetRefusals parquetRefusals;
    TestArchiveFile file;
    TestCodeShape shape;
    TestSearchLanguage language;
    TestExport exports;
    TestQueries queries;
    TestSearch search;
    int failures = 0;
    for (QObject* test :
         {static_cast<QObject*>(&import), static_cast<QObject*>(&safety), static_cast<QObject*>(&parquet),
          static_cast<QObject*>(&parquetRefusals), static_cast<QObject*>(&file), static_cast<QObject*>(&queries),
          static_cast<QObject*>(&shape), static_cast<QObject*>(&exports), static_cast<QObject*>(&language),
          static_cast<QObject*>(&search)})
        failures += QTest::qExec(test, argc, argv);
    return failures;
}
