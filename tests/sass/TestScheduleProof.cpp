// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction/Decoder.h"
#include "core/sass/instruction/InstructionText.h"
#include "core/sass/moves/Rescheduler.h"
#include "core/sass/proof/Ordering.h"
#include "core/sass/proof/ScheduleProof.h"
#include "tests/TestRegistry.h"
#include "tests/sass/CompiledCubins.h"

#include <QtTest>
#include <filesystem>

using namespace kernelarium;
using namespace kernelarium::sass;

namespace {

const char* const kernels[] = {"archive_data/kernels/level_1/003/register_tiles.cu",
                               "archive_data/kernels/level_1/023/register_resident.cu",
                               "archive_data/kernels/level_2/001/implicit_gemm.cu"};

/// An edit of one kernel's code, and whether there was anything to edit.
using Edit = bool (*)(std::vector<Word>&, const std::vector<Instruction>&, std::mt19937&);

template <class Change> bool withControlChanged(Word& word, const Change& change) {
    Control control = controlOf(word);
    if (!change(control)) return false;
    word = withControl(word, control);
    return true;
}

std::size_t anyOf(const std::vector<Word>& words, std::mt19937& random) {
    return std::uniform_int_distribution<std::size_t>(0, words.size() - 1)(random);
}

bool lowerStall(std::vector<Word>& words, const std::vector<Instruction>& code, std::mt19937& random) {
    const std::size_t at = anyOf(words, random);
    if (code[at].fence == Fence::padding) return false;
    return withControlChanged(words[at], [&](Control& c) {
        if (c.stall < 3) return false;
        c.stall = 1 + int(random() % unsigned(c.stall - 2)); // to at least 2 less
        c.yields = false;
        return true;
    });
}

bool dropWait(std::vector<Word>& words, const std::vector<Instruction>&, std::mt19937& random) {
    return withControlChanged(words[anyOf(words, random)], [](Control& c) {
        if (c.waits == 0) return false;
        c.waits &= c.waits - 1;
        return true;
    });
}

bool dropScoreboard(std::vector<Word>& words, const std::vector<Instruction>&, std::mt19937& random) {
    return withControlChanged(words[anyOf(words, random)], [](Control& c) {
        if (c.writeBarrier == noScoreboard) return false;
        c.writeBarrier = noScoreboard;
        return true;
    });
}

bool exchange(std::vector<Word>& words, const std::vector<Instruction>& code, std::mt19937& random) {
    const std::size_t at = anyOf(words, random), other = at + 1 + random() % 8;
    if (other >= words.size() || words[at] == words[other]) return false;
    // Only what has to do with one another: two strangers may change places.
    bool tied = orderOf(code[at], code[other]) != OrderRule::none;
    for (std::size_t k = at + 1; k < other; ++k)
        tied |= orderOf(code[at], code[k]) != OrderRule::none || orderOf(code[k], code[other]) != OrderRule::none;
    if (!tied) return false;
    std::swap(words[at], words[other]);
    return true;
}

bool otherRegister(std::vector<Word>& words, const std::vector<Instruction>& code, std::mt19937& random) {
    const std::size_t at = anyOf(words, random);
    if (code[at].writes.of(RegisterFile::general).isEmpty()) return false;
    words[at].low ^= std::uint64_t(1 + random() % 7) << 16;
    return true;
}

} // namespace

class TestScheduleProof : public QObject {
    Q_OBJECT

private slots:
    void whatIsNotFollowedIsRefused_data() {
        QTest::addColumn<quint64>("high");
        QTest::addColumn<quint64>("low");
        QTest::newRow("an operation that is not known") << quint64(0x000fe20000000000) << quint64(0x0000000000007fff);
        QTest::newRow("a branch through a register") << quint64(0x000fec0003800000) << quint64(0x0000000002007949);
        QTest::newRow("an mbarrier") << quint64(0x000fe20008000000) << quint64(0x00000004063f85b2);
    }
    void whatIsNotFollowedIsRefused() {
        QFETCH(quint64, high);
        QFETCH(quint64, low);
        const Word move{0x0000000000167805, 0x000fe8000001ff00};
        const Word end{0x000000000000794d, 0x000fea0003800000};
        Control longer = controlOf(move);
        longer.stall += 2;
        const std::vector<Word> original = {move, {low, high}, end},
                                variant = {withControl(move, longer), {low, high}, end};
        const ScheduleProof proof = proveCode(original, variant, {}, 90, minedDistances());
        QVERIFY(proof.refusal);
        QCOMPARE(std::string(name(proof.refusal->rule)), std::string("followed"));
        QVERIFY(!proveCode({move, end}, {withControl(move, longer), end}, {}, 90, minedDistances()).refusal);
    }

