// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/superopt/candidates/Candidates.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::superopt {

class TestCandidates : public QObject {
    Q_OBJECT

private slots:
    void theyAreInOrderAndAboveTheBound_data() {
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("number");
        QTest::addColumn<QString>("first"); ///< the emitter of the first one
        const auto row = [](int level, int number, const char* first) {
            QTest::addRow("%d/%d", level, number) << level << number << first;
        };
        row(1, 1, "product");
        row(1, 12, "fused");
        row(1, 23, "fused");
        row(1, 36, "fused");
        row(1, 40, "fused");
        row(1, 58, "");
        row(1, 89, "");
        row(2, 1, "convolution");
        row(2, 14, "");
        row(2, 38, "convolution");
        row(2, 50, "convolution");
        row(2, 96, "convolution");
        row(3, 1, "product");
    }
    void theyAreInOrderAndAboveTheBound() {
        QFETCH(int, level);
        QFETCH(int, number);
        QFETCH(QString, first);
        const Result<Candidates> found = candidatesOf(*task::loadCard(level, number), "full", device());
        QVERIFY2(found.ok(), found ? "" : found.error().message.c_str());
        QVERIFY(!found->all.empty());
        if (!first.isEmpty()) QCOMPARE(QString::fromStdString(found->all.front().emitter), first);
        std::set<std::string> names, texts;
        double before = 0;
        for (const Candidate& c : found->all) {
            QVERIFY(names.insert(c.name).second);
            QVERIFY(texts.insert(c.file.text).second);
            QVERIFY(c.seconds() >= before);
            before = c.seconds();
            QVERIFY2(c.seconds() >= c.boundSeconds, fmt::format("{} {}", c.seconds(), c.boundSeconds).c_str());
            QVERIFY(c.bytes > 0);
            QVERIFY(c.launches >= c.file.levels.launches.size());
            QCOMPARE(c.modelled.launches.size(), c.file.levels.launches.size());
            QCOMPARE(found->find(c.name), &c);
        }
        for (const Refused& r : found->refused) {
            QVERIFY(names.insert(r.name).second);
            QCOMPARE(r.reason.code, std::string("unsupported"));
            QVERIFY(!r.reason.message.empty());
        }
    }

    /// Rewriting pays: the graph after the derivation's steps leads to a faster file than the card's own.
    void rewritesMakeFilesFaster() {
        const Result<Candidates> found = candidatesOf(*task::loadCard(2, 50), "full", device());
        QVERIFY(found);
        const Candidate *own = found->find("naive"), *rewritten = found->find("naive+2");
        QVERIFY(own && rewritten);
        QVERIFY(rewritten->seconds() < own->seconds() / 10);
        QVERIFY(!rewritten->rewrites.empty());
        QVERIFY(rewritten->file.text.find("// Rewrite:") != std::string::npos);
    }

    void namesAreFoundOrExplained() {
        const Result<Candidates> found = candidatesOf(*task::loadCard(1, 1), "small", device());
        QVERIFY(found);
        QCOMPARE((*named(*found, ""))->name, found->all.front().name);
        QCOMPARE(named(*found, "fused").error().code, std::string("unsupported"));
        const Result<const Candidate*> none = named(*found, "magic");
        QCOMPARE(none.error().code, std::string("bad_input"));
        QVERIFY(none.error().action.find("naive") != std::string::npos);
    }

    void aCandidatesGraphIsProved() {
        const auto card = task::loadCard(1, 12);
        Result<Candidates> found = candidatesOf(*card, "full", device());
        QVERIFY(found);
        Candidate* fused = found->find("fused");
        QVERIFY(fused);
        QVERIFY(proveCandidate(*card, *found, *fused));
        QVERIFY(fused->proof && fused->proof->verdict == proof::Verdict::equal);
        QCOMPARE(toJson(*fused).at("proof").at("verdict").get<std::string>(), std::string("equal"));
        const auto convolved = task::loadCard(2, 50);
        Result<Candidates> others = candidatesOf(*convolved, "full", device());
        Candidate* own = others->find("convolution");
        QVERIFY(own);
        const Result<void> refused = proveCandidate(*convolved, *others, *own);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("unsupported"));
    }

    void theyCanBeStopped() {
        std::stop_source source;
        CandidateOptions options;
        options.stop = source.get_token();
        std::size_t heard = 0;
        options.progress = [&](const std::string& what, std::size_t done, std::size_t all) {
            QVERIFY(!what.empty());
            QVERIFY(done < all);
            if (++heard == 2) source.request_stop();
        };
        const Result<Candidates> found = candidatesOf(*task::loadCard(2, 50), "full", device(), options);
        QVERIFY(!found);
        QCOMPARE(found.error().code, std::string("cancelled"));
        QCOMPARE(heard, std::size_t(2));
    }

    void anUnknownSizeIsRefused() {
        QCOMPARE(candidatesOf(*task::loadCard(1, 1), "huge", device()).error().code, std::string("bad_input"));
    }

private:
    static const perf::DeviceSpec& device() { return *perf::findDeviceSpec("h200"); }
};

} // namespace kernelarium::superopt

KERNELARIUM_TEST(kernelarium::superopt::TestCandidates);
#include "TestCandidates.moc"
