// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/Progress.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <nlohmann/json.hpp>

namespace kernelarium::lesson {
namespace {

using State = StepProgress::State;

class TestProgress : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void comesBackFromJson() {
        Progress progress;
        auto& lesson = progress.lessons["tiling"];
        lesson.currentStep = "b";
        lesson.steps["a"] = {State::met, 0, {}, 2, true, {{"flops", 17.5}}};
        lesson.steps["b"] = {State::skipped, 0, {}, 0, false, {}};
        const auto back = progressFromJson(nlohmann::json::parse(toJson(progress).dump()));
        QVERIFY(back.ok());
        const auto& read = back->lessons.at("tiling");
        QCOMPARE(read.currentStep, std::string("b"));
        QVERIFY(read.steps.at("a").state == State::met && read.steps.at("b").state == State::skipped);
        QCOMPARE(read.steps.at("a").hintsShown, 2);
        QVERIFY(read.steps.at("a").solutionShown);
        QCOMPARE(read.steps.at("a").answers.at("flops"), 17.5);
    }

    void damagedJsonIsAnError() {
        for (const char* text :
             {"{}", "[]", "3", R"({"lessons":{"a":{}}})", R"({"lessons":{"a":{"steps":{"b":3}}}})"}) {
            const auto read = progressFromJson(nlohmann::json::parse(text));
            QVERIFY2(!read.ok(), text);
            QCOMPARE(read.error().code, std::string("bad_input"));
        }
    }

    void stepsUnlockInOrder() {
        Lesson lesson;
        lesson.steps.resize(3);
        lesson.steps[0].id = "a";
        lesson.steps[1].id = "b";
        lesson.steps[2].id = "c";
        LessonProgress progress;
        QVERIFY(isUnlocked(lesson, progress, 0) && !isUnlocked(lesson, progress, 1));
        progress.steps["a"].state = State::skipped;
        QVERIFY(isUnlocked(lesson, progress, 1) && !isUnlocked(lesson, progress, 2));
        progress.steps["b"].state = State::met;
        progress.steps["gone"].state = State::met;
        QVERIFY(isUnlocked(lesson, progress, 2));
        QCOMPARE(stepsMet(lesson, progress), std::size_t{1});
    }
};

} // namespace

KERNELARIUM_TEST(TestProgress);

} // namespace kernelarium::lesson

#include "TestProgress.moc"
