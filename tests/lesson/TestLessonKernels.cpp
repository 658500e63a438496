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
#include <sys/resource.h>

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
    evidence.figures = figuresOf(*launches, *time);
    evidence.times.push_back(timeOf(*time, said.json.value("size", std::string("full"))));
}

/// As the window does it: what does not run is not counted.
Found find(const Step& step, const std::string& source, const QString& limit = "60") {
    const Said said =
        ask("verify", step.kernel, source, {"--backend", "emulator", "--size", "small", "--time-limit", limit});
    Found found;
    found.said = said.out;
    constexpr int missingComponent = 3;
    found.missingComponent = said.code == missingComponent;
    auto& evidence = found.evidence;
    evidence.source = source;
    if (said.json.is_object()) {
        evidence.verdict = said.json.value("verdict", std::string());
        evidence.message = said.json.value("message", std::string());
        evidence.reasons = said.json.value("reasons", std::vector<std::string>());
        evidence.remarks = said.json.value("remarks", std::vector<std::string>());
    }
    const Needs needs = needsOf(step);
    const bool counts = evidence.verdict == "verified" || evidence.verdict == "wrong";
    if (counts && (needs.counters || !needs.times.empty())) addProfile(step.kernel, source, evidence);
    return found;
}

bool isShapeSpecific(const StepEvidence& evidence) {
    return std::find(evidence.remarks.begin(), evidence.remarks.end(), "shape_specific") != evidence.remarks.end();
}

/// A wrong way to do a step, from tests/lesson/planted/LESSON.txt: an edit of the solution or answers, and words of
/// the sentence that it is refused with.
struct Planted {
    std::string step;
    std::string name;
    bool fromStarter = false;
    std::string remove;
    std::string insert;
    std::map<std::string, double> answers;
    std::string says;
    QString limit = "60"; ///< seconds: a race is found at once, and then looked into for as long as there is time
};

/// One block for each: "step ID" (until the next), "wrong NAME" or "wrong starter NAME" (then the starter is edited),
/// lines "- " to be found once and "+ " in their place, or "answer KEY VALUE"; "says WORDS"; "limit SECONDS".
std::vector<Planted> readPlanted(const std::string& lesson) {
    std::vector<Planted> planted;
    QFile file(QString::fromStdString(KERNELARIUM_SOURCE_DIR "/tests/lesson/planted/" + lesson + ".txt"));
    if (!file.open(QIODevice::ReadOnly)) return planted;
    std::string step;
    for (const auto& bytes : file.readAll().split('\n')) {
        const std::string line = bytes.toStdString();
        const auto rest = [&](std::string_view head) { return line.substr(head.size()); };
        if (line.starts_with("step ")) step = rest("step ");
        if (line.starts_with("wrong ")) {
            planted.push_back({step, rest("wrong "), line.starts_with("wrong starter"), {}, {}, {}, {}, "60"});
            continue;
        }
        if (planted.empty()) continue;
        Planted& last = planted.back();
        if (line.starts_with("- ")) last.remove += rest("- ") + "\n";
        if (line.starts_with("+ ")) last.insert += rest("+ ") + "\n";
        if (line.starts_with("says ")) last.says = rest("says ");
        if (line.starts_with("limit ")) last.limit = QString::fromStdString(rest("limit "));
        if (line.starts_with("answer ")) {
            const auto words = bytes.split(' ');
            last.answers[words.at(1).toStdString()] = words.at(2).toDouble();
        }
    }
    return planted;
}

/// `source` with the lines taken out and put in; indentation does not count. Empty where they do not occur once.
std::string edited(const Planted& wrong, const std::string& source) {
    const auto flat = [](const std::string& text) {
        QStringList lines = QString::fromStdString(text).split('\n');
        for (auto& line : lines)
            line = line.trimmed();
        return lines.join('\n').trimmed();
    };
    QString text = flat(source);
    const QString remove = flat(wrong.remove);
    if (remove.isEmpty() || text.count(remove) != 1) return {};
    return text.replace(remove, flat(wrong.insert)).toStdString();
}

std::map<std::string, double> rightAnswers(const Step& step) {
    std::map<std::string, double> answers;
    for (const auto& condition : step.conditions)
        if (condition.kind == Condition::Kind::answer) answers[condition.key] = condition.bound;
    return answers;
}

const Step* stepOf(const Lesson& lesson, const std::string& id) {
    const auto found =
        std::find_if(lesson.steps.begin(), lesson.steps.end(), [&](const Step& step) { return step.id == id; });
    return found == lesson.steps.end() ? nullptr : &*found;
}

