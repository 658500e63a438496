// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kernels of the HGEMM family in the emulator, against sums in whole numbers.
#include "core/hgemm/family/KernelText.h"
#include "core/hgemm/family/Launch.h"
#include "core/hgemm/family/Pool.h"
#include "core/tensor/HalfBits.h"
#include "gpu/emulator/decode/ProductRegisters.h"
#include "tests/TestRegistry.h"
#include "tests/emulator/HopperKernels.h"

#include <QTest>
#include <set>

using namespace kernelarium::hgemm;
using namespace kernelarium::test;

class TestFamily : public QObject {
    Q_OBJECT
private slots:
    void verifies_data();
    void verifies();
    void keysComeBack();
    void refusesWhatCannotBe_data();
    void refusesWhatCannotBe();
    void poolIsBuildable();
};

namespace {

Configuration warpgroups(int rows, int columns, int stages, int consumers = 1) {
    Configuration c;
    c.engine = Engine::wgmma;
    c.tileRows = rows;
    c.tileColumns = columns;
    c.stages = stages;
    c.consumers = consumers;
    return c;
}

Configuration warps(int rows, int columns, int depth, int stages, int down, int across, int deep) {
    Configuration c;
    c.tileRows = rows;
    c.tileColumns = columns;
    c.depth = depth;
    c.stages = stages;
    c.warpsOfRows = down;
    c.warpsOfColumns = across;
    c.warpsOfDepth = deep;
    return c;
}

/// A [m, k] times B, given as [n, k], in float16.
std::vector<std::uint16_t> productOf(const std::vector<std::uint16_t>& a, const std::vector<std::uint16_t>& b,
                                     const Shape& s) {
    std::vector<std::uint16_t> c;
    for (std::int64_t i = 0; i < s.m; ++i)
        for (std::int64_t j = 0; j < s.n; ++j) {
            float sum = 0;
            for (std::int64_t l = 0; l < s.k; ++l)
                sum += halfValue(a[std::size_t(i * s.k + l)]) * halfValue(b[std::size_t(j * s.k + l)]);
            c.push_back(kernelarium::tensor::halfbits::toHalf(sum));
        }
    return c;
}

} // namespace

Q_DECLARE_METATYPE(kernelarium::hgemm::Configuration)
Q_DECLARE_METATYPE(kernelarium::hgemm::Shape)

void TestFamily::verifies_data() {
    QTest::addColumn<Configuration>("c");
    QTest::addColumn<Shape>("shape");
    const auto row = [](const char* name, Configuration c, const Shape& shape) { QTest::newRow(name) << c << shape; };
    // Whole tiles, and edges in every direction: the last stage has 8 of its 64 elements of k.
    row("one consumer", warpgroups(64, 64, 3), {64, 64, 256});
    row("one consumer, edges", warpgroups(64, 32, 2), {70, 40, 136});
    Configuration c = warpgroups(128, 128, 2, 2);
    c.storesBoxes = true;
    row("two consumers, boxes", c, {136, 136, 200});
    c.layout = Layout::nn;
    c.persistent = true;
    row("two consumers, B as [k, n], persistent", c, {264, 136, 136});
    c = warpgroups(64, 64, 2);
    c.clusterRows = 2;
    row("cluster of two rows", c, {128, 72, 200});
    c.layout = Layout::nn;
    row("cluster of two rows, B as [k, n]", c, {192, 64, 200});
    c.clusterRows = 1;
    c.clusterColumns = 2;
    c.storesBoxes = true;
    row("cluster of two columns", c, {72, 192, 200});
    c.clusterRows = 2;
    row("cluster of two by two", c, {136, 136, 136});
    c = warpgroups(64, 64, 2);
    c.splits = 4;
    c.splitsInCluster = true;
    row("split in a cluster", c, {72, 72, 328});
    c.layout = Layout::nn;
    row("split in a cluster, B as [k, n]", c, {72, 72, 328});
    c.layout = Layout::tn;
    c.splitsInCluster = false;
    row("split by last arriver", c, {72, 72, 328});
    c.splits = 5;
    row("split in five by last arriver", c, {72, 72, 328});
    c.splits = 16;
    c.storesBoxes = true;
    row("split in sixteen by last arriver, boxes", c, {64, 64, 1032});
    c.splits = 4;
    c.storesBoxes = false;
    c.swapped = true;
    c.tileColumns = 16;
    c.splitsInCluster = true;
    row("split in a cluster, swapped", c, {18, 72, 328});
    c.splitsInCluster = false;
    c.splits = 1;
    row("swapped", c, {18, 72, 136});
    c.storesBoxes = true;
    c.layout = Layout::nn;
    row("swapped, boxes, B as [k, n]", c, {18, 136, 136});
    c = warpgroups(64, 64, 3, 2);
    c.pingPong = c.persistent = c.storesBoxes = true;
    c.clusterRows = 2;
    row("ping-pong", c, {384, 136, 200});
    c = warpgroups(64, 64, 2);
    c.halfSums = true;
    row("sums in float16", c, {64, 64, 136});
    row("mma", warps(64, 64, 64, 3, 2, 2, 1), {72, 72, 200});
    c = warps(32, 32, 64, 3, 1, 1, 4);
    c.layout = Layout::nn;
    row("mma, warps that share k, B as [k, n]", c, {40, 40, 136});
    c = warps(32, 64, 32, 2, 1, 2, 2);
    c.splits = 4;
    c.splitsInCluster = true;
    row("mma, split in a cluster", c, {40, 72, 200});
    c = warps(64, 64, 32, 2, 2, 2, 1);
    c.halfSums = c.rasterAlongRows = true;
    c.layout = Layout::nn;
    row("mma, sums in float16", c, {136, 72, 72});
}

