// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/TestCudaMachine.h"
#include "tests/device/TestCudaMemory.h"
#include "tests/device/TestCudaRuns.h"
#include "tests/device/TestCudaWorkplace.h"
#include "tests/device/TestDriver.h"
#include "tests/device/TestLanes.h"
#include "tests/device/TestLaunchLists.h"
#include "tests/device/TestLostContext.h"
#include "tests/device/TestTiming.h"
#include "tests/device/TestVendorConvolutions.h"
#include "tests/device/TestVendorProducts.h"
#include "tests/device/TestVendorRecurrent.h"

#include <QCoreApplication>
#include <QtTest>

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    int failed = 0;
    TestDriver driver;
    TestCudaMemory memory;
    TestCudaMachine machine;
    TestCudaRuns runs;
    TestCudaWorkplace workplace;
    TestVendorProducts products;
    TestVendorConvolutions convolutions;
    TestVendorRecurrent recurrent;
    TestTiming timing;
    TestLostContext lost;
    TestLaunchLists lists;
    TestLanes lanes;
    for (QObject* test :
         {static_cast<QObject*>(&driver), static_cast<QObject*>(&memory), static_cast<QObject*>(&machine),
          static_cast<QObject*>(&runs), static_cast<QObject*>(&workplace), static_cast<QObject*>(&products),
          static_cast<QObject*>(&convolutions), static_cast<QObject*>(&recurrent), static_cast<QObject*>(&timing),
          static_cast<QObject*>(&lost), static_cast<QObject*>(&lists), static_cast<QObject*>(&lanes)})
        failed += QTest::qExec(test, argc, argv);
    return failed == 0 ? 0 : 1;
}
