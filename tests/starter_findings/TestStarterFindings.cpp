// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the starter kernels were written to show, against values computed by hand.
#include "tests/TestRegistry.h"
#include "tests/starter_findings/StarterProfile.h"

#include <QtTest>
#include <cmath>

using namespace kernelarium;
using namespace kernelarium::perf;
using kernelarium::test::starterLine;
using kernelarium::test::StarterProfile;
using kernelarium::test::starterProfile;

namespace {

/// A figure of a line's counters by its name in the tables below.
double figureOf(const LineCounters& c, const QString& name) {
    if (name == QLatin1String("load sectors")) return c.globalLoadSectors / c.globalLoadRequests;
    if (name == QLatin1String("load ideal")) return c.globalLoadIdealSectors / c.globalLoadRequests;
    if (name == QLatin1String("store sectors")) return c.globalStoreSectors / c.globalStoreRequests;
    if (name == QLatin1String("store ideal")) return c.globalStoreIdealSectors / c.globalStoreRequests;
    if (name == QLatin1String("conflicts")) return bankConflictDegree(c).value_or(-1);
    if (name == QLatin1String("lanes")) return activeLanes(c).value_or(-1);
    if (name == QLatin1String("divergent")) return c.divergentBranches;
    if (name == QLatin1String("barriers")) return c.barrierWaits;
    if (name == QLatin1String("shared loads")) return c.sharedLoadRequests;
    if (name == QLatin1String("load stride")) return c.loadWaste.stride;
    if (name == QLatin1String("store stride")) return c.storeWaste.stride;
    return std::nan("");
}

struct Figure {
    const char* kernel;
    const char* words; ///< of the line; empty: of the whole launch
    const char* name;
    double value;
    std::size_t launch = 0;
};

// A sector is 32 bytes, a float 4: 32 neighbouring lanes need 4 sectors, a broadcast 1.
constexpr Figure figures[] = {
    // A's rows of 2048 floats are 8192 bytes apart: 32 sectors; B's element is one for all lanes: 1. Two
    // loads to a line:
    // (32 + 1) / 2 where (4 + 1) / 2 would do. C is stored as A is read.
    {"1/1/naive", "sum += A[", "load sectors", 16.5},
    {"1/1/naive", "sum += A[", "load ideal", 2.5},
    {"1/1/naive", "sum += A[", "load stride", 8192},
    {"1/1/naive", "C[size_t(row)", "store sectors", 32},
    {"1/1/naive", "C[size_t(row)", "store ideal", 4},
    // The same with lanes along the columns: A a broadcast, B a line of 4 sectors.
    {"1/1/coalesced", "sum += A[", "load sectors", 2.5},
    {"1/1/coalesced", "C[size_t(row)", "store sectors", 4},
    // Two shared loads for each of 2048^3 / 32 multiply-adds of a warp; a broadcast and 32 banks: no
    // conflicts.
    {"1/1/shared_tiles", "sum += tileA[", "shared loads", 1.25 * 2048.0 * 2048 * 2048 / 32},
    {"1/1/shared_tiles", "sum += tileA[", "conflicts", 1},
    // Two barriers for each of 2048 / 32 tiles, 32 warps in each of 64 * 64 blocks.
    {"1/1/shared_tiles", "", "barriers", 2 * 64.0 * 32 * 64 * 64},
    // One load of B for 8 products and one of A for each: 9/8 for 2048^3 / 32, plus none elsewhere.
    {"1/1/register_column", "", "shared loads", 3.0 / 8 * 2048 * 2048 * 2048 / 32},
    // Lanes 0 to 15 store rows of 68 floats, one below the other: banks 4 * lane, so lanes 8 apart share one;
    // lanes 16 to
    // 31 are one bank further.
    {"1/1/register_tile", "tileA[column][row] = inside", "conflicts", 2},
    // Lanes 0 to 15 read every fourth of 64 floats, banks 4 * lane; lanes 16 to 31 the same words.
    {"1/1/register_tile", "b[s] = tileB[i]", "conflicts", 1}, // 16 bytes a lane, side by side
    {"1/1/register_tile", "a[s] = tileA[i]", "conflicts", 1}, // two words for the warp
    // As 1/1/naive, rows of 131072 floats apart.
    {"1/4/naive", "sum += A[", "load sectors", 16.5},
    {"1/4/naive", "sum += A[", "load stride", 131072 * 4},
    // A broadcast and a line, in both naive products.
    {"1/16/naive", "sum += A[", "load sectors", 2.5},
    {"1/3/naive", "sum += rowA[", "load sectors", 2.5},
    // 16 rows: half a warp, each lane in a row of its own; 16 floats would fit 2 sectors.
    {"1/23/naive", "sum += expf(", "lanes", 16},
    {"1/23/naive", "sum += expf(", "load sectors", 16},
    {"1/23/naive", "sum += expf(", "load ideal", 2},
    {"1/19/naive", "y[i] =", "load sectors", 4},
    {"1/19/naive", "y[i] =", "store sectors", 4},
    // Neighbours of a block sum elements that are 256 floats apart.
    {"1/47/block_tree", "sum += in[", "load sectors", 32},
    {"1/47/block_tree", "sum += in[", "load ideal", 4},
    {"1/47/block_tree", "sum += in[", "load stride", 1024},
    // 128 threads, halves of 64 and 32 part no warp; 16, 8, 4, 2 and 1 part the first: 5 in each of 4096
    // blocks.
    {"1/47/block_tree", "if (threadIdx.x < half)", "divergent", 5 * 4096},
    // One barrier before the tree and one in each of 7 steps, 4 warps in 4096 blocks.
    {"1/47/block_tree", "", "barriers", 8 * 4 * 4096},
    {"1/47/naive", "sum += in[", "load sectors", 4},
    // Lines of 4000 floats, each lane on its own.
    {"1/89/naive", "sum += x[", "load sectors", 32},
    {"1/89/naive", "sum += x[", "load stride", 16000},
    {"1/89/naive", "y[first + i", "store sectors", 32},
    {"1/89/naive", "y[first + i", "store stride", 16000},
    // 256 threads: a barrier before the tree and one in each of 8 steps, 8 warps, one block. Steps of 16, 8,
    // 4, 2 and 1.
    {"1/94/naive", "", "barriers", 9 * 8},
    {"1/94/naive", "if (threadIdx.x < half)", "divergent", 5},
    {"1/94/naive", "const float distance", "load sectors", 4},
    // Rows of 10 floats, 40 bytes apart: no two lanes in one sector. The second kernel is one thread.
    {"1/95/naive", "largest = fmaxf(", "load sectors", 32},
    {"1/95/naive", "largest = fmaxf(", "load stride", 40},
    {"1/95/naive", "sum += losses[i]", "lanes", 1, 1},
    // 800 neurons of the hidden layer: rows of 400 floats each, and the input broadcast.
    {"3/1/naive", "sum += in[j]", "load sectors", 16.5, 1},
    {"3/1/naive", "sum += in[j]", "load stride", 1600, 1},
};

struct Story {
    const char* kernel;
    FindingKind kind;
    const char* words;  ///< of the finding's text
    const char* source; ///< of its line; empty: of the whole launch
    const char* device = "h200";
};

constexpr Story stories[] = {
    {"1/1/naive", FindingKind::uncoalescedLoad,
     "touch 32 sectors where 4 would do: neighbouring lanes read addresses 8,192 bytes apart", "sum += A["},
    {"1/1/coalesced", FindingKind::redundantReads, "is requested 1,280 times", "sum += A["},
    {"1/1/shared_tiles", FindingKind::sharedTraffic, "1.25 shared loads for each arithmetic instruction",
     "sum += tileA["},
    {"1/1/register_column", FindingKind::sharedTraffic, "0.375 shared loads for each", "sum[r] += tileA["},
    {"1/3/naive", FindingKind::redundantReads, "is requested", "sum += rowA["},
    {"1/16/naive", FindingKind::redundantReads, "is requested", "sum += A["},
    {"1/4/naive", FindingKind::smallGrid,
     "8 warps on a device that holds 8,448, and 128 of 132 multiprocessors are idle", ""},
    {"1/19/naive", FindingKind::bound, "there is too little work per launch", ""},
    {"1/26/naive", FindingKind::doublePrecision, "at 1/32 of its rate", "return 0.5 * v", "t4"},
    {"1/36/naive", FindingKind::redundantReads, "is requested 65 times", ""},
    {"1/40/naive", FindingKind::smallGrid, "116 of 132 multiprocessors are idle", ""},
    {"1/47/naive", FindingKind::smallGrid, "128 warps on a device that holds 8,448", ""},
    {"1/47/block_tree", FindingKind::uncoalescedLoad,
     "each load request touches 32 sectors where 4 would do: neighbouring lanes read addresses 1,024 bytes apart",
     "sum += in["},
    {"1/94/naive", FindingKind::smallGrid, "131 of 132 multiprocessors are idle", ""},
    {"1/94/two_stage", FindingKind::launchOverhead, "2 launches", ""},
    {"1/95/naive", FindingKind::smallGrid, "the grid's one block is too few: 1 warp", ""},
};

} // namespace

