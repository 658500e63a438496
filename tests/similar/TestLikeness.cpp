// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/similar/Likeness.h"
#include "tests/TestRegistry.h"
#include "tests/similar/SimilarFixture.h"

#include <cmath>

namespace kernelarium::similar {
namespace {

/// A row with the archive's claims.
nlohmann::json claimed(nlohmann::json row, bool correct, double milliseconds, double speedup) {
    row["Correct"] = correct;
    row["CUDA_Runtime"] = milliseconds;
    row["CUDA_Speedup_Native"] = speedup;
    return row;
}

struct Asked {
    explicit Asked(SimilarFixture& fixture)
        : archive(fixture.open())
        , index(PieceIndex::of(archive.path()))
        , tasks(archive, {})
        , updated(index.update(archive)) {}

    archive::Archive archive;
    PieceIndex index;
    TaskOperators tasks;
    Result<PieceIndex::Update> updated;

    Subject subject(const char* kernel) {
        const auto found = archive.find(kernel);
        if (!found) qFatal("%s", found.error().text().c_str());
        Subject subject = *archivedSubject(archive, *found);
        const auto table = *archive.sharedTable();
        const auto row = std::size_t(std::find(table->id.begin(), table->id.end(), found->id) - table->id.begin());
        if (const Operators* operators = tasks.of(*table, row)) subject.operators = *operators;
        return subject;
    }
    QStringList names(const LikeResult& result) {
        QStringList names;
        for (const Alike& alike : result.found)
            names << QString::fromStdString((*archive.sharedTable())->name[alike.row]);
        return names;
    }
};

constexpr const char* relu = "19_ReLU";
constexpr const char* softmax = "23_Softmax";

} // namespace

/// Which kernels are like one, and in which order.
class TestLikeness : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aTwinUnderOtherNamesIsFoundAndAStrangerIsNot() {
        SimilarFixture fixture;
        const std::string online = starterCode("level_1/023/online.cu");
        fixture.import({SimilarFixture::row(1, 23, softmax, "online", online),
                        SimilarFixture::row(1, 23, softmax, "twin", disguised(online)),
                        SimilarFixture::row(1, 19, relu, "stranger", manyRows(1).front().at("CUDA_Code"))});
        Asked asked(fixture);
        SIMILAR_OK(asked.updated);
        LikeQuery query;
        query.byOperators = false;
        const auto result = kernelsLike(asked.archive, asked.index, asked.tasks, asked.subject("online"), query);
        SIMILAR_OK(result);
        QCOMPARE(asked.names(*result), QStringList{"twin"});
        QVERIFY(result->found.front().code > 0.9);
        QVERIFY(std::isnan(result->found.front().operators));
    }

    void kernelsOfOtherTasksWithTheSameOperatorsAreFound() {
        SimilarFixture fixture;
        const auto code = manyRows(4);
        // 2/1 is conv2d, relu, add; 1/19 relu alone.
        fixture.import({SimilarFixture::row(1, 19, relu, "relu", code[0].at("CUDA_Code")),
                        SimilarFixture::row(1, 20, "20_LeakyReLU", "leaky", code[1].at("CUDA_Code")),
                        SimilarFixture::row(2, 1, "1_Conv2D_ReLU_BiasAdd", "fused", code[2].at("CUDA_Code")),
                        SimilarFixture::row(9, 9, "9_of_nobody", "unknown", code[3].at("CUDA_Code"))});
        Asked asked(fixture);
        LikeQuery query;
        query.byCode = false;
        query.leastOperators = 0.3;
        const auto result = kernelsLike(asked.archive, asked.index, asked.tasks, asked.subject("relu"), query);
        SIMILAR_OK(result);
        QCOMPARE(asked.names(*result), QStringList{"fused"});
        QCOMPARE(result->found.front().shared, Operators{"relu"});
        QVERIFY(std::abs(result->found.front().operators - 1.0 / 3) < 1e-9);
        QCOMPARE(result->withoutCard, std::size_t(1));
    }

