// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/hub/TestGet.h"

#include "core/files/Sha256.h"
#include "core/hub/Get.h"
#include "core/hub/PartFile.h"
#include "tests/TestRegistry.h"
#include "tests/hub/HubServer.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <random>

using namespace kernelarium::hub;
namespace fs = std::filesystem;

namespace {

QByteArray randomBytes(int size, unsigned seed) {
    std::mt19937 random(seed);
    QByteArray bytes(size, '\0');
    for (char& byte : bytes)
        byte = char(random());
    return bytes;
}

const QString onePath = QStringLiteral("data/one.parquet");
const QByteArray oneContent = randomBytes(300'000, 1);

HubBehaviour oneFile() {
    HubBehaviour behaviour;
    behaviour.files[onePath] = oneContent;
    return behaviour;
}

/// A server, a folder, and what a person would ask for.
struct Scene {
    explicit Scene(const HubBehaviour& behaviour = oneFile())
        : server(behaviour) {
        request.dataSet.host = server.host().toStdString();
        if (auto files = listFiles(request.dataSet)) request.files = *files;
        request.into = folder.path().toStdString();
        server.forgetRequests();
    }
    kernelarium::Result<std::vector<fs::path>> get() { return kernelarium::hub::get(request); }
    [[nodiscard]] QString path(const QString& name = onePath) const { return folder.filePath(name); }
    [[nodiscard]] QByteArray content(const QString& name = onePath) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    [[nodiscard]] QStringList left() const { return QDir(path(QStringLiteral("data"))).entryList(QDir::Files); }

    QTemporaryDir folder;
    HubServer server;
    GetRequest request;
};

#define REQUIRE_GOT(result)                                                                                            \
    do {                                                                                                               \
        const auto& gotResult = (result);                                                                              \
        QVERIFY2(gotResult.ok(), gotResult.ok() ? "" : gotResult.error().text().c_str());                              \
    } while (false)

} // namespace

void TestGet::bringsEveryFile() {
    HubBehaviour behaviour = oneFile();
    behaviour.files[QStringLiteral("data/two words.parquet")] = randomBytes(50'000, 2);
    behaviour.files[QStringLiteral("empty.parquet")] = QByteArray();
    Scene scene(behaviour);
    QCOMPARE(scene.request.files.size(), 3U);
    GetProgress last;
    auto got = get(scene.request, [&](const GetProgress& progress) { last = progress; });
    REQUIRE_GOT(got);
    QCOMPARE(got->size(), 3U);
    for (auto it = behaviour.files.cbegin(); it != behaviour.files.cend(); ++it)
        QVERIFY2(scene.content(it.key()) == it.value(), qPrintable(it.key()));
    QCOMPARE(scene.left(),
             (QStringList{QStringLiteral("one.parquet"), QStringLiteral("two words.parquet")})); // no .part
    QCOMPARE(last.bytesDone, 350'000U);
    QCOMPARE(last.bytesTotal, 350'000U);
    QCOMPARE(last.fileNumber, 3U);
}

void TestGet::leavesWhatIsThere() {
    Scene scene;
    REQUIRE_GOT(scene.get());
    scene.server.forgetRequests();
    REQUIRE_GOT(scene.get());
    QCOMPARE(scene.server.requests().size(), 0);
    QFile file(scene.path()); // of the right length, with another content
    QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(1000) && file.write("other") == 5);
    file.close();
    REQUIRE_GOT(scene.get());
    QVERIFY(scene.content() == oneContent);
}

void TestGet::goesOnWhereTheConnectionBroke_data() {
    QTest::addColumn<bool>("hasEtag");
    QTest::addColumn<bool>("ignoresRanges");
    QTest::newRow("as the hub") << true << false;
    QTest::newRow("without an ETag") << false << false;
    QTest::newRow("without ranges") << true << true;
}

void TestGet::goesOnWhereTheConnectionBroke() {
    QFETCH(bool, hasEtag);
    QFETCH(bool, ignoresRanges);
    HubBehaviour behaviour = oneFile();
    behaviour.cutTimes = 3;
    behaviour.cutAfter = 70'000;
    behaviour.hasEtag = hasEtag;
    behaviour.ignoresRanges = ignoresRanges;
    Scene scene(behaviour);
    REQUIRE_GOT(scene.get());
    QVERIFY(scene.content() == oneContent);
    const auto requests = scene.server.contentRequests();
    QCOMPARE(requests.size(), 4);
    QVERIFY(requests[0].range.isEmpty());
    QCOMPARE(requests[1].range, QByteArray("bytes=70000-"));
    QCOMPARE(requests[1].ifRange.isEmpty(), !hasEtag);
    QCOMPARE(requests[3].range, ignoresRanges ? QByteArray("bytes=70000-") : QByteArray("bytes=210000-"));
}

void TestGet::goesOnInTheNextRun() {
    HubBehaviour behaviour = oneFile();
    behaviour.pieceBytes = 1000; // more than a second in all
    Scene scene(behaviour);
    std::stop_source stop;
    auto got = get(
        scene.request,
        [&](const GetProgress& progress) {
            if (progress.bytesFetched > 0) stop.request_stop();
        },
        stop.get_token());
    QVERIFY(!got.ok());
    QCOMPARE(got.error().code, std::string("cancelled"));
    QCOMPARE(scene.left(), (QStringList{QStringLiteral("one.parquet.part"), QStringLiteral("one.parquet.part.from")}));
    const qint64 kept = QFile(scene.path() + QStringLiteral(".part")).size();
    QVERIFY(kept > 0 && kept < oneContent.size());
    scene.server.behave(oneFile());
    scene.server.forgetRequests();
    REQUIRE_GOT(scene.get());
    QVERIFY(scene.content() == oneContent);
    QCOMPARE(scene.server.contentRequests().at(0).range, "bytes=" + QByteArray::number(kept) + "-");
    QCOMPARE(scene.left(), QStringList{QStringLiteral("one.parquet")});
}

void TestGet::beginsAnewWhereTheContentChanged() {
    Scene scene;
    QVERIFY(QDir().mkpath(scene.path(QStringLiteral("data"))));
    QFile part(scene.path() + QStringLiteral(".part")), from(scene.path() + QStringLiteral(".part.from"));
    QVERIFY(part.open(QIODevice::WriteOnly) && part.write(randomBytes(1000, 9)) == 1000);
    QVERIFY(from.open(QIODevice::WriteOnly) && from.write(QByteArray(64, 'b') + "\n\"old\"\n") > 0);
    part.close();
    from.close();
    REQUIRE_GOT(scene.get());
    QVERIFY(scene.content() == oneContent);
    QVERIFY(scene.server.contentRequests().at(0).range.isEmpty());
}

void TestGet::distrustsAPartOfItsOwn() {
    HubBehaviour behaviour = oneFile();
    behaviour.hasEtag = false;
    Scene scene(behaviour);
    QVERIFY(QDir().mkpath(scene.path(QStringLiteral("data"))));
    QFile part(scene.path() + QStringLiteral(".part")), from(scene.path() + QStringLiteral(".part.from"));
    QVERIFY(part.open(QIODevice::WriteOnly) && part.write(randomBytes(1000, 9)) == 1000); // right note, wrong bytes
    QVERIFY(from.open(QIODevice::WriteOnly) &&
            from.write(QByteArray::fromStdString(scene.request.files[0].sha256) + "\n\n") > 0);
    part.close();
    from.close();
    REQUIRE_GOT(scene.get());
    QVERIFY(scene.content() == oneContent);
    QCOMPARE(scene.server.contentRequests().size(), 2);
}

void TestGet::waitsForABusyServer() {
    HubBehaviour behaviour = oneFile();
    behaviour.busyTimes = 3;
    Scene scene(behaviour);
    REQUIRE_GOT(scene.get());
    QVERIFY(scene.content() == oneContent);
    QCOMPARE(scene.server.contentRequests().size(), 4);
}

void TestGet::waitsUntilTheRateLimitEnds() {
    HubBehaviour behaviour = oneFile();
    behaviour.limitedTimes = 1;
    Scene scene(behaviour);
    std::chrono::seconds waited{0};
    const auto got =
        get(scene.request, [&](const GetProgress& progress) { waited = std::max(waited, progress.waits); });
    REQUIRE_GOT(got);
    QVERIFY(scene.content() == oneContent);
    QCOMPARE(waited.count(), 1);
    behaviour.limitedTimes = 1;
    behaviour.rateLimit = "\"resolvers\";r=0;t=3000"; // no window is that long
    Scene other(behaviour);
    const auto refused = other.get();
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().code, std::string("server_busy"));
    QVERIFY2(refused.error().text().find("3000 s") != std::string::npos, refused.error().text().c_str());
    for (const char* strange : {"", "garbage", "\"resolvers\";r=0;t=", "\"resolvers\";r=;t=9999999999999999999999",
                                "\"resolvers\";r=7;t=3000"}) {
        behaviour.limitedTimes = 1;
        behaviour.rateLimit = strange; // says nothing of a wait: tried again as after any other busy answer
        Scene third(behaviour);
        REQUIRE_GOT(third.get());
    }
}

void TestGet::doesNotWaitForEver() {
    HubBehaviour behaviour = oneFile();
    behaviour.busyTimes = 1000;
    Scene scene(behaviour);
    auto got = scene.get();
    QVERIFY(!got.ok());
    QCOMPARE(got.error().code, std::string("server_busy"));
    QCOMPARE(scene.server.contentRequests().size(), 5);
    behaviour.retryAfter = "7200";
    scene.server.behave(behaviour);
    scene.server.forgetRequests();
    got = scene.get();
    QVERIFY(!got.ok());
    QVERIFY2(got.error().text().find("7200 s") != std::string::npos, got.error().text().c_str());
    QCOMPARE(scene.server.contentRequests().size(), 1);
    behaviour = oneFile();
    behaviour.cutTimes = 1000; // and every answer breaks off before its first byte
    scene.server.behave(behaviour);
    scene.server.forgetRequests();
    got = scene.get();
    QVERIFY(!got.ok());
    QCOMPARE(got.error().code, std::string("connection_cut"));
    QCOMPARE(scene.server.contentRequests().size(), 5);
}

void TestGet::refusesWhatIsWrong_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("code");
    QTest::newRow("other content") << "other"
                                   << "checksum_mismatch";
    QTest::newRow("shorter") << "shorter"
                             << "size_mismatch";
    QTest::newRow("longer") << "longer"
                            << "size_mismatch";
    QTest::newRow("web page") << "page"
                              << "bad_answer";
    QTest::newRow("gone") << "gone"
                          << "not_found";
    QTest::newRow("private") << "private"
                             << "forbidden";
    QTest::newRow("in circles") << "circles"
                                << "redirect_loop";
}

void TestGet::refusesWhatIsWrong() {
    QFETCH(QString, what);
    QFETCH(QString, code);
    Scene scene;
    HubBehaviour behaviour = oneFile();
    if (what == "other") behaviour.otherContent = randomBytes(int(oneContent.size()), 7);
    if (what == "shorter") behaviour.otherContent = oneContent.left(1000);
    if (what == "longer") behaviour.otherContent = oneContent + "x";
    if (what == "page") behaviour.isWebPage = true;
    if (what == "gone") behaviour.fileStatus = 404;
    if (what == "private") behaviour.fileStatus = 403;
    if (what == "circles") behaviour.redirectsInCircles = true;
    scene.server.behave(behaviour);
    const auto got = scene.get();
    QVERIFY(!got.ok());
    QCOMPARE(QString::fromStdString(got.error().code), code);
    QVERIFY(!got.error().action.empty());
    QVERIFY(!QFile::exists(scene.path())); // what is not right has no name
    scene.server.behave(oneFile());
    REQUIRE_GOT(scene.get());
    QVERIFY(scene.content() == oneContent);
}

void TestGet::needsRoom() {
    Scene scene;
    scene.request.files[0].bytes = 1ull << 39;
    scene.server.forgetRequests();
    const auto space = fs::space(scene.request.into);
    if (space.available > scene.request.files[0].bytes) QSKIP("this disk has room for half a terabyte");
    const auto got = scene.get();
    QVERIFY(!got.ok());
    QCOMPARE(got.error().code, std::string("disk_full"));
    QCOMPARE(scene.server.requests().size(), 0);
}

void TestGet::needsAFolder() {
    Scene scene;
    QFile file(scene.path(QStringLiteral("file")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    scene.request.into = scene.path(QStringLiteral("file/below")).toStdString();
    const auto got = scene.get();
    QVERIFY(!got.ok());
    QCOMPARE(got.error().code, std::string("unwritable_file"));
}

void TestGet::onlyOneAtATime() {
    Scene scene;
    auto held = PartFile::open(scene.path().toStdString(), scene.request.files[0]);
    REQUIRE_GOT(held);
    const auto got = scene.get();
    QVERIFY(!got.ok());
    QCOMPARE(got.error().code, std::string("busy"));
}

void TestGet::cancels() {
    HubBehaviour behaviour = oneFile();
    behaviour.pieceBytes = 1000; // more than a second in all
    Scene scene(behaviour);
    std::stop_source stop;
    const auto got = get(
        scene.request,
        [&](const GetProgress& progress) {
            if (progress.bytesFetched > 0) stop.request_stop();
        },
        stop.get_token());
    QVERIFY(!got.ok());
    QCOMPARE(got.error().code, std::string("cancelled"));
    QVERIFY(QFile::exists(scene.path() + QStringLiteral(".part")));
    QVERIFY(!QFile::exists(scene.path()));
}

void TestGet::sumsPiecewise() {
    using namespace kernelarium::files;
    const QByteArray bytes = randomBytes(5000, 3);
    const std::string_view all(bytes.constData(), std::size_t(bytes.size()));
    std::mt19937 random(4);
    for (int round = 0; round < 200; ++round) {
        const auto text = all.substr(0, random() % all.size());
        Sha256 sum;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t piece = random() % 150;
            sum.add(text.substr(at, piece));
            at += piece;
        }
        QVERIFY(sum.digest() == sha256(text));
    }
    QCOMPARE(toHex(sha256("abc")), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
}

KERNELARIUM_TEST(TestGet);
