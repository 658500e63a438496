// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/BothSizes.h"
#include "core/verify/Explanation.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <algorithm>

namespace kernelarium::test {

using namespace verify;

namespace {

Verdict verdictAt(const char* size, VerdictKind kind, std::vector<std::string> reasons = {},
                  std::vector<std::string> remarks = {}) {
    Verdict verdict;
    verdict.kind = kind;
    verdict.size = size;
    verdict.backend = "emulator";
    verdict.reasons = std::move(reasons);
    verdict.remarks = std::move(remarks);
    verdict.message = std::string("at the size ") + size;
    return verdict;
}

bool remarks(const Verdict& verdict, const char* remark) {
    return std::find(verdict.remarks.begin(), verdict.remarks.end(), remark) != verdict.remarks.end();
}

const CheckReport& report(const Verdict& verdict) {
    return verdict.checks.back();
}

} // namespace

class TestBothSizes : public QObject {
    Q_OBJECT

private slots:
    void whatMayDependOnTheSize_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<bool>("may");
        const auto row = [](VerdictKind kind, const char* reason, bool may) {
            QTest::addRow("%s %s", name(kind).data(), reason) << int(kind) << QString::fromLatin1(reason) << may;
        };
        row(VerdictKind::wrong, "values", true);
        row(VerdictKind::wrong, "nan", true);
        row(VerdictKind::wrong, "unwritten_output", true);
        row(VerdictKind::wrong, "host_exception", true);
        row(VerdictKind::fault, "out_of_bounds", true);
        row(VerdictKind::launch_error, "launch", true);
        row(VerdictKind::fault, "race", true); // where the published size runs whole, see below
        row(VerdictKind::suspicious, "cached_result", false);
        row(VerdictKind::suspicious, "changes_input", false);
        row(VerdictKind::compile_error, "nvrtc", false);
        row(VerdictKind::unsupported, "unsupported", false);
        row(VerdictKind::timeout, "timeout", false);
        row(VerdictKind::verified, "", false);
    }
    void whatMayDependOnTheSize() {
        QFETCH(int, kind);
        QFETCH(QString, reason);
        QFETCH(bool, may);
        std::vector<std::string> reasons;
        if (!reason.isEmpty()) reasons.push_back(reason.toStdString());
        QCOMPARE(mayDependOnSize(verdictAt("small", VerdictKind(kind), reasons)), may);
    }

    void thePublishedSizeIsTheContract() {
        const Verdict verdict = ofBothSizes(verdictAt("small", VerdictKind::wrong, {"values"}),
                                            verdictAt("full", VerdictKind::verified, {}, {"sampled"}));
        QCOMPARE(verdict.kind, VerdictKind::verified);
        QCOMPARE(verdict.size, std::string("full"));
        QVERIFY(remarks(verdict, "published_size_only") && remarks(verdict, "sampled"));
        QVERIFY(report(verdict).detail.find("at the size small") != std::string::npos);
        QVERIFY(!smallSizeOnly(verdict));
    }

    void noSizeExcusesARace_data() {
        QTest::addColumn<QString>("backend");
        QTest::addColumn<bool>("sampled");
        QTest::addColumn<int>("kind");
        QTest::newRow("whole, in the emulator") << "emulator" << false << int(VerdictKind::verified);
        QTest::newRow("a share of the blocks") << "emulator" << true << int(VerdictKind::fault);
        QTest::newRow("without the checks") << "cuda" << false << int(VerdictKind::fault);
    }
    void noSizeExcusesARace() {
        QFETCH(QString, backend);
        QFETCH(bool, sampled);
        QFETCH(int, kind);
        Verdict published = verdictAt("full", VerdictKind::verified);
        published.backend = backend.toStdString();
        if (sampled) published.share = ComparedShare{};
        QCOMPARE(int(ofBothSizes(verdictAt("small", VerdictKind::fault, {"race"}), published).kind), kind);
        // Nor one beside wrong values.
        const int beside = int(
            ofBothSizes(verdictAt("small", VerdictKind::wrong, {"values"}, {"uninitialised_read"}), published).kind);
        QCOMPARE(beside, kind == int(VerdictKind::verified) ? kind : int(VerdictKind::wrong));
    }

    void wrongAtThePublishedSizeIsWrong() {
        const Verdict verdict = ofBothSizes(verdictAt("small", VerdictKind::verified, {}, {"race"}),
                                            verdictAt("full", VerdictKind::wrong, {"values"}));
        QCOMPARE(verdict.kind, VerdictKind::wrong);
        QCOMPARE(verdict.size, std::string("full"));
        QCOMPARE(verdict.message, std::string("at the size full"));
        QVERIFY(remarks(verdict, "small_size_only") && remarks(verdict, "race"));
    }

    void wrongAtBothStaysAsItWas() {
        const Verdict verdict = ofBothSizes(verdictAt("small", VerdictKind::wrong, {"values"}),
                                            verdictAt("full", VerdictKind::fault, {"out_of_bounds"}));
        QCOMPARE(verdict.kind, VerdictKind::wrong);
        QCOMPARE(verdict.message, std::string("at the size small"));
        QVERIFY(report(verdict).detail.find("at the size full") != std::string::npos);
    }

    void rightAtBothHasTheLargerErrors() {
        Verdict small = verdictAt("small", VerdictKind::verified), published = verdictAt("full", VerdictKind::verified);
        small.maxAbsoluteError = 1e-6;
        published.maxAbsoluteError = 3e-6;
        QVERIFY(smallSizeOnly(small));
        const Verdict verdict = ofBothSizes(small, published);
        QCOMPARE(verdict.kind, VerdictKind::verified);
        QCOMPARE(verdict.size, std::string("both"));
        QCOMPARE(*verdict.maxAbsoluteError, 3e-6);
        QVERIFY(!smallSizeOnly(verdict));
    }

    void whatCouldNotBeTriedIsSaid_data() {
        QTest::addColumn<int>("kind");
        for (const VerdictKind kind : {VerdictKind::unsupported, VerdictKind::timeout, VerdictKind::unverifiable})
            QTest::newRow(name(kind).data()) << int(kind);
        QTest::newRow("an error") << -1;
    }
    void whatCouldNotBeTriedIsSaid() {
        QFETCH(int, kind);
        const Result<Verdict> published =
            kind < 0 ? Result<Verdict>(Error{"out_of_memory", "too large"}) : verdictAt("full", VerdictKind(kind));
        const Verdict right = ofBothSizes(verdictAt("small", VerdictKind::verified), published);
        QCOMPARE(right.kind, VerdictKind::verified);
        QVERIFY(smallSizeOnly(right) && remarks(right, "published_size_untried"));
        QCOMPARE(report(right).state, CheckState::skipped);
        const Verdict wrong = ofBothSizes(verdictAt("small", VerdictKind::wrong, {"values"}), published);
        QCOMPARE(wrong.kind, VerdictKind::wrong);
    }

    void everyWordIsTold() {
        const std::vector<Reason> all = everyReason();
        for (const char* word : {"published_size_only", "published_size_untried", "small_size_only"})
            QVERIFY(std::any_of(all.begin(), all.end(), [&](const Reason& reason) { return reason.name == word; }));
        QVERIFY(!explanationOf(publishedSizeCheck).empty());
    }
};

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestBothSizes);
#include "TestBothSizes.moc"