    /// Verified by us, then claimed by the archive, then what nobody says, then what is refuted; the faster first.
    void theOrderIsStandingThenSpeed() {
        SimilarFixture fixture;
        const auto code = manyRows(8);
        const auto relu19 = [&](int i, const char* name) {
            return SimilarFixture::row(1, 19, relu, name, code[std::size_t(i)].at("CUDA_Code"));
        };
        fixture.import({claimed(relu19(0, "subject"), true, 2.0, 1.0), claimed(relu19(1, "slow"), true, 4.0, 0.5),
                        claimed(relu19(2, "fast"), true, 1.0, 2.0), claimed(relu19(3, "verified"), true, 3.0, 0.7),
                        claimed(relu19(4, "wrong"), true, 0.1, 20.0), claimed(relu19(5, "refused"), false, 0.1, 0),
                        relu19(6, "unsaid"), claimed(relu19(7, "earlier"), true, 0.5, 4.0)});
        Asked asked(fixture);
        auto verdicts = std::make_shared<archive::OwnVerdicts>();
        const auto table = *asked.archive.sharedTable();
        const auto judge = [&](const char* name, const char* verdict, bool stale) {
            for (std::size_t row = 0; row < table->size(); ++row)
                if (table->name[row] == name)
                    verdicts->put(1, 19, name, table->codeHash[row], {verdict, {}, {}, 0, 0, stale});
        };
        judge("verified", "verified", false);
        judge("earlier", "verified", true);
        judge("wrong", "wrong", false);
        LikeQuery query;
        query.byCode = false;
        query.verdicts = verdicts;
        const auto result = kernelsLike(asked.archive, asked.index, asked.tasks, asked.subject("subject"), query);
        SIMILAR_OK(result);
        QCOMPARE(asked.names(*result),
                 (QStringList{"verified", "earlier", "fast", "slow", "unsaid", "wrong", "refused"}));
        QCOMPARE(result->found[2].measure, Measure::time);
        QCOMPARE(result->found[2].gain, 2.0);
        QVERIFY(std::isnan(result->found[4].gain));
        QCOMPARE(result->found[5].standing, Standing::refuted);
        query.limit = 2;
        const auto first = kernelsLike(asked.archive, asked.index, asked.tasks, asked.subject("subject"), query);
        SIMILAR_OK(first);
        QCOMPARE(asked.names(*first), (QStringList{"verified", "earlier"}));
        QCOMPARE(first->more, std::size_t(5));
    }

    /// Times of two tasks say nothing of each other: there it is how far each is ahead of PyTorch.
    void timesAreNotComparedAcrossTasks() {
        SimilarFixture fixture;
        const auto code = manyRows(3);
        fixture.import({claimed(SimilarFixture::row(1, 19, relu, "subject", code[0].at("CUDA_Code")), true, 1.0, 2.0),
                        claimed(SimilarFixture::row(2, 1, "1_Conv2D_ReLU_BiasAdd", "ahead", code[1].at("CUDA_Code")),
                                true, 50.0, 3.0),
                        claimed(SimilarFixture::row(1, 19, "19_of_others", "sameNumber", code[2].at("CUDA_Code")), true,
                                0.001, 1.0)});
        Asked asked(fixture);
        LikeQuery query;
        query.leastCode = 0;
        query.leastOperators = 0.3;
        auto result = kernelsLike(asked.archive, asked.index, asked.tasks, asked.subject("subject"), query);
        SIMILAR_OK(result);
        QCOMPARE(asked.names(*result), (QStringList{"ahead", "sameNumber"}));
        for (const Alike& alike : result->found)
            QCOMPARE(alike.measure, Measure::speedup);
        QCOMPARE(result->found[0].gain, 1.5);
        Subject typed; // a text without archived time
        typed.code = code[0].at("CUDA_Code");
        query.byOperators = false;
        result = kernelsLike(asked.archive, asked.index, asked.tasks, typed, query);
        SIMILAR_OK(result);
        QCOMPARE(result->found.front().measure, Measure::ownSpeedup);
        QCOMPARE(asked.names(*result).first(), QStringLiteral("ahead"));
    }

