// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/explain/Explanation.h"
#include "core/sass/instruction/Decoder.h"
#include "core/sass/instruction/InstructionText.h"
#include "tests/TestRegistry.h"
#include "tests/sass/CompiledCubins.h"

#include <QFile>
#include <QtTest>

using namespace kernelarium;
using namespace kernelarium::sass;

namespace {

struct Golden {
    const char* file;
    const char* name;
};
const Golden goldens[] = {{"archive_data/kernels/level_1/001/register_tile.cu", "register_tile"},
                          {"archive_data/kernels/level_1/023/online.cu", "online"},
                          {"archive_data/kernels/level_1/001/tensor_core.cu", "tensor_core"}};

Explanation explained(const Cubin& cubin) {
    return explain(cubin, cubin.kernels().front(), LineTable::read(cubin.bytes()), minedDistances());
}

/// The hot loop as people read it: every wait with producer, scoreboard or distance, cycles and line.
std::string hotLoopText(const Explanation& e) {
    std::string out;
    const ExplainedLoop* hot = e.hotLoop();
    for (const std::string& line : loopLines(e, *hot))
        out += line + "\n";
    for (int i = hot->first; i <= hot->last; ++i) {
        out += placeText(e, i) + " " + sass::text(e.code[std::size_t(i)].control) + " " +
               sass::text(e.code[std::size_t(i)]) + "\n";
        for (const std::string& wait : waitLines(e, i))
            out += "    " + wait + "\n";
    }
    return out;
}

} // namespace

class TestExplanation : public QObject {
    Q_OBJECT

private slots:
    void hotLoops_data() {
        QTest::addColumn<int>("which");
        for (int i = 0; i < int(std::size(goldens)); ++i)
            QTest::newRow(goldens[i].name) << i;
    }

    /// Every wait of the hot loop names its producer, by scoreboard or distance, and both have source lines.
    void hotLoops() {
        QFETCH(int, which);
        const Result<Cubin> cubin = test::compiledCubin(goldens[which].file, "sm_90");
        if (!cubin && cubin.error().code == "missing_component") QSKIP(cubin.error().text().c_str());
        QVERIFY2(cubin, cubin ? "" : cubin.error().text().c_str());
        const Explanation e = explained(*cubin);
        QCOMPARE(e.unknownOperations, 0);
        QCOMPARE(e.hazards, 0);
        QVERIFY(e.hotLoop());
        for (int i = e.hotLoop()->first; i <= e.hotLoop()->last; ++i) {
            const Instruction& one = e.code[std::size_t(i)];
            const InstructionWaits& waits = e.waits[std::size_t(i)];
            QVERIFY2(e.lines[std::size_t(i)] > 0, sass::text(one).c_str());
            // A wait for a scoreboard is for somebody, and whoever wants the result is somewhere.
            for (int board = 0; board < scoreboardCount; ++board) {
                if (!(one.control.waits >> board & 1)) continue;
                const bool named = std::any_of(waits.scoreboards.begin(), waits.scoreboards.end(),
                                               [&](const ScoreboardWait& w) { return w.scoreboard == board; });
                QVERIFY2(named, (placeText(e, i) + " " + sass::text(one)).c_str());
            }
            for (const ScoreboardWait& wait : waits.scoreboards)
                QVERIFY(e.lines[std::size_t(wait.producer)] > 0);
            for (const DistanceNeed& need : waits.distances)
                QVERIFY2(need.met.distance >= 1 && need.slack().value_or(0) < need.met.distance,
                         (placeText(e, i) + " " + sass::text(one)).c_str());
        }
        // ptxas's own choices are in the text: it is that of one version.
        if (minedFrom() != ptxasVersion()) QSKIP("the golden texts are of another ptxas");
        const QString path =
            QStringLiteral(KERNELARIUM_SOURCE_DIR "/tests/sass/golden/%1.txt").arg(QLatin1String(goldens[which].name));
        const QString found = QString::fromStdString(hotLoopText(e));
        if (qEnvironmentVariableIsSet("KERNELARIUM_WRITE_GOLDEN")) {
            QFile out(path);
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(found.toUtf8());
        }
        QFile golden(path);
        QVERIFY2(golden.open(QIODevice::ReadOnly), qPrintable(path));
        const QStringList wanted = QString::fromUtf8(golden.readAll()).split(QLatin1Char('\n')),
                          got = found.split(QLatin1Char('\n'));
        for (qsizetype i = 0; i < std::min(wanted.size(), got.size()); ++i)
            QCOMPARE(got[i], wanted[i]);
        QCOMPARE(got.size(), wanted.size());
    }

