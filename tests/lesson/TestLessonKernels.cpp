// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/Evaluation.h"
#include "core/lesson/LessonLibrary.h"
#include "core/lesson/StepEvidence.h"
#include "tests/TestRegistry.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <nlohmann/json.hpp>

namespace kernelarium::lesson {
namespace {

QString write(const QTemporaryDir& folder, const std::string& name, const std::string& text) {
    const QString path = folder.filePath(QString::fromStdString(name));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) < 0) return {};
    return path;
}

/// What the command line finds out about a kernel of a step; nothing when a component is missing.
struct Found {
    bool missingComponent = false;
    QByteArray said;
    StepEvidence evidence;
};

/// Runs the command line on a kernel of a step.
struct Said {
    int code = -1;
    QByteArray out;
    nlohmann::json json;
};

Said ask(const QString& command, const StepKernel& kernel, const std::string& source, const QStringList& more) {
    QTemporaryDir folder;
    QStringList arguments{"--json", command, write(folder, "kernel.cu", source)};
    if (kernel.task != 0)
        arguments << "--task" << QString("%1/%2").arg(kernel.level).arg(kernel.task);
    else
        arguments << "--reference" << write(folder, "reference.cu", kernel.reference);
    for (const auto& argument : kernel.arguments)
        arguments << "--arg" << QString::fromStdString(argument);
    QProcess cli;
    cli.start(KERNELARIUM_BIN_DIR "/kernelarium-cli", arguments + more);
    Said said;
    if (!cli.waitForFinished(300'000)) return said;
    said.code = cli.exitCode();
    said.out = cli.readAllStandardOutput();
    said.json = nlohmann::json::parse(said.out.begin(), said.out.end(), nullptr, false);
    said.out += cli.readAllStandardError();
    return said;
}

/// Counters of all launches at full size, and the time that is modelled from them.
void addProfile(const StepKernel& kernel, const std::string& source, StepEvidence& evidence) {
    const Said said = ask("profile", kernel, source, {"--device", "h200"});
    if (!said.json.is_object() || !said.json.contains("counters")) return;
    const auto launches = perf::launchesFromJson(said.json["counters"]);
    const auto time = perf::modelledTimeFromJson(said.json.at("modelled_time"));
    if (!launches || !time) return;
    evidence.counters = countersOf(*launches);
    evidence.times.push_back(timeOf(*time, "full"));
}

Found find(const StepKernel& kernel, const std::string& source) {
    const Said said = ask("verify", kernel, source, {"--backend", "emulator", "--size", "small"});
    Found found;
    found.said = said.out;
    constexpr int missingComponent = 3;
    found.missingComponent = said.code == missingComponent;
    if (said.json.is_object()) {
        found.evidence.verdict = said.json.value("verdict", std::string());
        found.evidence.remarks = said.json.value("remarks", std::vector<std::string>());
    }
    found.evidence.source = source;
    if (!found.missingComponent) addProfile(kernel, source, found.evidence);
    return found;
}

bool isShapeSpecific(const StepEvidence& evidence) {
    return std::find(evidence.remarks.begin(), evidence.remarks.end(), "shape_specific") != evidence.remarks.end();
}

class TestLessonKernels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void startersLackAndSolutionsMeet_data() {
        QTest::addColumn<int>("lesson");
        QTest::addColumn<int>("step");
        const auto lessons = builtInLessons();
        QVERIFY(lessons.ok());
        for (std::size_t l = 0; l < lessons->size(); ++l)
            for (std::size_t s = 0; s < lessons->at(l).steps.size(); ++s)
                QTest::newRow((lessons->at(l).id + "/" + lessons->at(l).steps[s].id).c_str()) << int(l) << int(s);
    }

    void startersLackAndSolutionsMeet() {
        QFETCH(int, lesson);
        QFETCH(int, step);
        const auto lessons = builtInLessons();
        const Step& tried = lessons->at(std::size_t(lesson)).steps.at(std::size_t(step));
        StepEvidence start;
        StepEvidence done;
        if (tried.hasKernel) {
            const auto starter = find(tried.kernel, tried.kernel.starter);
            if (starter.missingComponent) QSKIP(("a component is missing: " + starter.said).constData());
            // A beginner starts from a kernel that is right: what it lacks is what the step teaches.
            QVERIFY2(starter.evidence.verdict == "verified", starter.said.constData());
            QVERIFY2(!isShapeSpecific(starter.evidence), starter.said.constData());
            const auto solution = find(tried.kernel, tried.kernel.solution);
            start = starter.evidence;
            done = solution.evidence;
        }
        for (const auto& condition : tried.conditions)
            if (condition.kind == Condition::Kind::answer) done.answers[condition.key] = condition.bound;
        if (tried.hasKernel) start.answers = done.answers; // then it is the kernel that lacks something
        QVERIFY(!allMet(evaluate(tried, start)));
        const auto results = evaluate(tried, done);
        for (std::size_t i = 0; i < results.size(); ++i) {
            QVERIFY2(results[i].state == ConditionState::met, (results[i].text + ": " + results[i].sentence).c_str());
        }
    }

    /// The last step of the first lesson is about float4 and the elements that are left over.
    void theWideKernelNeedsItsTail() {
        const auto lessons = builtInLessons();
        const auto lesson =
            std::find_if(lessons->begin(), lessons->end(), [](const Lesson& l) { return l.id == "coalescing"; });
        QVERIFY(lesson != lessons->end());
        const Step& step = lesson->steps.back();
        std::string source = step.kernel.solution;
        const std::string tail = "if (thread < count % 4) ";
        const auto at = source.find(tail);
        QVERIFY(at != std::string::npos);
        source.insert(at, "// ");
        const auto tailless = find(step.kernel, source);
        if (tailless.missingComponent) QSKIP(("a component is missing: " + tailless.said).constData());
        QVERIFY2(tailless.evidence.verdict == "verified", tailless.said.constData());
        QVERIFY2(isShapeSpecific(tailless.evidence), tailless.said.constData());
        QVERIFY2(tailless.said.contains("Not right at 3 x 997"), tailless.said.constData());
        for (const auto& result : evaluate(step, tailless.evidence)) {
            const bool verdict = result.text == "the kernel is verified"; // the counters are as good as ever
            QVERIFY2((result.state == ConditionState::met) != verdict, (result.text + ": " + result.sentence).c_str());
        }
    }
};

} // namespace
} // namespace kernelarium::lesson

KERNELARIUM_TEST(kernelarium::lesson::TestLessonKernels);

#include "TestLessonKernels.moc"