    /// Asked for the nearest, a slow twin comes before a fast one that is less alike.
    void theNearestFirst() {
        SimilarFixture fixture;
        const std::string online = starterCode("level_1/023/online.cu");
        fixture.import(
            {claimed(SimilarFixture::row(1, 23, softmax, "online", online), true, 1.0, 1.0),
             claimed(SimilarFixture::row(1, 23, softmax, "twin", disguised(online)), true, 9.0, 0.1),
             claimed(SimilarFixture::row(1, 23, softmax, "other", starterCode("level_1/023/register_resident.cu")),
                     true, 0.1, 9.0)});
        Asked asked(fixture);
        LikeQuery query;
        query.byOperators = false;
        auto result = kernelsLike(asked.archive, asked.index, asked.tasks, asked.subject("online"), query);
        SIMILAR_OK(result);
        QCOMPARE(asked.names(*result), (QStringList{"other", "twin"}));
        query.nearestFirst = true;
        result = kernelsLike(asked.archive, asked.index, asked.tasks, asked.subject("online"), query);
        SIMILAR_OK(result);
        QCOMPARE(asked.names(*result), (QStringList{"twin", "other"}));
    }

    void theSameCodeIsToldOnce() {
        SimilarFixture fixture;
        const std::string code = manyRows(1).front().at("CUDA_Code");
        fixture.import({SimilarFixture::row(1, 19, relu, "a", code),
                        SimilarFixture::row(1, 19, relu, "b", "//\n" + code),
                        SimilarFixture::row(1, 19, relu, "c", "/**/" + code),
                        SimilarFixture::row(1, 20, "20_LeakyReLU", "d", code)});
        Asked asked(fixture);
        LikeQuery query;
        query.byOperators = false;
        auto result = kernelsLike(asked.archive, asked.index, asked.tasks, asked.subject("a"), query);
        SIMILAR_OK(result);
        QCOMPARE(asked.names(*result), (QStringList{"b", "d"}));
        QCOMPARE(result->found[0].same.size(), std::size_t(1));
        query.otherTasks = true;
        result = kernelsLike(asked.archive, asked.index, asked.tasks, asked.subject("a"), query);
        SIMILAR_OK(result);
        QCOMPARE(asked.names(*result), QStringList{"d"});
    }

    void whatCannotBeAskedIsSaid() {
        SimilarFixture fixture;
        fixture.import(manyRows(2));
        Asked asked(fixture);
        Subject typed;
        typed.code = "int x;";
        LikeQuery query;
        query.byCode = false;
        auto result = kernelsLike(asked.archive, asked.index, asked.tasks, typed, query);
        QVERIFY(!result.ok());
        QCOMPARE(result.error().code, std::string("bad_input"));
        query.byOperators = false;
        QVERIFY(!kernelsLike(asked.archive, asked.index, asked.tasks, typed, query).ok());
        query.byCode = query.byOperators = true;
        result = kernelsLike(asked.archive, asked.index, asked.tasks, typed, query);
        SIMILAR_OK(result);
        QVERIFY(result->operatorsUnknown);
        std::stop_source source;
        source.request_stop();
        result = kernelsLike(asked.archive, asked.index, asked.tasks, typed, query, source.get_token());
        QVERIFY(!result.ok());
        QCOMPARE(result.error().code, std::string("cancelled"));
    }

    void everyBuiltInTaskHasOperators() {
        std::size_t several = 0;
        for (const task::TaskKey& key : task::builtInCards()) {
            const auto card = task::loadCard(key.level, key.task);
            SIMILAR_OK(card);
            const Operators operators = operatorsOf(*card);
            QVERIFY2(!operators.empty(), card->name.c_str());
            QVERIFY(std::is_sorted(operators.begin(), operators.end()));
            several += operators.size() > 1 ? 1 : 0;
        }
        QVERIFY(several > 100);
    }
};

KERNELARIUM_TEST(TestLikeness);

} // namespace kernelarium::similar

#include "TestLikeness.moc"
