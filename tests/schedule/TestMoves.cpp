// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction/Decoder.h"
#include "core/sass/proof/ScheduleProof.h"
#include "core/schedule/MoveDraw.h"
#include "core/schedule/Patch.h"
#include "tests/TestRegistry.h"
#include "tests/schedule/ScheduleFixture.h"

#include <QtTest>
#include <bit>

using namespace kernelarium;
using namespace kernelarium::schedule;
using sass::Blocked;
using sass::Move;
using sass::Rescheduler;

class TestMoves : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        std::string why;
        m_subject = subjectOf(productFile, why);
        if (!m_subject) QSKIP(why.c_str());
    }

    /// Moves of all kinds, one after another: each is proved, and each can be taken back.
    void everyKindIsProved() {
        Rescheduler walk = walkOf();
        const StaticCost cost(walk.code(), walk.blocks(), 90);
        const MoveDraw draw(walk, cost);
        tuning::Random random(5);
        std::map<Move::Kind, int> done;
        std::map<Blocked, int> blocked;
        for (int tries = 0; tries < 4000; ++tries) {
            const std::optional<Move> move = draw.draw(walk, random);
            if (!move) continue;
            QVERIFY(moveFrom(wordsOf(*move)) == *move);
            QVERIFY(!textOf(*move, walk).empty());
            const std::vector<sass::Word> before = tries % 40 ? std::vector<sass::Word>() : walk.words();
            const Blocked why = walk.tryMove(*move);
            ++blocked[why];
            done[move->kind] += why == Blocked::none;
            if (before.empty()) continue;
            if (why == Blocked::none) {
                const sass::ScheduleProof proof = sass::proveCode(m_subject->words(), walk.words(),
                                                                  m_subject->code().listed, 90, sass::minedDistances());
                QVERIFY2(proof.isProved(), proof.refusal ? proof.refusal->text.c_str() : "");
                walk.undo();
            }
            QVERIFY(walk.words() == before);
        }
        for (const Move::Kind kind : {Move::Kind::slide, Move::Kind::yield, Move::Kind::reuse})
            QVERIFY2(done[kind] > 20, std::to_string(int(kind)).c_str());
        QVERIFY(blocked[Blocked::order] + blocked[Blocked::stall] + blocked[Blocked::pair] > 0);
        walk.reset();
        QVERIFY(walk.words() == m_subject->words());
    }

    void wordsOfMoves() {
        for (const char* bad : {"", "slide", "slide 1", "slide 1 2 3", "yield", "yield x", "reuse 1", "reuse 1 0",
                                "jump 1 2", "slide 1 99999999999", "yield 1 2"})
            QVERIFY2(!moveFrom(bad), bad);
    }

    /// The cost of a walk is that of the code that it stands for, and a lost reuse flag is seen.
    void costKnowsReuse() {
        Rescheduler walk = walkOf();
        const StaticCost cost(walk.code(), walk.blocks(), 90);
        const StaticCost::Figures original = cost.original();
        QCOMPARE(cost.of(walk).cost(), original.cost());
        int lost = 0;
        for (int place = 0; place < int(walk.code().size()); ++place)
            for (const unsigned bit : {1U, 2U, 4U})
                lost += walk.apply({place, place, Move::Kind::reuse, bit});
        QVERIFY(lost > 50);
        const StaticCost::Figures without = cost.of(walk);
        QCOMPARE(without.cycles, original.cycles);
        QVERIFY2(without.conflicts > original.conflicts,
                 qPrintable(QStringLiteral("%1 and %2").arg(without.conflicts).arg(original.conflicts)));
        const auto code = sass::decodeAll(walk.words(), 90);
        QCOMPARE(StaticCost(code, sass::blocksOf(code), 90).original().cost(), without.cost());
        double shares = 0;
        for (std::size_t b = 0; b < walk.blocks().size(); ++b)
            shares += cost.shareOf(b);
        QVERIFY(std::abs(shares - 1) < 1e-9);
    }

    /// Slides part instructions that share a cached operand; draws that do not make the cost more bring them together.
    void sharedOperandsComeTogetherAgain() {
        Rescheduler walk = walkOf();
        const StaticCost cost(walk.code(), walk.blocks(), 90);
        const MoveDraw draw(walk, cost);
        const auto kept = [&walk] {
            int bits = 0;
            for (int i = 0; i < int(walk.code().size()); ++i)
                bits += std::popcount(unsigned(walk.control(i).reuse));
            return bits;
        };
        tuning::Random random(5);
        const int asCompiled = kept();
        for (int done = 0; done < 60;)
            if (const auto move = draw.slide(walk, random, 8)) done += walk.apply(*move);
        const int scattered = kept();
        QVERIFY2(scattered < asCompiled - 20, qPrintable(QString::number(scattered)));
        double least = cost.of(walk).cost();
        for (int tries = 0; tries < 6000; ++tries) {
            const auto move = draw.draw(walk, random);
            if (!move || !walk.apply(*move)) continue;
            const double now = cost.of(walk).cost();
            if (now > least)
                walk.undo();
            else
                least = now;
        }
        QVERIFY2(2 * (kept() - scattered) > asCompiled - scattered,
                 qPrintable(QStringLiteral("%1, %2, %3").arg(asCompiled).arg(scattered).arg(kept())));
    }

    /// sm_80 takes two cycles for what reads three registers anyhow: there only banks count.
    void registersCostByDevice() {
        const Rescheduler walk = walkOf();
        const double hopper = StaticCost(walk.code(), walk.blocks(), 90).original().conflicts;
        const double ampere = StaticCost(walk.code(), walk.blocks(), 80).original().conflicts;
        QVERIFY2(ampere < hopper, qPrintable(QStringLiteral("%1 and %2").arg(ampere).arg(hopper)));
    }

    /// Patches, put into the original's bytes, give the other cubin.
    void patchesAreAll() {
        Rescheduler walk = walkOf();
        const StaticCost cost(walk.code(), walk.blocks(), 90);
        const MoveDraw draw(walk, cost);
        tuning::Random random(9);
        for (int done = 0; done < 50;)
            if (const auto move = draw.draw(walk, random)) done += walk.apply(*move);
        const std::vector<sass::Word> words = walk.words();
        std::vector<std::byte> bytes = m_subject->original.bytes();
        const std::vector<Patch> patches = patchesOf(*m_subject, words);
        for (const Patch& one : patches) {
            const std::vector<std::byte> now = sass::bytesOf({one.after}), then = sass::bytesOf({one.before});
            QVERIFY(std::equal(then.begin(), then.end(), bytes.begin() + std::ptrdiff_t(one.fileOffset)));
            std::copy(now.begin(), now.end(), bytes.begin() + std::ptrdiff_t(one.fileOffset));
        }
        QVERIFY(bytes == m_subject->with(words).bytes());
        std::vector<int> from = permutationOf(*m_subject, words);
        std::sort(from.begin(), from.end());
        for (int i = 0; i < int(from.size()); ++i)
            QCOMPARE(from[std::size_t(i)], i);
        QVERIFY(patchText(*m_subject, patches).find("stood at") != std::string::npos);
    }

    /// What a race asks for, with a candidate that is so many percent slower in every pair.
    void racesEnd_data() {
        QTest::addColumn<double>("slower");
        QTest::addColumn<int>("pairs");
        QTest::newRow("plainly slower") << 5.0 << int(Race::first);
        QTest::newRow("within the margin") << 0.5 << int(Race::promising);
        QTest::newRow("faster than the best") << -1.0 << int(Race::most);
    }
    void racesEnd() {
        QFETCH(const double, slower);
        QFETCH(const int, pairs);
        std::vector<perf::TimedPair> all;
        do
            all.push_back({1 + slower / 100, 1, all.size() % 2 == 0});
        while (raceGoesOn(all, {}));
        QCOMPARE(int(all.size()), pairs);
    }

private:
    [[nodiscard]] Rescheduler walkOf() const {
        return {m_subject->words(), m_subject->code().listed, 90, sass::minedDistances(), sass::StallRule::tighten};
    }
    std::optional<Subject> m_subject;
};

KERNELARIUM_TEST(TestMoves);

#include "TestMoves.moc"
