// SPDX-License-Identifier: GPL-3.0-or-later
//
// Accesses of a block that share an address register find out once how its lanes lie. Whatever stands between them,
// each thread reads and stores what it does where nothing is known: with 31 threads every lane is looked at.
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"

#include <QTest>
#include <fmt/format.h>
#include <random>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

namespace {

constexpr int inBytes = 1 << 16, ownBytes = 1 << 12;

/// Instructions by chance: loads of 4 to 16 bytes by four address registers, stores and loads of a thread's own words,
/// registers that move on, by all lanes or by some, that are loaded or computed anew, guards, and branches that part
/// the lanes. The address registers: %rd1 one place for all, %rd2 words side by side, %rd3 16 bytes side by side, %rd4
/// no row at all, %rd5 the thread's own words, a row of them every 128 bytes.
class RandomAccesses {
public:
    explicit RandomAccesses(std::uint32_t seed)
        : m_random(seed) {}

    std::string text() {
        std::string body;
        for (int left = 60; left > 0; --left)
            body += "  " + instruction() + "\n";
        return fmt::format(R"(
.visible .entry k(.param .u64 in, .param .u64 table, .param .u64 own, .param .u64 out)
{{
  .reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %rd<16>;
  ld.param.u64 %rd10, [in]; ld.param.u64 %rd11, [table]; ld.param.u64 %rd12, [own]; ld.param.u64 %rd13, [out];
  mov.u32 %r1, %tid.x; mov.u32 %r2, 1; and.b32 %r3, %r1, 5;
  setp.eq.u32 %p1, %r3, 4;
  setp.lt.u32 %p2, %r1, 64;
  mov.u64 %rd1, %rd10;
  mad.wide.u32 %rd2, %r1, 4, %rd10;
  mad.wide.u32 %rd3, %r1, 16, %rd10;
  xor.b32 %r4, %r1, 1; mad.wide.u32 %rd4, %r4, 16, %rd10;
  mad.wide.u32 %rd5, %r1, 4, %rd12;
  mad.wide.u32 %rd6, %r1, 8, %rd11;
{}
  mad.wide.u32 %rd7, %r1, 4, %rd13;
  st.global.u32 [%rd7], %r2;
  ret;
}})",
                           body);
    }

private:
    int upTo(int most) { return int(m_random() % std::uint32_t(most + 1)); }

    std::string instruction() {
        static const char* const guards[] = {"", "", "", "@%p1 ", "@!%p1 ", "@%p2 "};
        const std::string guard = guards[upTo(5)];
        const int offset = 16 * upTo(8), base = 1 + upTo(3);
        switch (upTo(9)) {
        case 0: return fmt::format("{}add.s64 %rd{}, %rd{}, {};", guard, base, base, 16 * upTo(2));
        case 1: return fmt::format("{}ld.global.u64 %rd{}, [%rd6+{}];", guard, base, 256 * upTo(3));
        case 2: return fmt::format("{}mad.wide.u32 %rd{}, %r1, {}, %rd10;", guard, base, 16 * upTo(2));
        case 3: return fmt::format("{}st.global.u32 [%rd5+{}], %r2;", guard, 128 * upTo(9));
        case 4: return fmt::format("{0}ld.global.u32 %r5, [%rd5+{1}]; {0}xor.b32 %r2, %r2, %r5;", guard, 128 * upTo(9));
        case 5:
            ++m_label;
            return fmt::format("@%p{} bra L{}; {} L{}:", 1 + upTo(1), m_label, load("", 1 + upTo(3), offset), m_label);
        default: return load(guard, base, offset);
        }
    }

    /// And what was loaded becomes part of the result.
    std::string load(const std::string& guard, int base, int offset) {
        static const char* const loads[] = {"u32 %r5", "v2.u32 {%r5, %r6}", "v4.u32 {%r5, %r6, %r7, %r8}"};
        const int width = base == 2 ? 0 : upTo(2);
        std::string text = fmt::format("{}ld.global.{}, [%rd{}+{}];", guard, loads[width], base, offset);
        for (int k = 0; k < (1 << width); ++k)
            text += fmt::format(" {}mad.lo.s32 %r2, %r2, 31, %r{};", guard, 5 + k);
        return text;
    }

    std::mt19937 m_random;
    int m_label = 0;
};

