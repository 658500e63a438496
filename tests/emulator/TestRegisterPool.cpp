// SPDX-License-Identifier: GPL-3.0-or-later
//
// setmaxnreg: what warpgroups take has to have been given back by others of the block. Which of these kernels end, and
// which wait for ever, was recorded on an H100.
#include "tests/TestRegistry.h"
#include "tests/emulator/HopperKernels.h"

#include <QTest>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

class TestRegisterPool : public QObject {
    Q_OBJECT
private slots:
    void asRecorded_data();
    void asRecorded();
    void bothPartiesAreNamed();
    void takenWhenGivenBack();
    void countsThatExist();
};

namespace {

/// Three warpgroups, which execute what stands on lines 3, 4 and 5 and then meet at line 6.
std::string threeGroups(const std::string& directives, const QByteArray& x, const QByteArray& y, const QByteArray& z) {
    return ".visible .entry k(.param .u64 o) .maxntid 384, 1, 1 " + directives +
           " {\n.reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d;\nld.param.u64 %d, [o];\nmov.u32 %r0, %tid.x;\n"
           "shr.u32 %r1, %r0, 7;\nsetp.eq.u32 %p, %r1, 1;\n@%p bra Y;\nsetp.eq.u32 %p, %r1, 2;\n@%p bra Z;\n.loc 1 3 1\n" +
           x.toStdString() + "\nbra MEET;\nY:\n.loc 1 4 1\n" + y.toStdString() + "\nbra MEET;\nZ:\n.loc 1 5 1\n" +
           z.toStdString() + "\nMEET:\n.loc 1 6 1\nbar.sync 0;\nred.global.add.u32 [%d], 1;\nret;\n}";
}

QByteArray more(int count) {
    return "setmaxnreg.inc.sync.aligned.u32 " + QByteArray::number(count) + ";";
}
QByteArray fewer(int count) {
    return "setmaxnreg.dec.sync.aligned.u32 " + QByteArray::number(count) + ";";
}

} // namespace

void TestRegisterPool::asRecorded_data() {
    QTest::addColumn<QByteArray>("directives");
    QTest::addColumn<QByteArray>("x");
    QTest::addColumn<QByteArray>("y");
    QTest::addColumn<QByteArray>("z");
    QTest::addColumn<bool>("ends");
    const QByteArray nothing, exits = "exit;";
    const auto row = [](const char* name, const char* directives, const QByteArray& x, const QByteArray& y,
                        const QByteArray& z,
                        bool ends) { QTest::newRow(name) << QByteArray(directives) << x << y << z << ends; };
    row("cooperative", ".minnctapersm 1", more(240), more(240), fewer(24), true);
    row("and nobody gives back", ".minnctapersm 1", more(240), more(240), nothing, false);
    row("and who would have to has ended", ".minnctapersm 1", more(240), more(240), exits, false);
    row("ptxas leaves it out", "", more(240), more(240), nothing, true);
    row("two blocks of a multiprocessor", ".minnctapersm 2", more(88), more(88), nothing, false);
    row("given back by one for two", ".maxnreg 128", more(168), more(168), fewer(40), true);
    row("not given back", ".maxnreg 128", more(168), more(168), nothing, false);
    row("too little given back", ".maxnreg 128", more(176), more(176), fewer(40), false);
    row("the others have ended", ".maxnreg 128", more(168), exits, exits, false);
    row("no more than there are", ".maxnreg 128", more(128), more(128), nothing, true);
    row("handed out in eights", ".maxnreg 132", more(136), more(136), nothing, true);
    row("one eight too many", ".maxnreg 160", more(168), more(168), nothing, false);
    row("given back, and taken again", ".maxnreg 128", fewer(40) + more(136), more(168), fewer(80), true);
}

void TestRegisterPool::asRecorded() {
    QFETCH(QByteArray, directives);
    QFETCH(QByteArray, x);
    QFETCH(QByteArray, y);
    QFETCH(QByteArray, z);
    QFETCH(bool, ends);
    for (const std::uint64_t schedule : {0, 1, 7}) {
        PtxProgram p(threeGroups(directives.toStdString(), x, y, z));
        p.options.schedule = schedule;
        const auto out = p.buffer(std::vector<std::uint32_t>{0});
        const LaunchResult r = p.launch("k", {1, 1, 1}, {384, 1, 1}, out);
        QCOMPARE(r.end, ends ? LaunchEnd::finished : LaunchEnd::deadlock);
        if (ends) {
            PtxProgram::expectClean(r);
            continue;
        }
        QVERIFY2(r.reason.ends_with("for registers"), r.reason.c_str());
        const Fault* f = faultOf(r, "deadlock");
        QVERIFY(f);
        QVERIFY2(f->line == 3 || f->line == 4, PtxProgram::describe(r).c_str());
        QVERIFY2(f->message.find("setmaxnreg.inc") != std::string::npos, f->message.c_str());
    }
}

void TestRegisterPool::bothPartiesAreNamed() {
    PtxProgram p(threeGroups(".maxnreg 128", more(176), "", fewer(88)));
    const LaunchResult r = p.launch("k", {1, 1, 1}, {384, 1, 1}, p.buffer(std::vector<std::uint32_t>{0}));
    const Fault* f = faultOf(r, "deadlock");
    QVERIFY(f);
    QCOMPARE(f->line, 3);
    QVERIFY(f->other);
    QCOMPARE(f->other->line, 6);
    QCOMPARE(f->message,
             std::string("Deadlock: thread (0, 0, 0) of block (0, 0, 0) at line 3 waits for 176 registers a thread "
                         "(setmaxnreg.inc), 48 more in each of 4 warps, 192 in all; the block was launched with 128 in "
                         "each of 12 warps, of which 160 were given back (setmaxnreg.dec) and are free; thread (128, "
                         "0, 0) at line 6 waits at barrier 0."));
}

void TestRegisterPool::takenWhenGivenBack() {
    // The one gives back only once it has slept; every order of the warps ends.
    for (const std::uint64_t schedule : {0, 1, 2, 3, 4, 5}) {
        PtxProgram p(threeGroups(".minnctapersm 1", more(232), more(232), "nanosleep.u32 100;\n" + fewer(40)));
        p.options.schedule = schedule;
        const auto out = p.buffer(std::vector<std::uint32_t>{0});
        p.run("k", {2, 1, 1}, {384, 1, 1}, out);
        QCOMPARE(p.read<std::uint32_t>(out, 1)[0], 768u);
    }
    // What ptxas says counts where it is more than the directives do.
    PtxProgram p(threeGroups(".maxnreg 128", more(168), more(168), ""));
    p.config.registersPerThread = 168;
    p.run("k", {1, 1, 1}, {384, 1, 1}, p.buffer(std::vector<std::uint32_t>{0}));
}

void TestRegisterPool::countsThatExist() {
    for (const int count : {16, 100, 264}) {
        DeviceMemory memory(1u << 20);
        const auto loaded = Program::load(PtxProgram::withHeader(threeGroups("", more(count), "", "")), memory);
        QVERIFY(!loaded.ok());
        QCOMPARE(loaded.error().code, std::string("unsupported"));
    }
}

namespace {
KERNELARIUM_TEST(TestRegisterPool);
}
#include "TestRegisterPool.moc"
