// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/similar/PieceIndex.h"
#include "tests/RawDatabase.h"
#include "tests/TestRegistry.h"
#include "tests/similar/SimilarFixture.h"

#include <QFile>
#include <QProcess>
#include <cmath>
#include <csignal>
#include <set>

namespace kernelarium::similar {
namespace {

/// Makes an index and is killed after the first part of it.
int indexAndDie(int argc, char** argv) {
    if (argc < 2) return 2;
    auto archive = archive::Archive::open(argv[1]);
    if (!archive) return 3;
    const auto update = PieceIndex::of(argv[1]).update(*archive, [](std::size_t, std::size_t) { std::raise(SIGKILL); });
    return update ? 0 : 1;
}
const test::RegisteredProgram indexAndDieProgram("indexAndDie", indexAndDie);

} // namespace

/// The file of pieces: made once, added to, and never more than what the archive has.
class TestPieceIndex : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSecondUpdateHasNothingToDo() {
        SimilarFixture fixture;
        fixture.import(manyRows(600));
        auto archive = fixture.open();
        const PieceIndex index = PieceIndex::of(archive.path());
        QCOMPARE(index.path, fixture.path("archive.sqlite.pieces"));
        std::vector<std::size_t> steps;
        const auto first = index.update(archive, [&](std::size_t done, std::size_t all) {
            QCOMPARE(all, std::size_t(600));
            steps.push_back(done);
        });
        SIMILAR_OK(first);
        QCOMPARE(first->added, std::size_t(600));
        QCOMPARE(steps, (std::vector<std::size_t>{512, 600}));
        const auto second = index.update(archive);
        SIMILAR_OK(second);
        QCOMPARE(second->added, std::size_t(0));
        QCOMPARE(second->dropped, std::size_t(0));
    }

    void itSaysWhatComparingTheTextsSays() {
        SimilarFixture fixture;
        const auto rows = manyRows(64);
        fixture.import(rows);
        auto archive = fixture.open();
        const PieceIndex index = PieceIndex::of(archive.path());
        SIMILAR_OK(index.update(archive));
        const auto table = *archive.sharedTable();
        const Pieces asked = piecesOf(rows[21].at("CUDA_Code").get<std::string>());
        const auto likeness = index.likeness(*table, asked);
        SIMILAR_OK(likeness);
        std::set<float> different;
        for (std::size_t row = 0; row < table->size(); ++row) {
            const auto code = archive.text(table->id[row], archive::TextKind::cudaCode);
            QCOMPARE((*likeness)[row], float(sharedPieces(asked, piecesOf(code->value()))));
            different.insert((*likeness)[row]);
        }
        QVERIFY(different.size() > 5);
    }

    void rowsThatComeLaterAreAdded() {
        SimilarFixture fixture;
        auto rows = manyRows(20);
        fixture.import({rows.begin(), rows.begin() + 12});
        const PieceIndex index = PieceIndex::of(fixture.path("archive.sqlite"));
        auto before = fixture.open();
        SIMILAR_OK(index.update(before));
        fixture.import(rows);
        auto archive = fixture.open();
        const auto table = *archive.sharedTable();
        const auto early = index.likeness(*table, piecesOf("int x;"));
        SIMILAR_OK(early);
        QCOMPARE(std::count_if(early->begin(), early->end(), [](float share) { return std::isnan(share); }), 8);
        const auto update = index.update(archive);
        SIMILAR_OK(update);
        QCOMPARE(update->added, std::size_t(8));
    }

    void rowsThatAreGoneAreDropped() {
        SimilarFixture fixture;
        fixture.import(manyRows(10));
        auto before = fixture.open();
        const PieceIndex index = PieceIndex::of(before.path());
        SIMILAR_OK(index.update(before));
        std::filesystem::remove(before.path());
        fixture.import(manyRows(4));
        auto archive = fixture.open();
        const auto update = index.update(archive);
        SIMILAR_OK(update);
        QCOMPARE(update->added, std::size_t(0));
        QCOMPARE(update->dropped, std::size_t(6));
    }