bool named(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
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
            const auto starter = find(tried, tried.kernel.starter);
            if (starter.missingComponent) QSKIP(("a component is missing: " + starter.said).constData());
            // Where a step does not say otherwise, one starts from a kernel that is right: what it lacks is what the
            // step teaches.
            QVERIFY2(starter.evidence.verdict == tried.kernel.starterVerdict, starter.said.constData());
            const auto& reason = tried.kernel.starterReason;
            if (reason.empty())
                QVERIFY2(!isShapeSpecific(starter.evidence), starter.said.constData());
            else
                QVERIFY2(named(starter.evidence.reasons, reason) || named(starter.evidence.remarks, reason),
                         starter.said.constData());
            const auto solution = find(tried, tried.kernel.solution);
            start = starter.evidence;
            done = solution.evidence;
        }
        done.answers = rightAnswers(tried);
        if (tried.hasKernel) start.answers = done.answers; // then it is the kernel that lacks something
        QVERIFY(!allMet(evaluate(tried, start)));
        const auto results = evaluate(tried, done);
        for (std::size_t i = 0; i < results.size(); ++i) {
            QVERIFY2(results[i].state == ConditionState::met, (results[i].text + ": " + results[i].sentence).c_str());
        }
        for (const auto& time : start.times)
            qInfo("modelled: %.4g us before, %.4g us after", time.milliseconds * 1e3,
                  done.times.empty() ? 0.0 : done.times.front().milliseconds * 1e3);
    }

    void wrongTurnsAreRefused_data() {
        QTest::addColumn<int>("lesson");
        QTest::addColumn<int>("planted");
        const auto lessons = builtInLessons();
        QVERIFY(lessons.ok());
        for (std::size_t l = 0; l < lessons->size(); ++l) {
            const auto planted = readPlanted(lessons->at(l).id);
            for (std::size_t p = 0; p < planted.size(); ++p)
                QTest::newRow((lessons->at(l).id + "/" + planted[p].step + ": " + planted[p].name).c_str())
                    << int(l) << int(p);
        }
    }

    void wrongTurnsAreRefused() {
        QFETCH(int, lesson);
        QFETCH(int, planted);
        const auto lessons = builtInLessons();
        const Lesson& in = lessons->at(std::size_t(lesson));
        const Planted wrong = readPlanted(in.id).at(std::size_t(planted));
        const Step* step = stepOf(in, wrong.step);
        QVERIFY2(step != nullptr, wrong.step.c_str());
        StepEvidence evidence;
        if (!wrong.remove.empty()) {
            const auto source = edited(wrong, wrong.fromStarter ? step->kernel.starter : step->kernel.solution);
            QVERIFY2(!source.empty(), ("not there, or twice: " + wrong.remove).c_str());
            const auto found = find(*step, source, wrong.limit);
            if (found.missingComponent) QSKIP(("a component is missing: " + found.said).constData());
            evidence = found.evidence;
        } else if (step->hasKernel) {
            evidence.source = step->kernel.solution;
        }
        evidence.answers = rightAnswers(*step);
        for (const auto& [key, value] : wrong.answers) {
            QVERIFY2(evidence.answers.contains(key), key.c_str());
            evidence.answers[key] = value;
        }
        std::string said;
        bool refused = false;
        for (const auto& result : evaluate(*step, evidence)) {
            if (result.state != ConditionState::unmet) continue;
            refused = true;
            said += result.text + ": " + result.sentence + "\n";
        }
        QVERIFY2(refused, "it passes");
        QVERIFY2(!wrong.says.empty() && said.find(wrong.says) != std::string::npos, said.c_str());
    }

    void everyStepHasWrongTurns() {
        const auto lessons = builtInLessons();
        for (const auto& lesson : *lessons) {
            const auto planted = readPlanted(lesson.id);
            for (const auto& step : lesson.steps) {
                const auto count = std::count_if(planted.begin(), planted.end(),
                                                 [&](const Planted& each) { return each.step == step.id; });
                QVERIFY2(count >= 2, (lesson.id + "/" + step.id).c_str());
            }
        }
    }

    void cleanupTestCase() {
        rusage spent{};
        getrusage(RUSAGE_CHILDREN, &spent);
        qInfo("processor time: %ld s", long(spent.ru_utime.tv_sec + spent.ru_stime.tv_sec));
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
        const auto tailless = find(step, source);
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