struct Outcome {
    std::vector<std::uint32_t> out, own;
};

Outcome outcomeOf(const std::string& text, std::uint32_t threads, bool checks) {
    PtxProgram p(text);
    if (!p.isLoaded()) return {};
    p.options.checks = checks;
    std::vector<std::uint32_t> data(inBytes / 4);
    for (std::size_t i = 0; i < data.size(); ++i)
        data[i] = std::uint32_t(i * 2654435761u);
    const std::uint64_t in = p.buffer(data, "in");
    // Where registers are loaded from: tables of one place, of a row and of neither.
    std::vector<std::uint64_t> table(32 * 4);
    for (std::size_t lane = 0; lane < 32; ++lane) {
        table[lane] = in + 512;
        table[32 + lane] = in + 1024 + 16 * lane;
        table[64 + lane] = in + 2048 + 16 * (lane * 7 % 32);
        table[96 + lane] = in + 4096 + 32 * lane;
    }
    const std::uint64_t places = p.buffer(table, "table");
    const std::uint64_t own = p.buffer(std::vector<std::uint32_t>(ownBytes / 4, 9), "own");
    const std::uint64_t out = p.buffer(std::vector<std::uint32_t>(32, 0), "out");
    p.run("k", {1, 1, 1}, {threads, 1, 1}, in, places, own, out);
    return {p.read<std::uint32_t>(out, 31), p.read<std::uint32_t>(own, ownBytes / 4)};
}

} // namespace

class TestKnownRows : public QObject {
    Q_OBJECT
private slots:
    void anythingBetweenAccessesIsSeen_data();
    void anythingBetweenAccessesIsSeen();
    void calledFunctionsMayChangeThem();
};

void TestKnownRows::anythingBetweenAccessesIsSeen_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 60; ++seed)
        QTest::addRow("program %d", seed) << seed;
}

void TestKnownRows::anythingBetweenAccessesIsSeen() {
    QFETCH(int, seed);
    // Rows of v4 words have one base aligned to 4 bytes only by chance of a table, which has multiples of 16.
    const std::string text = RandomAccesses(std::uint32_t(seed)).text();
    for (const bool checks : {false, true}) {
        const Outcome whole = outcomeOf(text, 32, checks), single = outcomeOf(text, 31, checks);
        QVERIFY(!whole.out.empty());
        QVERIFY2(whole.out == single.out, text.c_str());
        for (std::size_t i = 0; i < whole.own.size(); ++i)
            if (i % 32 != 31) QVERIFY2(whole.own[i] == single.own[i], text.c_str());
    }
}

/// A function has a block of its own, with the same places for what it knows.
void TestKnownRows::calledFunctionsMayChangeThem() {
    const char* text = R"(
.func (.param .u32 value) last(.param .u64 from)
{
  .reg .b32 %r<3>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [from];
  ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+4]; add.s32 %r1, %r1, %r2;
  st.param.u32 [value], %r1;
  ret;
}
.visible .entry k(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; mad.wide.u32 %rd3, %r1, 4, %rd1; mad.wide.u32 %rd2, %r1, 4, %rd2;
  ld.global.u32 %r2, [%rd3];
  { .param .u64 p; .param .u32 q;
    st.param.u64 [p], %rd1;
    call.uni (q), last, (p);
    ld.param.u32 %r3, [q];
  }
  ld.global.u32 %r4, [%rd3+128];
  add.s32 %r2, %r2, %r3; add.s32 %r2, %r2, %r4;
  st.global.u32 [%rd2], %r2;
  ret;
})";
    PtxProgram p(text);
    QVERIFY(p.isLoaded());
    std::vector<std::uint32_t> data(64);
    for (std::size_t i = 0; i < data.size(); ++i)
        data[i] = std::uint32_t(i * i);
    const std::uint64_t in = p.buffer(data, "in"), out = p.uninitialised(128, "out");
    p.run("k", {1, 1, 1}, {32, 1, 1}, in, out);
    const auto got = p.read<std::uint32_t>(out, 32);
    for (std::uint32_t i = 0; i < 32; ++i)
        QCOMPARE(got[i], data[i] + data[0] + data[1] + data[i + 32]);
}

KERNELARIUM_TEST(TestKnownRows);
#include "TestKnownRows.moc"