    void whatWasDoneStaysWhenItIsStopped() {
        SimilarFixture fixture;
        fixture.import(manyRows(1100));
        auto archive = fixture.open();
        const PieceIndex index = PieceIndex::of(archive.path());
        std::stop_source source;
        const auto stopped = index.update(
            archive, [&](std::size_t, std::size_t) { source.request_stop(); }, source.get_token());
        QVERIFY(!stopped.ok());
        QCOMPARE(stopped.error().code, std::string("cancelled"));
        const auto rest = index.update(archive);
        SIMILAR_OK(rest);
        QCOMPARE(rest->added, std::size_t(1100 - 512));
    }

    void whatWasDoneStaysWhenItIsKilled() {
        SimilarFixture fixture;
        fixture.import(manyRows(1100));
        QProcess killed;
        killed.start(QCoreApplication::applicationFilePath(),
                     {QStringLiteral("indexAndDie"), QString::fromStdString(fixture.path("archive.sqlite").string())});
        QVERIFY(killed.waitForFinished(-1));
        QCOMPARE(killed.exitStatus(), QProcess::CrashExit);
        auto archive = fixture.open();
        const auto rest = PieceIndex::of(archive.path()).update(archive);
        SIMILAR_OK(rest);
        QCOMPARE(rest->added, std::size_t(1100 - 512));
    }

    void aDamagedOneIsMadeAgain() {
        SimilarFixture fixture;
        fixture.import(manyRows(600));
        auto archive = fixture.open();
        const PieceIndex index = PieceIndex::of(archive.path());
        SIMILAR_OK(index.update(archive));
        for (const char* how : {"text", "page"}) {
            QFile file(QString::fromStdString(index.path.string()));
            QVERIFY(file.open(QIODevice::ReadWrite));
            file.seek(how[0] == 't' ? 0 : 4096);
            QVERIFY(file.write(QByteArray(20000, 'x')) > 0);
            file.close();
            const auto update = index.update(archive);
            SIMILAR_OK(update);
            QCOMPARE(update->added, std::size_t(600));
            SIMILAR_OK(index.likeness(**archive.sharedTable(), piecesOf("int x;")));
        }
    }

    /// A file whose schema is right and whose pieces are not: no share is over 1, and nothing is read behind its end.
    void whatTheFileSaysIsNotBelieved() {
        SimilarFixture fixture;
        fixture.import(manyRows(8));
        auto archive = fixture.open();
        const PieceIndex index = PieceIndex::of(archive.path());
        SIMILAR_OK(index.update(archive));
        const Pieces asked = piecesOf("int x;"); // one
        char bytes[12];
        QCOMPARE(asked.size(), std::size_t(1));
        std::snprintf(bytes, sizeof bytes, "%02x%02x%02x%02x", asked[0] & 255, asked[0] >> 8 & 255,
                      asked[0] >> 16 & 255, asked[0] >> 24);
        for (const std::string& pieces :
             {"x'" + std::string(bytes) + bytes + bytes + "'", std::string("x'01'"), std::string("zeroblob(1000003)"),
              std::string("'text'"), std::string("7"), std::string("x''")}) {
            executeRaw(index.path, "UPDATE code SET pieces = " + pieces);
            const auto likeness = index.likeness(**archive.sharedTable(), asked);
            SIMILAR_OK(likeness);
            for (const float share : *likeness)
                QVERIFY2(share >= 0 && share <= 1, pieces.c_str());
        }
        executeRaw(index.path, "UPDATE code SET hash = id");
        const auto likeness = index.likeness(**archive.sharedTable(), asked);
        SIMILAR_OK(likeness);
        for (const float share : *likeness)
            QVERIFY(std::isnan(share));
        SIMILAR_OK(index.update(archive));
    }

    void anotherProgramsFileIsLeftAlone() {
        SimilarFixture fixture;
        fixture.import(manyRows(3));
        auto archive = fixture.open();
        const PieceIndex index = PieceIndex::of(archive.path());
        std::filesystem::copy_file(archive.path(), index.path);
        const auto update = index.update(archive);
        QVERIFY(!update.ok());
        QCOMPARE(update.error().code, std::string("not_an_index"));
        QVERIFY(std::filesystem::file_size(index.path) == std::filesystem::file_size(archive.path()));
    }
};

KERNELARIUM_TEST(TestPieceIndex);

} // namespace kernelarium::similar

#include "TestPieceIndex.moc"
