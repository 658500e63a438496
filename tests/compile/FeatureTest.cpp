// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/FeatureArchitecture.h"
#include "tests/TestRegistry.h"
#include "tests/compile/CompilerFixture.h"

using namespace kernelarium::compile;

/// Files whose instructions only some variants of an architecture have.
class FeatureTest : public QObject {
    Q_OBJECT
private slots:
    void variantsOfHopper();
    void warpgroupsAssemble();
};

void FeatureTest::variantsOfHopper() {
    QCOMPARE(featureArchitecture("sm_90", "__global__ void k() {}"), std::string("sm_90"));
    QCOMPARE(featureArchitecture("sm_90", "asm(\"wgmma.fence.sync.aligned;\");"), std::string("sm_90a"));
    QCOMPARE(featureArchitecture("sm_90", "#include <cute/tensor.hpp>"), std::string("sm_90a"));
    QCOMPARE(featureArchitecture("sm_80", "asm(\"wgmma.fence.sync.aligned;\");"), std::string("sm_80"));
}

void FeatureTest::warpgroupsAssemble() {
    COMPILER_OR_SKIP(compiler);
    const auto unit = compiler->compile(
        "__global__ void k(int* o) { asm volatile(\"wgmma.fence.sync.aligned;\" ::: \"memory\"); *o = 1; }", {});
    QVERIFY2(unit && unit->ok, unit ? describe(*unit).c_str() : unit.error().text().c_str());
    QCOMPARE(unit->arch, std::string("sm_90a"));
    QVERIFY(!unit->cubin.empty());
}

namespace {
KERNELARIUM_TEST(FeatureTest);
}
#include "FeatureTest.moc"
