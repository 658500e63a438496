// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/HtmlReport.h"
#include "core/session/SweepCurve.h"
#include "tests/TestRegistry.h"
#include "tests/session/SessionFixture.h"

#include <QRegularExpression>
#include <QXmlStreamReader>
#include <QtTest>

namespace kernelarium::session {
namespace {

Attempt attempt(std::int64_t id, std::int64_t parent, std::string source) {
    Attempt made;
    made.id = id;
    made.parent = parent;
    made.kernelKey = "L1/T1/naive@1";
    made.kernelTitle = "naive";
    made.level = 1;
    made.task = 1;
    made.createdMs = 1'772'374'000'000;
    made.source = std::move(source);
    return made;
}

ReportInput twoAttempts() {
    ReportInput input;
    input.session = {1, "Tiling", 1'772'370'000'000, 1'772'377'000'000, 2};
    input.madeMs = 1'772'378'000'000;
    input.program = "Kernelarium test";
    input.originals["L1/T1/naive@1"] = "line 1\nline 2\n";
    input.attempts.push_back(attempt(3, 0, "line 1\nline two\n"));
    input.attempts.back().verdict = "wrong";
    input.attempts.back().verdictJson =
        R"({"verdict":"wrong","message":"Off by one.","max_abs_error":0.5,"reasons":["values"],"checks":[)"
        R"({"name":"values","state":"failed","detail":"12 of 64 differ"}],"faults":[{"message":"bad read","line":7}]})";
    input.attempts.push_back(attempt(4, 3, "line 1\nline two\nline 3\n"));
    auto& second = input.attempts.back();
    second.verdict = "verified";
    second.name = "third line";
    second.notes = "It was missing.\nNow it is there.";
    second.timings = {timing(Timing::Origin::archived, 2), timing(Timing::Origin::measured, 1.5),
                      timing(Timing::Origin::modelled, 1.25)};
    second.timings[1].relativeNoise = 0.012;
    input.plots.push_back({"Roofline", "<svg xmlns='http://www.w3.org/2000/svg'/>"});
    return input;
}

tuning::Judged judged(const tuning::Space& space, std::uint64_t number, tuning::Outcome::Kind kind, double seconds,
                      std::string reason = {}) {
    tuning::Judged made;
    made.candidate.key = space.key(space.point(number));
    made.outcome.kind = kind;
    if (seconds > 0) made.outcome.value = seconds;
    made.outcome.reason = std::move(reason);
    return made;
}

ReportSweep aSweep() {
    using tuning::Outcome;
    ReportSweep sweep;
    sweep.label = "product.cu";
    sweep.task = "1/1";
    sweep.how = "modelled on NVIDIA H200, size full";
    sweep.strategy = "exhaustive";
    std::vector<tuning::Value> tiles, words{std::string("float"), std::string("a<b")};
    for (std::int64_t value = 1; value <= 16; ++value)
        tiles.emplace_back(value);
    sweep.space = tuning::Space({{"TILE", tiles, 3}, {"TYPE", words, 0}}, {});
    for (std::uint64_t number = 0; number < 24; ++number)
        sweep.points.push_back(judged(sweep.space, number, Outcome::Kind::valued, 1e-3 / double(number + 1)));
    sweep.points.push_back(judged(sweep.space, 24, Outcome::Kind::wrong, 1e-6, "12 of 64 elements <differ>"));
    sweep.points.push_back(judged(sweep.space, 25, Outcome::Kind::refused, 0, "too many threads"));
    sweep.remarks = {"confirmed in a fresh process"};
    return sweep;
}

/// The report is written so that it is XML as well, apart from the doctype and the tags that HTML leaves
/// open.
QString parseProblem(std::string html) {
    QString text = QString::fromStdString(html);
    text.remove("<!DOCTYPE html>");
    static const QRegularExpression open("<(meta|img)([^>]*)>");
    text.replace(open, "<\\1\\2/>");
    QXmlStreamReader reader(text);
    while (!reader.atEnd())
        reader.readNext();
    return reader.hasError()
               ? QString("%1:%2 %3").arg(reader.lineNumber()).arg(reader.columnNumber()).arg(reader.errorString())
               : QString();
}

class TestHtmlReport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothParentsAreNamed() {
        ReportInput input = twoAttempts();
        input.attempts[1].takenFrom = {{"archive:L1/T1/fast@12", "fast <b>", 0}, {"file:/a.cu", "a.cu", 99}};
        const std::string html = htmlReport(input);
        QVERIFY(html.find("Edited from naive, <a href=\"#attempt-3\">attempt 3</a>; changes taken from <span "
                          "title=\"archive:L1/T1/fast@12\">fast &lt;b&gt;</span>; <span title=\"file:/a.cu\">a.cu"
                          "</span>, attempt 99.") != std::string::npos);
        QCOMPARE(htmlReport(twoAttempts()).find("changes taken from"), std::string::npos);
    }

    void looksLikeTheGoldenOne() {
        const std::string html = htmlReport(twoAttempts());
        QCOMPARE(parseProblem(html), QString());
        const QString golden = KERNELARIUM_SOURCE_DIR "/tests/session/fixtures/report.html";
        QFile file(golden);
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(golden));
        if (file.readAll().toStdString() == html) return;
        QFile actual(QDir::temp().filePath("report.html.actual"));
        QVERIFY(actual.open(QIODevice::WriteOnly));
        actual.write(html.data(), static_cast<qint64>(html.size()));
        QFAIL(qPrintable("the report differs from " + golden + "; see " + actual.fileName()));
    }

    void everyNumberSaysWhereItComesFrom() {
        const QString html = QString::fromStdString(htmlReport(twoAttempts()));
        for (const char* origin : {"archived", "measured", "modelled"})
            QCOMPARE(html.count(QString("<small>%1, H200, full size</small>").arg(origin)),
                     2); // table and section
        QVERIFY(html.contains("\u00b1 1.2"));
    }

