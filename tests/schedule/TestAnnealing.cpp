// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/Annealing.h"

#include "core/sass/instruction/Decoder.h"
#include "core/sass/proof/ScheduleProof.h"
#include "tests/TestRegistry.h"
#include "tests/schedule/ScheduleFixture.h"

#include <QtTest>
#include <fmt/format.h>

using namespace kernelarium;
using namespace kernelarium::schedule;
using tuning::Outcome;

namespace {

Outcome valued(double energy, double noise = 0) {
    Outcome outcome{Outcome::Kind::valued, energy, {}, {}};
    outcome.details = fmt::format(R"({{"low":{},"high":{},"pairs":8}})", energy - noise, energy + noise);
    return outcome;
}

} // namespace

class TestAnnealing : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        std::string why;
        m_subject = subjectOf(productFile, why);
        if (!m_subject) QSKIP(why.c_str());
    }

    /// A difference within the noise of both counts as none; one far beyond it is hardly ever accepted.
    void metropolisShrinksByNoise() {
        Annealing annealing(*m_subject, settings());
        tell(annealing, valued(100, 0.5));
        for (int i = 0; i < 20; ++i) {
            tell(annealing, valued(100.5, 0.5));
            QCOMPARE(annealing.steps().back().fate, Fate::accepted);
        }
        int accepted = 0;
        for (int i = 0; i < 20; ++i) {
            tell(annealing, valued(200, 0.5));
            accepted += annealing.steps().back().fate == Fate::accepted;
        }
        QCOMPARE(accepted, 0);
        QCOMPARE(annealing.looked(), std::uint64_t(40));
        QCOMPARE(annealing.bestPath().size(), std::size_t(0)); // the start is still the best
    }

    /// Hot, it accepts what is a little worse; cold, it does not.
    void temperatureFalls() {
        Settings hot = settings();
        hot.startTemperature = hot.stopTemperature = 100;
        Settings cold = settings();
        cold.startTemperature = cold.stopTemperature = 0.001;
        for (const auto& [how, wanted] : {std::pair(hot, true), std::pair(cold, false)}) {
            Annealing annealing(*m_subject, how);
            tell(annealing, valued(100));
            tell(annealing, valued(101));
            QCOMPARE(annealing.steps().back().fate == Fate::accepted, wanted);
        }
        Annealing annealing(*m_subject, settings());
        QCOMPARE(annealing.temperature(), 1.0);
        tell(annealing, valued(100));
        while (annealing.looked() < 59)
            tell(annealing, annealing.looked() == 10 ? valued(70) : valued(500));
        QVERIFY(annealing.temperature() < 0.2);
        tell(annealing, valued(500));
        QCOMPARE(annealing.temperature(), 10.0); // a third of the gain, once
        while (annealing.looked() < 100)
            tell(annealing, valued(500));
        tell(annealing, valued(100)); // the last control
        QVERIFY(annealing.propose(1).empty());
        QVERIFY(std::abs(annealing.temperature() - 0.05) < 1e-6);
    }

    /// What the model finds worse is not measured; modelled searches look at it.
    void plateauIsFiltered() {
        Annealing annealing(*m_subject, settings());
        tell(annealing, valued(100));
        double present = annealing.startCost();
        int worse = 0;
        for (int i = 0; i < 40; ++i) {
            tell(annealing, valued(100));
            const Step& step = annealing.steps().back();
            QVERIFY(step.staticCost <= present + 1e-6);
            present = step.staticCost;
            const auto found = step.drawn.find("worse");
            worse += found == step.drawn.end() ? 0 : found->second;
        }
        QVERIFY(worse > 0);
    }

    void controlsComeEveryFifty() {
        Settings how = settings();
        how.controlEvery = 10;
        Annealing annealing(*m_subject, how);
        tell(annealing, valued(100));
        QVERIFY(!annealing.noiseFloor());
        std::vector<std::uint64_t> controls;
        while (annealing.steps().size() < 34) {
            tell(annealing, valued(100, 0.3));
            if (annealing.steps().back().isControl()) controls.push_back(annealing.steps().back().number);
        }
        QCOMPARE(controls, (std::vector<std::uint64_t>{11, 22, 33}));
        QVERIFY(annealing.noiseFloor() && std::abs(*annealing.noiseFloor() - 0.3) < 1e-9);
    }

    void threeFaultsEndIt() {
        Annealing annealing(*m_subject, settings());
        tell(annealing, valued(100));
        for (int i = 0; i < Annealing::mostFaults; ++i) {
            QVERIFY(!annealing.propose(1).empty());
            annealing.hear({key(annealing)}, {Outcome::Kind::wrong, std::nullopt, "it faulted", {}});
            QCOMPARE(annealing.steps().back().fate, Fate::faulted);
        }
        QVERIFY(annealing.propose(1).empty());
        QCOMPARE(annealing.faults(), 3);
    }

    /// The same schedule, reached again, is no further fault.
    void twinsFaultOnce() {
        Annealing annealing(*m_subject, settings());
        tell(annealing, valued(100));
        QVERIFY(!annealing.propose(1).empty());
        const std::string move = wordsOf(annealing.proposed().move);
        for (int number = 1; number <= 5; ++number) {
            annealing.hear({fmt::format("{} {}", number, move)},
                           {Outcome::Kind::wrong, std::nullopt, "it faulted", {}});
            QVERIFY2(annealing.disagreement().empty(), annealing.disagreement().c_str());
        }
        QCOMPARE(annealing.steps().size(), std::size_t(6));
        QCOMPARE(annealing.faults(), 1);
        QVERIFY(!annealing.propose(1).empty());
    }

    /// Of skewed intervals the parts between the two energies count.
    void noiseIsThatBetween() {
        Settings cold = settings();
        cold.startTemperature = cold.stopTemperature = 0.001;
        for (const auto& [low, high, wanted] : {std::tuple(96.0, 101.1, true), std::tuple(100.9, 106.0, false)}) {
            Annealing annealing(*m_subject, cold);
            tell(annealing, valued(100));
            Outcome outcome{
                Outcome::Kind::valued, 101.0, {}, fmt::format(R"({{"low":{},"high":{},"pairs":8}})", low, high)};
            tell(annealing, outcome);
            QCOMPARE(annealing.steps().back().fate == Fate::accepted, wanted);
        }
    }

    /// A worsened start is slower by the model, proved, and other than the original.
    void startsAreWorsened() {
        Settings how = settings();
        how.worsen = 60;
        const Annealing annealing(*m_subject, how);
        QVERIFY(annealing.startCost() > annealing.originalCost() * 1.01);
        QCOMPARE(annealing.worsened(), std::size_t(60));
        const sass::ScheduleProof proof = sass::proveCode(m_subject->words(), annealing.startWords(),
                                                          m_subject->code().listed, 90, sass::minedDistances());
        QVERIFY2(proof.isProved(), proof.refusal ? proof.refusal->text.c_str() : "");
        QVERIFY(annealing.startWords() == Annealing(*m_subject, how).startWords());
        how.seed = 2;
        QVERIFY(annealing.startWords() != Annealing(*m_subject, how).startWords());
    }

    void strangersAreNotHeard() {
        for (const char* key : {"1 start", "0 slide 1 2", "0", "x", "", "0 control"}) {
            Annealing annealing(*m_subject, settings());
            annealing.hear({key}, valued(100));
            QVERIFY2(!annealing.disagreement().empty(), key);
            QVERIFY(annealing.steps().empty());
        }
        for (const char* key : {"1 slide 0 99999", "1 slide 5 5", "1 jump 1", "2 yield 1", "1 reuse 1 3"}) {
            Annealing annealing(*m_subject, settings());
            annealing.hear({"0 start"}, valued(100));
            annealing.hear({key}, valued(100));
            QVERIFY2(!annealing.disagreement().empty(), key);
            QCOMPARE(annealing.steps().size(), std::size_t(1));
        }
    }

private:
    static Settings settings() {
        Settings how;
        how.mode = Mode::measured;
        how.steps = 100;
        return how;
    }
    std::string key(const Annealing& annealing) { return fmt::format("{} open", annealing.proposed().number); }
    void tell(Annealing& annealing, const Outcome& outcome) {
        const std::vector<tuning::Candidate> drawn = annealing.propose(1);
        QCOMPARE(drawn.size(), std::size_t(1));
        annealing.hear(drawn.front(), outcome);
        QVERIFY2(annealing.disagreement().empty(), annealing.disagreement().c_str());
    }
    std::optional<Subject> m_subject;
};

KERNELARIUM_TEST(TestAnnealing);

#include "TestAnnealing.moc"
