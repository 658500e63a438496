// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/Glossary.h"
#include "core/lesson/LessonLibrary.h"
#include "tests/TestRegistry.h"

#include <QFile>
#include <QRegularExpression>
#include <QtTest>
#include <algorithm>
#include <set>

namespace kernelarium::lesson {
namespace {

std::vector<std::string> jargon() {
    std::vector<std::string> words;
    QFile file(KERNELARIUM_SOURCE_DIR "/tests/lesson/jargon.txt");
    if (!file.open(QIODevice::ReadOnly)) return words;
    for (const auto& line : file.readAll().split('\n'))
        if (!line.isEmpty() && !line.startsWith('#')) words.push_back(line.toStdString());
    return words;
}

bool has(const std::vector<Term>& terms, const std::string& name) {
    return std::any_of(terms.begin(), terms.end(), [&](const Term& term) {
        return findTerm(name, term.name) == 0 && name.size() <= term.name.size() + 2;
    });
}

Lesson lessonWith(const std::string& introduction) {
    Lesson lesson;
    lesson.introduction = introduction;
    return lesson;
}

class TestGlossary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void termsAreRead() {
        const auto terms =
            parseGlossary("# Title\n\n- **warp**: 32 threads.\n- a line of another kind\n- **tile**: part");
        QCOMPARE(terms.size(), std::size_t{2});
        QCOMPARE(terms[0].name, std::string("warp"));
        QCOMPARE(terms[1].meaning, std::string("part"));
    }

    void wordsAreWhole() {
        QCOMPARE(findTerm("Warps wait", "warp"), std::optional<std::size_t>(0));
        QCOMPARE(findTerm("a warped lane", "warp"), std::nullopt);
        QCOMPARE(findTerm("in shared\nmemory", "shared memory"), std::nullopt); // prose() has blanks instead
        QCOMPARE(findTerm("two launches", "launch"), std::optional<std::size_t>(4));
        QCOMPARE(findTerm("one (warp)", "warp"), std::optional<std::size_t>(5));
    }

    void whatIsBoldAtFirstIsExplained() {
        const std::vector<Term> terms{{"warp", "w"}, {"shared memory", "s"}};
        QCOMPARE(presupposed(lessonWith("A **warp** in shared\nmemory."), terms).size(), std::size_t{1});
        QCOMPARE(presupposed(lessonWith("A warp, later a **warp**."), terms).size(), std::size_t{1});
        QVERIFY(presupposed(lessonWith("`warp` and\n\n    warp\n\n```\nwarp\n```\n"), terms).empty());
    }

    void lessonsUseNoUnexplainedTerm() {
        const auto lessons = builtInLessons();
        QVERIFY(lessons.ok());
        const auto terms = jargon();
        QVERIFY(terms.size() > 40 && glossary().size() > 40);
        for (const auto& lesson : *lessons) {
            const std::string text = prose(lesson);
            for (const auto& word : terms)
                QVERIFY2(!findTerm(text, word) || has(glossary(), word), (lesson.id + " uses " + word).c_str());
        }
    }

    /// What one lesson explains, another may use: it belongs into the glossary.
    void whatLessonsExplainIsInTheGlossary() {
        const std::set<std::string> emphasis{"one", "up", "relative", "sectors per request"};
        const auto lessons = builtInLessons();
        const QRegularExpression bold(R"(\*\*([^*|]+)\*\*)");
        for (const auto& lesson : *lessons) {
            const QString text = QString::fromStdString(prose(lesson));
            for (auto found = bold.globalMatch(text); found.hasNext();) {
                const std::string word = found.next().captured(1).toStdString();
                if (word.ends_with('.') || emphasis.contains(word)) continue;
                QVERIFY2(has(glossary(), word), (lesson.id + " explains " + word).c_str());
            }
        }
    }

    void glossaryIsInOrderAndUsed() {
        const auto lessons = builtInLessons();
        std::string all;
        for (const auto& lesson : *lessons)
            all += lesson.title + " " + prose(lesson);
        for (std::size_t i = 0; i < glossary().size(); ++i) {
            const auto& term = glossary()[i];
            QVERIFY2(findTerm(all, term.name), term.name.c_str());
            QVERIFY2(i == 0 || QString::fromStdString(glossary()[i - 1].name)
                                       .compare(QString::fromStdString(term.name), Qt::CaseInsensitive) < 0,
                     term.name.c_str());
        }
    }
};

} // namespace

KERNELARIUM_TEST(TestGlossary);

} // namespace kernelarium::lesson

#include "TestGlossary.moc"