class TestStarterFindings : public QObject {
    Q_OBJECT
private slots:
    void figuresAreThoseComputedByHand_data() {
        QTest::addColumn<int>("at");
        for (const Figure& f : figures)
            QTest::addRow("%s %s %s", f.kernel, f.words, f.name) << int(&f - figures);
    }

    void figuresAreThoseComputedByHand() {
        QFETCH(int, at);
        const Figure& f = figures[at];
        const StarterProfile& p = starterProfile(QString::fromUtf8(f.kernel));
        if (!p.missing.isEmpty()) QSKIP(qPrintable("a component is missing: " + p.missing));
        QVERIFY2(p.trouble.isEmpty(), qPrintable(p.trouble));
        QVERIFY(p.launches.size() > f.launch);
        const LaunchCounters& launch = p.launches[f.launch];
        const LineCounters* c = &launch.totals;
        if (*f.words) {
            const int line = starterLine(QString::fromUtf8(f.kernel), QString::fromUtf8(f.words));
            QVERIFY2(line > 0, "no line has these words, or several");
            const auto found = std::find_if(launch.lines.begin(), launch.lines.end(),
                                            [line](const auto& l) { return l.line == line; });
            QVERIFY2(found != launch.lines.end(), "nothing was counted in that line");
            c = &*found;
        }
        const double value = figureOf(*c, QString::fromUtf8(f.name));
        QVERIFY2(std::abs(value - f.value) <= 1e-9 * f.value,
                 qPrintable(QStringLiteral("%1, not %2").arg(value, 0, 'g', 12).arg(f.value)));
    }