    /// Variants that ran on a GPU: what faulted there is refused by the hazard that made it fault, or by a distance.
    void variantsThatFaultedAreRefused() {
        const std::string folder = KERNELARIUM_SHARED_DIR "/schedules/variants/";
        if (!std::filesystem::exists(folder)) QSKIP("the sample variants are not here");
        const auto proofOf = [&](const std::string& kernel, const std::string& variant) {
            const Result<Cubin> original = test::cubinOf(folder + kernel + ".orig.cubin");
            const Result<Cubin> other = test::cubinOf(folder + kernel + "." + variant + ".cubin");
            return proveSchedule(*original, *other, minedDistances());
        };
        for (const char* variant : {"0", "1", "4", "7", "8"})
            QVERIFY2(!proofOf("attention", variant).isProved(), variant);
        for (const char* variant : {"7", "8"})
            QVERIFY2(!proofOf("hgemm", variant).isProved(), variant);
        for (const char* kernel : {"attention", "hgemm", "sgemm", "softmax"})
            for (const char* variant : {"orig", "y0", "y1", "y2", "y3"}) {
                const ScheduleProof proof = proofOf(kernel, variant);
                QVERIFY2(proof.isProved(), proof.refusal ? proof.refusal->text.c_str() : "");
            }
    }

    void editsAreRefused_data() {
        QTest::addColumn<int>("edit");
        const char* const names[] = {"a stall lowered", "a wait dropped", "a scoreboard dropped", "two exchanged",
                                     "another register"};
        for (int i = 0; i < 5; ++i)
            QTest::newRow(names[i]) << i;
    }

    /// Random edits, each of a kind that breaks something: at least 95 of 100 are refused, and each refusal says why.
    void editsAreRefused() {
        QFETCH(int, edit);
        const Edit edits[] = {lowerStall, dropWait, dropScoreboard, exchange, otherRegister};
        std::mt19937 random(7);
        int made = 0, refused = 0;
        std::string accepted;
        for (const char* file : kernels) {
            const Result<Cubin> cubin = test::compiledCubin(file, "sm_90");
            if (!cubin && cubin.error().code == "missing_component") QSKIP(cubin.error().text().c_str());
            QVERIFY2(cubin, cubin ? "" : cubin.error().text().c_str());
            const KernelCode& kernel = cubin->kernels().front();
            const std::vector<Word> words = wordsOf(cubin->code(kernel));
            const std::vector<Instruction> code = decodeAll(words, 90);
            for (int tries = 0, here = 0; here < 60 && tries < 20000; ++tries) {
                std::vector<Word> edited = words;
                if (!edits[edit](edited, code, random)) continue;
                ++here;
                ++made;
                const ScheduleProof proof = proveCode(words, edited, kernel.listed, 90, minedDistances());
                if (proof.refusal) {
                    ++refused;
                    QVERIFY(proof.refusal->text.size() > 20);
                    continue;
                }
                for (std::size_t k = 0; k < words.size(); ++k)
                    if (!(edited[k] == words[k]))
                        accepted += sass::text(code[k]) + " " + sass::text(code[k].control) + " -> " +
                                    sass::text(controlOf(edited[k])) + "\n";
            }
        }
        QVERIFY2(made >= 100, std::to_string(made).c_str());
        QVERIFY2(refused * 100 >= made * 95,
                 (std::to_string(refused) + " of " + std::to_string(made) + "\n" + accepted).c_str());
    }

    /// Legal moves, made by code that knows nothing of the proof, are proved.
    void legalMovesAreProved() {
        for (const char* file : kernels) {
            const Result<Cubin> cubin = test::compiledCubin(file, "sm_90");
            if (!cubin && cubin.error().code == "missing_component") QSKIP(cubin.error().text().c_str());
            const KernelCode& kernel = cubin->kernels().front();
            const std::vector<Word> words = wordsOf(cubin->code(kernel));
            std::mt19937 random(3);
            for (const StallRule rule : {StallRule::keep, StallRule::tighten}) {
                Rescheduler walk(words, kernel.listed, 90, minedDistances(), rule);
                int done = 0;
                for (int tries = 0; tries < 1500; ++tries) {
                    const int distance = 1 + int(random() % 8);
                    const std::optional<Move> move =
                        walk.reachable(int(anyOf(words, random)), random() % 2 ? distance : -distance);
                    done += move && walk.apply(*move);
                }
                QVERIFY2(done > 100, file);
                QVERIFY(walk.moved() > 10);
                const ScheduleProof proof = proveCode(words, walk.words(), kernel.listed, 90, minedDistances());
                QVERIFY2(proof.isProved(), proof.refusal ? proof.refusal->text.c_str() : "");
                QCOMPARE(proof.counts.moved, walk.moved());
            }
        }
    }

