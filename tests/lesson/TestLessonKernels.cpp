// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/Evaluation.h"
#include "core/lesson/LessonLibrary.h"
#include "core/lesson/StepEvidence.h"
#include "core/task/Card.h"
#include "gpu/protocol/KernelClient.h"
#include "tests/TestRegistry.h"

#include <QFile>
#include <QtTest>
#include <algorithm>
#include <map>
#include <memory>
#include <sys/resource.h>

namespace kernelarium::lesson {
namespace {

/// What is found out about a kernel of a step; nothing when a component is missing.
struct Found {
    bool missingComponent = false;
    std::string said;
    StepEvidence evidence;
};

/// The two children that the window and the command line use, kept from one kernel to the next: starting them anew for
/// each took half of the time.
class Workers {
public:
    /// As the window does it: what does not run is not counted. A text that two steps share is tried once.
    const Found& find(const Step& step, const std::string& source, int seconds = 60) {
        const auto& kernel = step.kernel;
        const Needs needs = needsOf(step);
        const bool counts = needs.counters || !needs.times.empty();
        std::string key = source + '\0' + kernel.reference + '\0' + std::to_string(kernel.level) + "/" +
                          std::to_string(kernel.task) + (counts ? " counted" : "");
        for (const auto& argument : kernel.arguments)
            key += '\0' + argument;
        const auto known = m_found.find(key);
        if (known != m_found.end()) return known->second;
        return m_found[key] = tryIt(kernel, source, counts, seconds);
    }

private:
    Result<protocol::KernelClient::Unit> compile(const std::string& source) {
        if (const auto known = m_units.find(source); known != m_units.end()) return known->second;
        protocol::CompileParameters parameters;
        parameters.source = source;
        parameters.arch = "sm_90";
        parameters.texts = {"ptx", "log"};
        auto unit = m_compiler.compile(parameters, {});
        if (unit) m_units[source] = *unit;
        return unit;
    }

    Result<protocol::RunParameters> prepare(const StepKernel& kernel, const std::string& source, int seconds) {
        protocol::RunParameters run;
        run.size = "small";
        run.timeLimit = std::chrono::seconds(seconds);
        run.arguments = kernel.arguments;
        if (kernel.task > 0) {
            auto card = task::loadCard(kernel.level, kernel.task);
            if (!card) return card.error();
            run.card = std::make_shared<const task::Card>(std::move(*card));
        } else {
            auto reference = compile(kernel.reference);
            if (!reference) return reference.error();
            run.referenceUnit = *reference;
            run.referenceName = "the lesson's reference";
        }
        auto unit = compile(source);
        if (!unit) return unit.error();
        run.unit = *unit;
        return run;
    }

    Found tryIt(const StepKernel& kernel, const std::string& source, bool counts, int seconds) {
        Found found;
        found.evidence.source = source;
        const auto fails = [&](const Error& error) {
            found.missingComponent = error.code == "missing_component";
            found.said = error.text();
            return found;
        };
        auto run = prepare(kernel, source, seconds);
        if (!run) return fails(run.error());
        const auto answer = m_runner.verify(*run, {});
        if (!answer) return fails(answer.error());
        auto& evidence = found.evidence;
        found.said = answer->json;
        evidence.verdict = verify::name(answer->verdict.kind);
        evidence.message = answer->verdict.message;
        evidence.reasons = answer->verdict.reasons;
        evidence.remarks = answer->verdict.remarks;
        if (!counts || (evidence.verdict != "verified" && evidence.verdict != "wrong")) return found;
        protocol::ProfileParameters parameters;
        parameters.run = std::move(*run);
        parameters.run.backend = "emulator";
        parameters.run.size = "full";
        parameters.device = "h200";
        const auto profile = m_runner.profile(parameters, {});
        if (!profile) return fails(profile.error());
        if (profile->end != "finished") return found;
        evidence.counters = countersOf(profile->counters);
        evidence.figures = figuresOf(profile->counters, profile->time);
        evidence.times.push_back(timeOf(profile->time, profile->size));
        return found;
    }

    protocol::KernelClient m_compiler{{KERNELARIUM_BIN_DIR "/kernelarium-cli", "worker", "compile"}};
    protocol::KernelClient m_runner{{KERNELARIUM_BIN_DIR "/kernelarium-cli", "worker", "run"}};
    std::map<std::string, protocol::KernelClient::Unit> m_units;
    std::map<std::string, Found> m_found;
};

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
    int limit = 60; ///< seconds: a race is found at once, and then looked into for as long as there is time
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
            planted.push_back({step, rest("wrong "), line.starts_with("wrong starter"), {}, {}, {}, {}, 60});
            continue;
        }
        if (planted.empty()) continue;
        Planted& last = planted.back();
        if (line.starts_with("- ")) last.remove += rest("- ") + "\n";
        if (line.starts_with("+ ")) last.insert += rest("+ ") + "\n";
        if (line.starts_with("says ")) last.says = rest("says ");
        if (line.starts_with("limit ")) last.limit = std::stoi(rest("limit "));
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

    std::unique_ptr<Workers> m_workers = std::make_unique<Workers>();

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
            const Found& starter = m_workers->find(tried, tried.kernel.starter);
            if (starter.missingComponent) QSKIP(("a component is missing: " + starter.said).c_str());
            // Where a step does not say otherwise, one starts from a kernel that is right: what it lacks is what the
            // step teaches.
            QVERIFY2(starter.evidence.verdict == tried.kernel.starterVerdict, starter.said.c_str());
            const auto& reason = tried.kernel.starterReason;
            if (reason.empty())
                QVERIFY2(!isShapeSpecific(starter.evidence), starter.said.c_str());
            else
                QVERIFY2(named(starter.evidence.reasons, reason) || named(starter.evidence.remarks, reason),
                         starter.said.c_str());
            const Found& solution = m_workers->find(tried, tried.kernel.solution);
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
            const Found& found = m_workers->find(*step, source, wrong.limit);
            if (found.missingComponent) QSKIP(("a component is missing: " + found.said).c_str());
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
        m_workers.reset(); // what ended is counted
        rusage spent{};
        getrusage(RUSAGE_CHILDREN, &spent);
        qInfo("processor time of the children: %ld s", long(spent.ru_utime.tv_sec + spent.ru_stime.tv_sec));
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
        const Found& tailless = m_workers->find(step, source);
        if (tailless.missingComponent) QSKIP(("a component is missing: " + tailless.said).c_str());
        QVERIFY2(tailless.evidence.verdict == "verified", tailless.said.c_str());
        QVERIFY2(isShapeSpecific(tailless.evidence), tailless.said.c_str());
        QVERIFY2(tailless.said.find("Not right at 3 x 997") != std::string::npos, tailless.said.c_str());
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