    /// Times of one kind stand side by side, the fastest first; those of other devices do not.
    void timesAreSortedAndCompared() {
        ReportInput input = twoAttempts();
        QCOMPARE(htmlReport(input).find("fastest first"), std::string::npos); // one attempt was timed
        input.attempts[0].timings = {timing(Timing::Origin::measured, 3),
                                     timing(Timing::Origin::measured, 0.1, "A100")};
        const QString html = QString::fromStdString(htmlReport(input));
        QCOMPARE(parseProblem(htmlReport(input)), QString());
        const auto table = html.mid(html.indexOf("fastest first"));
        const auto end = table.indexOf("</table>");
        const auto fast = table.indexOf("#attempt-4"), slow = table.indexOf("#attempt-3");
        QVERIFY(fast > 0 && fast < slow && slow < end);
        QVERIFY(table.left(end).contains("2\u00d7") && !table.left(end).contains("A100"));
        input.attempts[0].verdictJson = R"({"remarks":["library_calls","shape_specific"]})";
        QVERIFY(htmlReport(input).find("<td>library calls, shape specific</td>") != std::string::npos);
    }

    void hostileTextStaysText() {
        const std::string evil =
            "</script><script>alert(1)</script>]]>\"'><img src=x onerror=alert(1)>&amp;\x01\xff</pre>";
        ReportInput input = twoAttempts();
        input.session.name = input.program = evil;
        input.plots = {{evil, evil}};
        input.originals["L1/T1/naive@1"] = evil;
        for (auto& each : input.attempts) {
            each.kernelTitle = each.name = each.notes = each.verdict = evil;
            each.source = evil + "\n" + std::to_string(each.id);
            each.timings = {timing(Timing::Origin::measured, 1, evil, evil)};
            each.verdictJson = R"({"message":"<b>","checks":[{"name":"<i>"},3],"faults":"<u>","reasons":{"<s>":1}})";
        }
        input.attempts[0].verdictJson = evil;
        const std::string html = htmlReport(input);
        QCOMPARE(parseProblem(html), QString());
        for (const char* tag : {"<script", "<img src=x", "<b>", "<i>", "<s>", "]]>"})
            QVERIFY2(html.find(tag) == std::string::npos, tag);
        QVERIFY(html.find("&lt;script&gt;alert(1)&lt;/script&gt;") != std::string::npos);
        QVERIFY(html.find('\x01') == std::string::npos);
        QVERIFY(QString::fromStdString(html).toStdString() == html); // well-formed UTF-8
    }

    void aSweepIsToldWithItsBestAndItsEvidence() {
        ReportInput input = twoAttempts();
        input.sweeps = {aSweep()};
        const QString html = QString::fromStdString(htmlReport(input));
        QCOMPARE(parseProblem(html.toStdString()), QString());
        QVERIFY(html.contains("<h2>Sweep of product.cu</h2>"));
        QVERIFY(html.contains("26 points by exhaustive: 24 with a time, 1 refused, 1 wrong, 0 failed"));
        QVERIFY(html.contains("modelled on NVIDIA H200, size full"));
        // The 24th has the least time; the kernel as it stood is the 7th (TILE=4 TYPE=float).
        const QString best = QString::fromStdString(aSweep().points[23].candidate.key).toHtmlEscaped();
        QVERIFY2(html.contains("with <code>" + best + "</code>, 3.43\u00d7 as fast"), qPrintable(html.mid(0, 6000)));
        QVERIFY(html.contains("confirmed in a fresh process"));
        QVERIFY(html.contains("<td>12 of 64 elements &lt;differ&gt;</td>"));
        QVERIFY(html.contains("What matters: TILE 100%, TYPE 0%"));
        QCOMPARE(html.count("<i class=\"mark modelled\"></i>"), 1 + 2 + 2 + 10 + 1); // legend, attempt, two texts, rows
    }

    void theCurveIsADocument() {
        ReportSweep sweep = aSweep();
        const std::string svg = sweepCurveSvg(sweep.points);
        QCOMPARE(parseProblem(svg), QString());
        QCOMPARE(QString::fromStdString(svg).count("<circle"), 24); // those that rank
        QVERIFY(svg.find("1 ms") != std::string::npos || svg.find("1.04 ms") != std::string::npos);
        for (auto& point : sweep.points)
            if (point.outcome.value) point.outcome.value = 2e-3;
        QCOMPARE(parseProblem(sweepCurveSvg(sweep.points)), QString()); // all the same
        QVERIFY(sweepCurveSvg({}).empty());
    }

    void sweepsWithoutAnythingAreToldToo() {
        ReportInput input = twoAttempts();
        ReportSweep unread, none = aSweep(), slower = aSweep();
        unread.label = "a<b>.sweep";
        unread.problem = "Line 3 of a<b>.sweep is damaged.";
        none.points.clear();
        slower.points.resize(7); // the start is the best of these
        input.sweeps = {unread, none, slower};
        const QString html = QString::fromStdString(htmlReport(input));
        QCOMPARE(parseProblem(html.toStdString()), QString());
        QVERIFY(html.contains("Line 3 of a&lt;b&gt;.sweep is damaged."));
        QVERIFY(html.contains("No point has a time and right results."));
        QVERIFY(html.contains("nothing faster than the kernel as it stood was found"));
    }

    void emptySessionIsAReportToo() {
        ReportInput input;
        input.session.name = "empty";
        QCOMPARE(parseProblem(htmlReport(input)), QString());
    }
};

} // namespace

KERNELARIUM_TEST(TestHtmlReport);

} // namespace kernelarium::session

#include "TestHtmlReport.moc"