    void theFirstFindingTellsTheStory_data() {
        QTest::addColumn<int>("at");
        for (const Story& s : stories)
            QTest::addRow("%s", s.kernel) << int(&s - stories);
    }

    void theFirstFindingTellsTheStory() {
        QFETCH(int, at);
        const Story& s = stories[at];
        const StarterProfile& p = starterProfile(QString::fromUtf8(s.kernel), QString::fromUtf8(s.device));
        if (!p.missing.isEmpty()) QSKIP(qPrintable("a component is missing: " + p.missing));
        QVERIFY2(p.trouble.isEmpty(), qPrintable(p.trouble));
        QVERIFY(!p.findings.empty());
        const Finding& first = p.findings.front();
        const QByteArray told = QByteArray(name(first.kind).data(), qsizetype(name(first.kind).size())) + ": " +
                                QByteArray::fromStdString(first.text());
        QVERIFY2(first.kind == s.kind, told.constData());
        QVERIFY2(told.contains(s.words), told.constData());
        if (*s.source) QCOMPARE(first.line, starterLine(QString::fromUtf8(s.kernel), QString::fromUtf8(s.source)));
        QVERIFY2(first.kind == FindingKind::bound || !first.advice.empty(), told.constData());
    }

    /// What is cured is no longer told.
    void curesAreSeen_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QString>("gone");
        QTest::newRow("1/1/coalesced") << "1/1/coalesced"
                                       << "uncoalesced_load";
        QTest::newRow("1/1/vectorised") << "1/1/vectorised"
                                        << "shared_traffic";
        QTest::newRow("1/16/outer_product_tiles") << "1/16/outer_product_tiles"
                                                  << "bank_conflict";
        QTest::newRow("1/26/single_precision") << "1/26/single_precision"
                                               << "double_precision";
        QTest::newRow("1/47/column_tile") << "1/47/column_tile"
                                          << "uncoalesced_load";
        QTest::newRow("1/94/single_pass") << "1/94/single_pass"
                                          << "launch_overhead";
        QTest::newRow("1/36/register_resident") << "1/36/register_resident"
                                                << "redundant_reads";
    }

    void curesAreSeen() {
        QFETCH(QString, kernel);
        QFETCH(QString, gone);
        const StarterProfile& p = starterProfile(kernel);
        if (!p.missing.isEmpty()) QSKIP(qPrintable("a component is missing: " + p.missing));
        QVERIFY2(p.trouble.isEmpty(), qPrintable(p.trouble));
        for (const Finding& f : p.findings)
            QVERIFY2(name(f.kind) != gone.toStdString(), f.text().c_str());
    }
};

KERNELARIUM_TEST(TestStarterFindings);
#include "TestStarterFindings.moc"
