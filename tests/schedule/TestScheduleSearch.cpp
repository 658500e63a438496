// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/ScheduleSearch.h"

#include "core/sass/cubin/CubinSections.h"
#include "core/sass/hazards/Distances.h"
#include "core/sass/proof/ScheduleProof.h"
#include "core/schedule/Expectation.h"
#include "core/schedule/ModelledMeasurer.h"
#include "tests/TestRegistry.h"
#include "tests/schedule/ScheduleFixture.h"

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

using namespace kernelarium;
using namespace kernelarium::schedule;

class TestScheduleSearch : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        std::string why;
        m_subject = subjectOf(productFile, why);
        if (!m_subject) QSKIP(why.c_str());
    }

    /// Without a GPU: a start made worse, of which the search wins something back; all of it is in the store.
    void modelledSearchWinsBack() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a.schedule").toStdString();
        Settings settings;
        settings.steps = 400;
        settings.worsen = 40;
        ModelledMeasurer model(*m_subject);
        const ScheduleEnd end = searched(path, settings, model);
        QCOMPARE(end.why, ScheduleEnd::Why::done);
        const Result<ScheduleHistory> history = readScheduleHistory(path);
        QVERIFY2(history, history ? "" : history.error().text().c_str());
        QCOMPARE(history->steps.size(), std::size_t(401));
        QVERIFY(history->steps.front().energy && *history->steps.front().energy > 100);
        QVERIFY(history->recovered() && *history->recovered() > 10);
        QVERIFY(resultWords(*history).find("won back") != std::string::npos);
        QVERIFY(resultWords(*history).find("modelled") != std::string::npos);
        QVERIFY(!history->byFate.contains("unproved") && history->byFate.at("accepted") > 0);
        const sass::ScheduleProof proof =
            sass::proveSchedule(m_subject->original, history->bestCubin(), sass::minedDistances());
        QVERIFY2(proof.isProved(), proof.refusal ? proof.refusal->text.c_str() : "");
        QCOMPARE(end.progress.best, history->bestStep()->energy);
        // Any one move that can be left out leaves a schedule that is proved.
        int left = 0;
        for (const std::uint64_t step : history->bestPath) {
            const auto words = withoutMove(*history, step);
            if (!words || ++left > 5) continue;
            QVERIFY(*words != history->bestWords);
            QVERIFY(
                sass::proveSchedule(m_subject->original, m_subject->with(*words), sass::minedDistances()).isProved());
        }
        QVERIFY(left > 0);
        QVERIFY(!withoutMove(*history, 100000));
        // Nothing is left to do, and nothing is written.
        const auto size = std::filesystem::file_size(path);
        QCOMPARE(searched(path, settings, model).why, ScheduleEnd::Why::done);
        QCOMPARE(std::filesystem::file_size(path), size);
    }

    /// A schedule that comes again is not measured again.
    void knownSchedulesAreNotMeasured() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a.schedule").toStdString();
        Settings settings;
        settings.mode = Mode::measured;
        settings.steps = 300;
        FakeGpu gpu(*m_subject);
        static_cast<void>(searched(path, settings, gpu));
        const Result<ScheduleHistory> history = readScheduleHistory(path);
        QVERIFY2(history, history ? "" : history.error().text().c_str());
        std::set<std::string> hashes;
        int known = 0, controls = 0;
        for (const Step& step : history->steps) {
            controls += step.isControl();
            known += step.sameAs.has_value();
            if (!step.isControl()) QCOMPARE(step.sameAs.has_value(), !hashes.insert(step.hash).second);
        }
        QCOMPARE(controls, 6);
        QCOMPARE(gpu.calls, int(history->steps.size()) - known);
        QVERIFY(history->noiseFloor && *history->noiseFloor > 0);
        QVERIFY(!history->recovered());
    }

    /// What was proved and faults is kept with its code; the third ends the search, also for whoever goes on.
    void faultsAreEvidence() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a.schedule").toStdString();
        Settings settings;
        settings.mode = Mode::measured;
        settings.steps = 50;
        FakeGpu gpu(*m_subject);
        gpu.fault = [](int call) { return call % 5 == 0 ? "output 0 differs" : ""; };
        QCOMPARE(searched(path, settings, gpu).why, ScheduleEnd::Why::faults);
        const int calls = gpu.calls;
        QCOMPARE(searched(path, settings, gpu).why, ScheduleEnd::Why::faults);
        QCOMPARE(gpu.calls, calls);
        const Result<ScheduleHistory> history = readScheduleHistory(path);
        QVERIFY(history);
        std::set<std::string> faulted; // one that comes again is known, and counts once
        for (const Step& step : history->steps)
            if (step.fate == Fate::faulted) faulted.insert(step.hash);
        QCOMPARE(faulted.size(), std::size_t(3));
        std::ifstream in(path);
        const std::string text(std::istreambuf_iterator<char>(in), {});
        QCOMPARE(QByteArray::fromStdString(text).count("\"code\":") -
                     QByteArray::fromStdString(text).count("\"kind\":\"schedule\""),
                 3);
    }

    /// A start or a control that cannot be measured ends the search with an error and is not kept: it goes on later.
    void failuresOfTheOriginalAreErrors() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a.schedule").toStdString();
        Settings settings;
        settings.mode = Mode::measured;
        settings.steps = 12;
        settings.controlEvery = 5;
        FakeGpu gpu(*m_subject);
        std::size_t heard = 0;
        const auto ended = [&](const std::function<std::string(int)>& failure) {
            gpu.failure = failure;
            gpu.calls = 0;
            auto store = openScheduleStore(path, *m_subject, settings);
            ScheduleWatch watch;
            heard = 0;
            watch.step = [&](const Step&) { ++heard; };
            return runScheduleSearch(*m_subject, settings, gpu, *store, watch);
        };
        const auto never = ended([](int) { return "the GPU is lost"; });
        QVERIFY(!never && never.error().code == "not_measured");
        QVERIFY(never.error().message.find("the GPU is lost") != std::string::npos);
        QCOMPARE(heard, std::size_t(0));
        const auto later = ended([](int call) { return call > 1 ? "the GPU is lost" : ""; });
        QVERIFY(!later && later.error().message.find("against itself") != std::string::npos);
        QCOMPARE(heard, std::size_t(6)); // the start and five steps of which nothing is known
        const auto end = ended({});
        QVERIFY2(end, end ? "" : end.error().text().c_str());
        QCOMPARE(end->why, ScheduleEnd::Why::done);
    }

    void othersRulesAreRefused() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a.schedule").toStdString();
        Settings settings;
        settings.steps = 5;
        ModelledMeasurer model(*m_subject);
        static_cast<void>(searched(path, settings, model));
        std::ifstream in(path);
        const QByteArray text = QByteArray::fromStdString({std::istreambuf_iterator<char>(in), {}});
        const qsizetype at = text.indexOf("\"distances\":\"") + 13;
        QVERIFY(at > 13);
        for (const auto& [from, to, code] :
             {std::tuple(text.mid(at, 8), QByteArray("00000000"), "other_rules"),
              std::tuple(QByteArray("\"worsen\":\"0"), QByteArray("\"worsen\":\"99999999"), "damaged_store")}) {
            QByteArray other = text;
            other.replace(other.indexOf(from), from.size(), to);
            std::ofstream(path, std::ios::trunc) << other.toStdString();
            const auto read = readScheduleHistory(path);
            QVERIFY(!read);
            QCOMPARE(read.error().code, std::string(code));
        }
    }

    void modesAreNotMixed() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a.schedule").toStdString();
        Settings settings;
        settings.steps = 5;
        ModelledMeasurer model(*m_subject);
        static_cast<void>(searched(path, settings, model));
        Settings other = settings;
        other.mode = Mode::measured;
        const auto refused = openScheduleStore(path, *m_subject, other);
        QVERIFY(!refused && refused.error().code == "other_search");
        auto store = openScheduleStore(path, *m_subject, settings);
        QVERIFY(store);
        FakeGpu gpu(*m_subject);
        const auto mixed = runScheduleSearch(*m_subject, settings, gpu, *store);
        QVERIFY(!mixed && mixed.error().code == "bad_input");
    }

    /// Another card, function or argument of the same task and size: other figures, and another search.
    void callsAreNotMixed() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a.schedule").toStdString();
        Subject subject = *m_subject;
        subject.call["card"] = "0123456789abcdef";
        QVERIFY(openScheduleStore(path, subject, {}));
        for (const char* field : {"card", "function", "arguments", "size"}) {
            Subject other = subject;
            other.call[field] = "another";
            const auto refused = openScheduleStore(path, other, {});
            QVERIFY2(!refused && refused.error().code == "other_search", field);
            QVERIFY2(refused.error().message.find(field) != std::string::npos, refused.error().message.c_str());
        }
        QVERIFY(openScheduleStore(path, subject, {}));
    }

    /// A cubin has the folder in it that it was compiled in, which changes nothing that runs.
    void anotherFolderIsTheSameSearch() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a.schedule").toStdString();
        QVERIFY(openScheduleStore(path, *m_subject, {}));
        const auto changed = [&](const char* section) {
            const auto& bytes = m_subject->original.bytes();
            std::vector<std::byte> other = bytes;
            const std::span<const std::byte> part = sass::sectionBytes(bytes, section);
            if (!part.empty()) other[std::size_t(part.data() - bytes.data()) + part.size() / 2] ^= std::byte(1);
            Subject subject = *m_subject;
            subject.original = *sass::Cubin::read(other);
            return std::pair(!part.empty(), bool(openScheduleStore(path, subject, {})));
        };
        QCOMPARE(changed(".debug_str"), std::pair(true, true));
        QCOMPARE(changed((".nv.constant0." + m_subject->kernel).c_str()), std::pair(true, false));
        QCOMPARE(changed((".nv.info." + m_subject->kernel).c_str()), std::pair(true, false));
    }

    /// Of a gain that is told as 0.0% nothing is said to be faster.
    void gainsThatRoundToNothingAreNone() {
        ScheduleHistory history{*m_subject, {}, {}, {}, {}, {}, {}, {}, 0, 0, 0, {}, {}, {}, {}, {}};
        Step best;
        best.energy = best.low = best.high = 100 * (1 - 54 / 96.8e6);
        history.steps = {best};
        history.best = 0;
        QCOMPARE(resultWords(history), std::string("no gain found (modelled, one warp alone)"));
        history.steps[0].energy = history.steps[0].low = history.steps[0].high = 99.9;
        QCOMPARE(resultWords(history), std::string("0.1% faster (modelled, one warp alone)"));
        FinalFigure final;
        final.mode = "cold";
        final.pairs = 200;
        final.ratio = 0.9998;
        final.low = 0.9997;
        final.high = 0.9999;
        QVERIFY2(finalWords(final).starts_with("cold: no gain found"), finalWords(final).c_str());
    }

    void figuresAreKept() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a.schedule").toStdString();
        Settings settings;
        settings.steps = 5;
        ModelledMeasurer model(*m_subject);
        static_cast<void>(searched(path, settings, model));
        Result<ScheduleHistory> before = readScheduleHistory(path);
        QVERIFY(before);
        std::vector<perf::TimedPair> pairs;
        for (int i = 0; i < 200; ++i)
            pairs.push_back({0.97 + 0.001 * (i % 3), 1, i % 2 == 0});
        const FinalFigure cold = finalFigure(hashOf(before->bestWords), "cold", "GPU", pairs);
        QVERIFY(cold.isFaster() && cold.pairs == 200);
        Alternative cap;
        cap.words = "--max-registers=64";
        cap.figures = {cold};
        {
            auto store = openScheduleStore(path, *m_subject, settings);
            QVERIFY(store);
            QVERIFY(store->append(*recordOf(cold)));
            QVERIFY(store->append(*recordOf(finalFigure("another", "hot", "GPU", pairs))));
            QVERIFY(store->append(*recordOf(cap)));
        }
        const Result<ScheduleHistory> history = readScheduleHistory(path);
        QVERIFY2(history, history ? "" : history.error().text().c_str());
        QCOMPARE(history->finals.size(), std::size_t(1));
        QVERIFY(resultWords(*history).find("faster") != std::string::npos);
        QCOMPARE(history->alternatives.size(), std::size_t(1));
        QCOMPARE(history->alternatives.front().figures.size(), std::size_t(1));
        for (std::size_t i = 0; i < pairs.size(); ++i)
            pairs[i].first = i % 4 < 2 ? 1.01 : 0.99;
        QVERIFY(finalWords(finalFigure("x", "hot", "GPU", pairs)).find("no gain found") != std::string::npos);
        QCOMPARE(history->faults(), 0);
        // Other bits in the fresh process: no gain, but a fault, whatever was timed before.
        FinalFigure fault;
        fault.hash = cold.hash;
        fault.mode = "hot";
        fault.isFaulted = true;
        fault.reason = "output 0 differs";
        {
            auto store = openScheduleStore(path, *m_subject, settings);
            QVERIFY(store && store->append(*recordOf(fault)));
        }
        const Result<ScheduleHistory> wrong = readScheduleHistory(path);
        QVERIFY2(wrong, wrong ? "" : wrong.error().text().c_str());
        QCOMPARE(wrong->faults(), 1);
        QVERIFY(wrong->faultedFinal() && wrong->faultedFinal()->mode == "hot");
        QVERIFY(resultWords(*wrong).find("hot: FAULTED") != std::string::npos);
    }

    void strangeStoresAreRefused() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a.schedule").toStdString();
        QVERIFY(tuning::Store::open(path, {{{"search", "graphs"}}, {}}));
        const auto other = readScheduleHistory(path);
        QVERIFY(!other && other.error().code == "not_schedule");
        QVERIFY(!readScheduleHistory(folder.filePath("none").toStdString()));
        // A step that is not of that search.
        const std::filesystem::path damaged = folder.filePath("b.schedule").toStdString();
        Settings settings;
        settings.steps = 5;
        ModelledMeasurer model(*m_subject);
        static_cast<void>(searched(damaged, settings, model));
        {
            auto store = openScheduleStore(damaged, *m_subject, settings);
            QVERIFY(store);
            tuning::Judged judged{{"99 slide 1 2"}, {tuning::Outcome::Kind::valued, 90.0, {}, {}}};
            QVERIFY(store->keep(judged));
        }
        const auto bad = readScheduleHistory(damaged);
        QVERIFY(!bad && bad.error().code == "damaged_store");
        QVERIFY2(bad.error().message.find("99 slide") != std::string::npos, bad.error().message.c_str());
    }

    void expectationsSayWhy() {
        const sass::Explanation e =
            sass::explain(m_subject->original, m_subject->code(), sass::LineTable::read(m_subject->original.bytes()),
                          sass::minedDistances());
        const Expectation few = expectationOf(e, 4, std::nullopt), many = expectationOf(e, 16, std::nullopt),
                          roof = expectationOf(e, 4, 0.95);
        QVERIFY2(few.isWorthIt, few.words.c_str());
        QVERIFY(!many.isWorthIt && many.words.find("16 warps") != std::string::npos);
        QVERIFY(!roof.isWorthIt && roof.words.find("95%") != std::string::npos);
        QVERIFY(few.movable > 0 && few.movable <= few.hotInstructions);
        QVERIFY(few.pipes.size() >= 2);
    }

private:
    ScheduleEnd searched(const std::filesystem::path& path, const Settings& settings, Measurer& measurer) {
        auto store = openScheduleStore(path, *m_subject, settings);
        if (!store) {
            QTest::qFail(store.error().text().c_str(), __FILE__, __LINE__);
            return {};
        }
        const auto end = runScheduleSearch(*m_subject, settings, measurer, *store);
        if (end) return *end;
        QTest::qFail(end.error().text().c_str(), __FILE__, __LINE__);
        return {};
    }
    std::optional<Subject> m_subject;
};

KERNELARIUM_TEST(TestScheduleSearch);

#include "TestScheduleSearch.moc"