    void modelOfALoop() {
        const Result<Cubin> cubin = test::compiledCubin(goldens[0].file, "sm_90");
        if (!cubin) QSKIP(cubin.error().text().c_str());
        const Explanation e = explained(*cubin);
        const LoopModel& model = e.hotLoop()->model;
        QCOMPARE(model.instructions, e.hotLoop()->last - e.hotLoop()->first + 1);
        QVERIFY(model.cycles >= model.stalls);
        QVERIFY(model.stalls >= model.instructions);
        QVERIFY(model.floor() >= model.instructions);
        QCOMPARE(model.cyclesWith(1), double(std::max(model.cycles, model.floor())));
        QVERIFY(model.cyclesWith(model.enoughWarps() + 1) > model.cyclesWith(1));
        // A scheduler's turns come no faster than its limit allows, and more warps make none slower.
        for (int warps = 1; warps < 16; ++warps) {
            QVERIFY(model.cyclesATurn(warps) >= model.floor());
            QVERIFY(model.cyclesATurn(warps + 1) <= model.cyclesATurn(warps));
        }
        int held = 0;
        for (const auto& [pipe, cycles] : model.busy)
            held = std::max(held, cycles);
        QCOMPARE(model.busy.at(model.busiest), held);
    }

    /// The path goes through the whole turn, step by step, and its parts add up to the turn's time.
    void criticalPathOfALoop_data() { hotLoops_data(); }
    void criticalPathOfALoop() {
        QFETCH(int, which);
        const Result<Cubin> cubin = test::compiledCubin(goldens[which].file, "sm_90");
        if (!cubin) QSKIP(cubin.error().text().c_str());
        const Explanation e = explained(*cubin);
        for (const ExplainedLoop& loop : e.loops) {
            const CriticalPath& path = loop.path;
            QCOMPARE(path.order + path.distance + path.scoreboard, loop.model.cycles);
            QCOMPARE(path.steps.back().instruction, loop.last);
            QCOMPARE(path.steps.front().from, -1);
            for (std::size_t i = 1; i < path.steps.size(); ++i) {
                QCOMPARE(path.steps[i].from, path.steps[i - 1].instruction);
                QCOMPARE(path.steps[i].time - path.steps[i - 1].time, path.steps[i].cycles);
                QCOMPARE(stepText(e, path.steps[i]).empty(), path.steps[i].cause == IssueCause::order);
            }
        }
        QCOMPARE(e.registers, e.code.empty() ? 0 : cubin->kernels().front().registers);
        QVERIFY(e.registers > 0 && e.residentWarps >= 1 && e.residentWarps <= 16);
        const std::string line = warpsLine(e, *e.hotLoop(), e.residentWarps);
        QVERIFY2(line.find("One more: ") != std::string::npos && line.find("no room for it") != std::string::npos,
                 line.c_str());
    }

    /// A rare case may lie between a loop's first and last instruction, out of the turn's way.
    void rareCasesAreNoPartOfATurn() {
        const Result<Cubin> cubin = test::compiledCubin("archive_data/kernels/level_4/007/online_tiles.cu", "sm_90");
        if (!cubin) QSKIP(cubin.error().text().c_str());
        const Explanation e = explained(*cubin);
        int tried = 0;
        for (const ExplainedLoop& whole : e.loops)
            for (std::size_t left = 1; left + 1 < whole.loop.blocks.size(); ++left) {
                Loop loop = whole.loop;
                const Block rare = e.blocks[std::size_t(loop.blocks[left])];
                loop.blocks.erase(loop.blocks.begin() + std::ptrdiff_t(left));
                const LoopModel model = modelLoop(e.code, e.blocks, loop, e.computeCapability);
                QCOMPARE(model.indexOf(rare.first), -1);
                QCOMPARE(model.indexOf(rare.last), -1);
                for (std::size_t i = 0; i < model.issues.size(); ++i)
                    QCOMPARE(model.indexOf(model.issues[i].instruction), int(i));
                const CriticalPath path = criticalPath(model, e.waits);
                QCOMPARE(path.order + path.distance + path.scoreboard, model.cycles);
                for (std::size_t i = 0; i < path.steps.size(); ++i) {
                    QVERIFY(path.steps[i].instruction < rare.first || path.steps[i].instruction > rare.last);
                    QCOMPARE(path.steps[i].from, i == 0 ? -1 : path.steps[i - 1].instruction);
                }
                ++tried;
            }
        QVERIFY(tried > 0);
    }

    /// Asynchronous instructions and unknown ones say that they are.
    void namesWhatItDoesNotFollow() {
        Explanation e;
        e.computeCapability = 90;
        e.code.push_back(decode({0, 0}, 0, 90));
        e.code.back().fence = Fence::asynchronous;
        e.code.push_back(decode({0xfff, 0}, 16, 90));
        QVERIFY(!e.code.back().isKnown());
        e.lines = {0, 0};
        e.waits.resize(2);
        QVERIFY(waitLines(e, 0).front().rfind("asynchronous: ", 0) == 0);
        QVERIFY(waitLines(e, 1).front().rfind("not in our table: ", 0) == 0);
    }

private:
    static std::string ptxasVersion() {
        QProcess ptxas;
        ptxas.start(QStringLiteral("ptxas"), {QStringLiteral("--version")});
        if (!ptxas.waitForFinished()) return {};
        const QRegularExpression number(QStringLiteral("V(\\d+\\.\\d+\\.\\d+)"));
        return "ptxas " + number.match(QString::fromUtf8(ptxas.readAllStandardOutput())).captured(1).toStdString();
    }
};

KERNELARIUM_TEST(TestExplanation);

#include "TestExplanation.moc"