void TestFamily::verifies() {
    QFETCH(const Configuration, c);
    QFETCH(const Shape, shape);
    QCOMPARE(refusal(c, shape), std::string());
    QString why;
    const auto p = PtxProgram::compiled(kernelText(c), why);
    if (!p) QSKIP(qPrintable(why));
    QVERIFY(kernelarium::emulator::productRegisterFaults(p->program().parsed()).empty());
    const auto a = smallHalves(std::size_t(shape.m * shape.k), 1), b = smallHalves(std::size_t(shape.n * shape.k), 2);
    std::vector<std::uint16_t> turned(b.size());
    for (std::int64_t j = 0; j < shape.n; ++j)
        for (std::int64_t l = 0; l < shape.k; ++l)
            turned[std::size_t(l * shape.n + j)] = b[std::size_t(j * shape.k + l)];
    const auto expected = productOf(a, b, shape);
    constexpr int multiprocessors = 2;
    const FamilyLaunch l = launchOf(c, shape, multiprocessors);
    const std::uint64_t addressA = p->buffer(a), addressB = p->buffer(c.layout == Layout::tn ? b : turned);
    const std::uint64_t addressC = p->uninitialised(expected.size() * 2);
    const std::uint64_t partial = p->uninitialised(std::uint64_t(l.partialFloats) * 4 + 16);
    p->config.dynamicSharedBytes = p->config.sharedOptInBytes = l.sharedBytes;
    if (l.cluster > 1) p->config.cluster = {l.cluster, 1, 1};
    const std::uint32_t rows = std::uint32_t(l.rows), columns = std::uint32_t(l.columns), k = std::uint32_t(shape.k);
    // What a call leaves behind must not show in the next, nor which block of a cluster goes first.
    for (std::uint64_t call = 0; call < 3; ++call) {
        p->options.schedule = call;
        if (c.engine == Engine::mma) {
            p->run("hgemm", {l.blocks, 1, 1}, {l.threads, 1, 1}, addressA, addressB, addressC, rows, columns, k);
        } else {
            const auto map = [&](const MapOf& m) {
                const std::uint64_t address = m.matrix == Matrix::a   ? addressA
                                              : m.matrix == Matrix::b ? addressB
                                                                      : addressC;
                return matrixMap(6, address, std::uint64_t(m.outer), std::uint64_t(m.inner), std::uint32_t(m.boxOuter),
                                 std::uint32_t(m.boxInner), 3);
            };
            p->run("hgemm", {l.blocks, 1, 1}, {l.threads, 1, 1}, map(l.maps[0]), map(l.maps[1]), map(l.maps[2]),
                   addressC, partial, rows, columns, k, std::uint32_t(l.items));
        }
        QVERIFY(p->read<std::uint16_t>(addressC, expected.size()) == expected);
    }
}

void TestFamily::keysComeBack() {
    for (const Layout layout : {Layout::tn, Layout::nn})
        for (const Configuration& c : pool(layout, false))
            QCOMPARE(configurationOf(c.key()).value_or(Configuration{}).key(), c.key());
    QVERIFY(!configurationOf("engine=wgmma"));
    QVERIFY(!configurationOf(Configuration{}.key() + " more=1"));
    QVERIFY(!configurationOf(""));
}

void TestFamily::refusesWhatCannotBe_data() {
    QTest::addColumn<Configuration>("c");
    QTest::addColumn<Shape>("shape");
    QTest::addColumn<QString>("word");
    const Shape cube{256, 256, 256};
    QTest::newRow("shared memory") << warpgroups(128, 256, 6, 2) << cube << "shared memory";
    QTest::newRow("registers") << warpgroups(128, 256, 2) << cube << "registers";
    QTest::newRow("rows of a warpgroup") << warpgroups(96, 64, 2) << cube << "64 rows";
    Configuration c = warpgroups(64, 64, 2);
    c.clusterRows = 2;
    c.splits = 2;
    QTest::newRow("multicast and splits") << c << cube << "multicast";
    QTest::newRow("lines of 16 bytes") << warpgroups(64, 64, 2) << Shape{64, 60, 64} << "multiples of 8";
    c = warpgroups(64, 64, 2);
    c.splits = 8;
    QTest::newRow("more splits than stages") << c << Shape{64, 64, 256} << "fewer stages";
    QTest::newRow("a warp's share") << warps(24, 32, 64, 2, 1, 1, 1) << cube << "16 by 16";
}

void TestFamily::refusesWhatCannotBe() {
    QFETCH(const Configuration, c);
    QFETCH(const Shape, shape);
    QFETCH(const QString, word);
    const QString why = QString::fromStdString(refusal(c, shape));
    QVERIFY2(why.contains(word), qPrintable(why));
}

void TestFamily::poolIsBuildable() {
    const auto all = pool(Layout::tn, false);
    QVERIFY(all.size() > 100);
    QCOMPARE(std::set<Configuration>(all.begin(), all.end()).size(), all.size());
    for (const Shape& shape : {Shape{64, 64, 64}, Shape{64, 16384, 4096}, Shape{8192, 8192, 8192}}) {
        const auto some = candidates(shape, Layout::tn, false, 24);
        QVERIFY(!some.empty() && some.size() <= 24);
        for (const Configuration& c : some)
            QCOMPARE(refusal(c, shape), std::string());
    }
}

KERNELARIUM_TEST(TestFamily);
#include "TestFamily.moc"