    /// The last integer instruction of a block and the first one of the next: too close where they change places with
    /// what stood between them, and kept apart by whoever moves them.
    void pipesAreKeptAcrossBorders() {
        const auto at = [](Word word, int stall) {
            Control control;
            control.stall = stall;
            return withControl(word, control);
        };
        const Word first = at({0x00000005020b7221, 0x000fe20000000000}, 6); // FADD R11, R2, R5
        const Word add = at({0x0000000502007210, 0x000fe20007ffe0ff}, 1);   // IADD3 R0, R2, R5, RZ
        const Word plus = at({0x0000000502097221, 0x000fe20000000000}, 1);  // FADD R9, R2, R5
        const Word other = at({0x0000000706047210, 0x000fe20007ffe0ff}, 2); // IADD3 R4, R6, R7, RZ: a loop of its own
        const Word back = at({0xfffffffc00f80947, 0x000fea000383ffff}, 5);  // @P0 BRA
        const Word end{0x000000000000794d, 0x000fea0003800000};
        const std::vector<Word> original = {first, add, plus, other, back, end};
        const std::vector<Instruction> code = decodeAll(original, 90);
        QCOMPARE(blocksOf(code).size(), std::size_t(3));
        QCOMPARE(code[4].target.value_or(-1), std::int64_t(0x30));
        const ScheduleProof close = proveCode(original, {first, plus, add, other, back, end}, {}, 90, minedDistances());
        QVERIFY(close.refusal);
        QCOMPARE(std::string(name(close.refusal->rule)), std::string("distance"));
        QVERIFY2(close.refusal->text.find("one pipe") != std::string::npos, close.refusal->text.c_str());
        QVERIFY(proveCode(original, {first, plus, at(add, 2), other, back, end}, {}, 90, minedDistances()).isProved());
        Rescheduler walk(original, {}, 90, minedDistances(), StallRule::tighten);
        QVERIFY(walk.apply({1, 2}));
        QCOMPARE(controlOf(walk.words()[2]).stall, 2);
        QVERIFY(proveCode(original, walk.words(), {}, 90, minedDistances()).isProved());
    }

    /// Control bits that ptxas never writes: none that yields keeps an operand, and nothing but NOP and BRA stalls 0.
    void pairsOfOthersAreRefused() {
        const auto with = [](int stall, bool yields, unsigned reuse) {
            Control control;
            control.stall = stall;
            control.yields = yields;
            control.reuse = reuse;
            return withControl({0x0000000502007210, 0x000fe20007ffe0ff}, control); // IADD3 R0, R2, R5, RZ
        };
        const Word next = with(5, false, 0), end{0x000000000000794d, 0x000fea0003800000};
        const auto ruleOf = [&](const Word& before, const Word& after) {
            const ScheduleProof proof = proveCode({before, next, end}, {after, next, end}, {}, 90, minedDistances());
            return proof.refusal ? std::string(name(proof.refusal->rule)) : std::string();
        };
        const Word keeps = with(4, false, 1);
        QCOMPARE(ruleOf(keeps, with(4, true, 1)), std::string("encoding"));
        QCOMPARE(ruleOf(keeps, with(13, true, 1)), std::string("encoding"));
        QCOMPARE(ruleOf(keeps, with(4, true, 0)), std::string());
        QCOMPARE(ruleOf(keeps, with(13, true, 0)), std::string());
        QCOMPARE(ruleOf(with(4, true, 0), with(0, true, 0)), std::string("encoding"));
        QCOMPARE(ruleOf(with(4, false, 0), with(0, true, 0)), std::string("encoding"));
        QCOMPARE(ruleOf(with(0, true, 0), with(0, true, 0)), std::string());
        // The mover makes none of them.
        Rescheduler walk({keeps, next, end}, {}, 90, minedDistances(), StallRule::tighten);
        QCOMPARE(walk.tryMove({0, 0, Move::Kind::yield, 0}), Blocked::pair);
        QVERIFY(walk.words().front() == keeps);
        QVERIFY(walk.apply({0, 0, Move::Kind::reuse, 1}));
        QVERIFY(walk.apply({0, 0, Move::Kind::yield, 0}));
        QCOMPARE(walk.tryMove({0, 0, Move::Kind::reuse, 1}), Blocked::pair);
        QVERIFY(walk.words().front() == with(4, true, 0));
    }

    void longBlocksAreRefused() {
        const Word add{0x0000000502007210, 0x000fe20007ffe0ff}, end{0x000000000000794d, 0x000fea0003800000};
        std::vector<Word> code(std::size_t(Rescheduler::largestBlock) - 1, add);
        code.push_back(end);
        QVERIFY(Rescheduler::check(code, 90));
        code.insert(code.begin(), add);
        const Result<void> refused = Rescheduler::check(code, 90);
        QVERIFY(!refused && refused.error().code == "too_large");
        QVERIFY(refused.error().message.find("4097") != std::string::npos);
    }

    void otherFilesAreRefused() {
        const Result<Cubin> cubin = test::compiledCubin(kernels[0], "sm_90");
        if (!cubin) QSKIP(cubin.error().text().c_str());
        std::vector<std::byte> bytes = cubin->bytes();
        QVERIFY(proveSchedule(*cubin, *Cubin::read(bytes), minedDistances()).isProved());
        // The last byte in front of all code: it belongs to no kernel.
        std::size_t place = bytes.size();
        for (const KernelCode& kernel : cubin->kernels())
            place = std::min(place, kernel.offset);
        bytes.at(place - 1) ^= std::byte(1);
        const ScheduleProof proof = proveSchedule(*cubin, *Cubin::read(bytes), minedDistances());
        QVERIFY(proof.refusal && proof.refusal->rule == ProofRule::sameFile);
    }
};

KERNELARIUM_TEST(TestScheduleProof);

#include "TestScheduleProof.moc"
