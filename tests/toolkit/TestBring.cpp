// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolkit/TestBring.h"

#include "core/toolkit/Bring.h"
#include "tests/TestRegistry.h"
#include "tests/toolkit/WheelMaker.h"

#include <QDirIterator>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <unistd.h>

using namespace kernelarium;
using namespace kernelarium::toolkit;

namespace {

#define REQUIRE_BROUGHT(result)                                                                                        \
    do {                                                                                                               \
        const auto& broughtResult = (result);                                                                          \
        QVERIFY2(broughtResult.ok(), broughtResult.ok() ? "" : broughtResult.error().text().c_str());                  \
    } while (false)

/// An index, a folder for this user's toolkit, and what a person would do.
struct ToolkitScene {
    explicit ToolkitScene(const HubBehaviour& behaviour = indexOf(smallWheels()))
        : server(behaviour) {}
    [[nodiscard]] Source source() const { return {server.host().toStdString() + "/simple", {}}; }
    [[nodiscard]] std::filesystem::path folder() const {
        return data.filePath(QStringLiteral("toolkit")).toStdString();
    }
    Result<BroughtToolkit> bringFrom(const Source& from, const std::function<void(const BringProgress&)>& tell = {},
                                     const std::stop_token& stop = {}) const {
        auto offer = askSource(from, stop);
        if (!offer) return offer.error();
        return bring({*offer, folder(), true, {}}, tell, stop);
    }
    [[nodiscard]] QStringList names() const {
        QStringList found = QDir(data.filePath(QStringLiteral("toolkit")))
                                .entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
        found.removeAll(QStringLiteral(".lock"));
        return found;
    }
    QTemporaryDir data;
    HubServer server;
};

/// What a file that every small wheel needs begins with; empty where one is missing or of another wheel.
QByteArray markOf(const std::filesystem::path& root) {
    QByteArray mark;
    for (const PinnedWheel& wheel : pinnedWheels())
        for (const std::string& path : wheel.needs) {
            QFile file(QString::fromStdString((root / path).string()));
            if (!file.open(QIODevice::ReadOnly)) return {};
            const QByteArray content = file.readAll();
            const QByteArray found = content.left(content.indexOf(' '));
            if (content != found + " " + QByteArray::fromStdString(path) + " " + QByteArray(20'000, 'x')) return {};
            if (!mark.isEmpty() && mark != found) return {};
            mark = found;
        }
    return mark;
}

QByteArray markInUse(const std::filesystem::path& folder) {
    const auto brought = broughtToolkit(folder);
    return brought ? markOf(brought->root) : QByteArray();
}

/// Brings from a folder of wheels into another, again and again, until it is killed.
int bringForEver(int argc, char** argv) {
    if (argc < 4) return 2;
    for (int i = 0;; ++i) {
        auto offer = askSource({{}, argv[i % 2 == 0 ? 2 : 3]});
        if (!offer) return 3;
        const auto brought = bring({*offer, argv[1], true, {}});
        if (!brought) return 4;
    }
}

} // namespace

KERNELARIUM_TEST_PROGRAM("bring-for-ever", bringForEver);

void TestBring::initTestCase() {
    qputenv("KERNELARIUM_HUB_RETRY_MS", "1");
    for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"})
        qunsetenv(name);
}

void TestBring::bringsFromAnIndex_data() {
    QTest::addColumn<bool>("isJson");
    QTest::newRow("JSON") << true;
    QTest::newRow("HTML, without sizes") << false;
}

void TestBring::bringsFromAnIndex() {
    QFETCH(bool, isJson);
    const ToolkitScene scene(indexOf(smallWheels(), isJson));
    QVERIFY(!broughtToolkit(scene.folder()));
    QList<BringProgress::Step> steps;
    const auto brought = scene.bringFrom(scene.source(), [&](const BringProgress& progress) {
        if (steps.isEmpty() || steps.last() != progress.step) steps << progress.step;
        QVERIFY(progress.done <= progress.total && !progressText(progress).empty());
    });
    REQUIRE_BROUGHT(brought);
    QCOMPARE(brought->version, pinnedVersion());
    QCOMPARE(markOf(brought->root), QByteArray("made"));
    QCOMPARE(markInUse(scene.folder()), QByteArray("made"));
    QVERIFY(steps.contains(BringProgress::Step::downloading) && steps.last() == BringProgress::Step::unpacking);
    const QFileInfo program(QString::fromStdString((brought->root / "bin/ptxas").string()));
    QVERIFY(program.isExecutable());
    QVERIFY(!std::filesystem::exists(brought->root / "lib/not_needed.a"));
    QVERIFY(std::filesystem::exists(brought->root / "licences/nvidia-cuda-nvcc/licenses/License.txt"));
    QCOMPARE(scene.names(), QStringList({QString::fromStdString(pinnedVersion()), "current"}));
}

void TestBring::saysWhatItWillBring() {
    const ToolkitScene scene;
    const auto offer = askSource(scene.source());
    REQUIRE_BROUGHT(offer);
    QCOMPARE(offer->wheels.size(), pinnedWheels().size());
    const auto wheels = smallWheels();
    for (const OfferedWheel& wheel : offer->wheels) {
        const QByteArray content = wheels[QString::fromStdString(wheel.file)];
        QCOMPARE(wheel.bytes, quint64(content.size()));
        QCOMPARE(QByteArray::fromStdString(wheel.sha256), sha256Of(content));
        QVERIFY(!wheel.isPublished());
    }
    QVERIFY(scene.server.contentRequests().isEmpty());
}

void TestBring::bringsFromAFolder() {
    const ToolkitScene scene;
    const QTemporaryDir wheels;
    writeWheels(smallWheels("folder"), QDir(wheels.path()));
    const auto brought = scene.bringFrom({{}, wheels.path().toStdString()});
    REQUIRE_BROUGHT(brought);
    QCOMPARE(markInUse(scene.folder()), QByteArray("folder"));
    QVERIFY(scene.server.requests().isEmpty());
    QCOMPARE(QDir(wheels.path()).entryList({"*.whl"}).size(), qsizetype(pinnedWheels().size())); // they stay
}

void TestBring::refusesAFolder_data() {
    QTest::addColumn<int>("what");
    QTest::addColumn<QString>("code");
    QTest::newRow("not there") << 0 << "unreadable_folder";
    QTest::newRow("empty") << 1 << "not_found";
    QTest::newRow("one is missing") << 2 << "not_found";
    QTest::newRow("neither published nor vouched for") << 3 << "checksum_mismatch";
    QTest::newRow("changed since") << 4 << "checksum_mismatch";
    QTest::newRow("cut short") << 5 << "checksum_mismatch";
}

void TestBring::refusesAFolder() {
    QFETCH(int, what);
    QFETCH(QString, code);
    const ToolkitScene scene;
    const QTemporaryDir wheels;
    const QDir folder(wheels.path());
    const QString one = QString::fromStdString(pinnedWheels()[2].file);
    if (what >= 2) writeWheels(smallWheels(), folder, what != 3);
    if (what == 2) QFile::remove(folder.filePath(one));
    QFile file(folder.filePath(one));
    if (what == 4 && file.open(QIODevice::ReadWrite)) file.write("Q");
    if (what == 5) QVERIFY(file.resize(file.size() - 1));
    file.close();
    const auto brought = scene.bringFrom({{}, what == 0 ? "/nowhere" : wheels.path().toStdString()});
    QVERIFY(!brought.ok());
    QCOMPARE(QString::fromStdString(brought.error().code), code);
    QVERIFY(!broughtToolkit(scene.folder()));
    QVERIFY2(scene.names().isEmpty(), qPrintable(scene.names().join(' ')));
}

void TestBring::nothingWithoutTheLicence() {
    const ToolkitScene scene;
    const auto offer = askSource(scene.source());
    REQUIRE_BROUGHT(offer);
    const auto brought = bring({*offer, scene.folder(), false, {}});
    QVERIFY(!brought.ok());
    QCOMPARE(brought.error().code, std::string("not_accepted"));
    QVERIFY(scene.server.contentRequests().isEmpty());
    QVERIFY(!std::filesystem::exists(scene.folder()));
}

/// A mirror that wants a password: it is used, and neither shown nor kept.
void TestBring::keepsNoPassword() {
    HubBehaviour behaviour = indexOf(smallWheels());
    ToolkitScene scene(behaviour);
    const std::string host = scene.server.host().toStdString();
    const auto scheme = host.find("://") + 3;
    const Source source{host.substr(0, scheme) + "user:secret@" + host.substr(scheme) + "/simple", {}};
    const auto brought = scene.bringFrom(source);
    REQUIRE_BROUGHT(brought);
    QCOMPARE(brought->source, host + "/simple");
    QFile manifest(QString::fromStdString((brought->root / "toolkit.json").string()));
    QVERIFY(manifest.open(QIODevice::ReadOnly));
    QVERIFY(!manifest.readAll().contains("secret"));
    behaviour.pages[QStringLiteral("/simple/nvidia-cuda-nvcc/")] = {"text/html", "<html>Sign in</html>"};
    scene.server.behave(behaviour);
    const auto refused = scene.bringFrom(source);
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().text().find("secret") == std::string::npos);
    const auto nobody = scene.bringFrom({"http://user:secret@127.0.0.1:1/simple", {}});
    QVERIFY(!nobody.ok());
    QVERIFY2(nobody.error().text().find("secret") == std::string::npos, nobody.error().text().c_str());
}

void TestBring::refusesAnIndex_data() {
    QTest::addColumn<int>("what");
    QTest::addColumn<QString>("code");
    QTest::newRow("a project is missing") << 0 << "not_found";
    QTest::newRow("garbage") << 1 << "bad_answer";
    QTest::newRow("a sign-in page") << 2 << "bad_answer";
    QTest::newRow("no checksum") << 3 << "no_checksum";
    QTest::newRow("another version only") << 4 << "not_found";
    QTest::newRow("a size that nothing has") << 5 << "bad_answer";
}

void TestBring::refusesAnIndex() {
    QFETCH(int, what);
    QFETCH(QString, code);
    HubBehaviour behaviour = indexOf(smallWheels());
    const QString path = QStringLiteral("/simple/nvidia-cuda-nvcc/");
    auto& page = behaviour.pages[path];
    switch (what) {
    case 0: behaviour.pages.remove(path); break;
    case 1: page.second = "\x7f garbage"; break;
    case 2: page = {"text/html", "<html>Sign in</html>"}; break;
    case 3: page.second.replace("sha256", "md5"); break;
    case 4: page.second.replace("13.0.88", "13.0.89"); break;
    default: page.second.replace("\"size\":", "\"size\": 99999999999999, \"was\":");
    }
    const ToolkitScene scene(behaviour);
    const auto brought = scene.bringFrom(scene.source());
    QVERIFY(!brought.ok());
    QCOMPARE(QString::fromStdString(brought.error().code), code);
    QVERIFY(scene.server.contentRequests().isEmpty());
    QVERIFY(!broughtToolkit(scene.folder()));
}

void TestBring::aBadDownloadChangesNothing_data() {
    QTest::addColumn<int>("what");
    QTest::addColumn<QString>("code");
    QTest::newRow("another content") << 0 << "checksum_mismatch";
    QTest::newRow("cut short for good") << 1 << "connection_cut";
    QTest::newRow("shorter on the server") << 2 << "size_mismatch";
    QTest::newRow("a web page") << 3 << "bad_answer";
    QTest::newRow("a hostile archive") << 4 << "bad_archive";
}

void TestBring::aBadDownloadChangesNothing() {
    QFETCH(int, what);
    QFETCH(QString, code);
    const ToolkitScene scene;
    REQUIRE_BROUGHT(scene.bringFrom(scene.source()));
    const QString one = QString::fromStdString(pinnedWheels()[3].file);
    auto wheels = smallWheels("newer");
    if (what == 4) {
        auto members = wheelMembers(pinnedWheels()[3], {});
        members.prepend({"../../outside", "outside"});
        wheels[one] = zipOf(members);
    }
    HubBehaviour behaviour = indexOf(wheels);
    if (what == 0) behaviour.files[one].replace("newer", "older");
    if (what == 1) {
        behaviour.cutTimes = 1000;
        behaviour.cutAfter = 0;
    }
    if (what == 2) behaviour.files[one].chop(1);
    if (what == 3) behaviour.isWebPage = true;
    const_cast<HubServer&>(scene.server).behave(behaviour);
    const auto brought = scene.bringFrom(scene.source());
    QVERIFY(!brought.ok());
    QCOMPARE(QString::fromStdString(brought.error().code), code);
    QCOMPARE(markInUse(scene.folder()), QByteArray("made"));
    QVERIFY(!QFileInfo::exists(scene.data.filePath("outside")));
    QCOMPARE(scene.names().filter(".new-").size(), 0);
}

void TestBring::goesOnWhereTheConnectionBroke() {
    HubBehaviour behaviour = indexOf(smallWheels());
    behaviour.cutTimes = 2;
    behaviour.cutAfter = 5000;
    const ToolkitScene scene(behaviour);
    REQUIRE_BROUGHT(scene.bringFrom(scene.source()));
    QCOMPARE(markInUse(scene.folder()), QByteArray("made"));
    QCOMPARE(scene.server.contentRequests().at(1).range, QByteArray("bytes=5000-"));
    QCOMPARE(scene.server.contentRequests().at(2).range, QByteArray("bytes=10000-"));
}

void TestBring::goesOnAfterACancel() {
    HubBehaviour behaviour = indexOf(smallWheels());
    behaviour.pieceBytes = 1000;
    ToolkitScene scene(behaviour);
    std::stop_source source;
    const auto cancelled = scene.bringFrom(
        scene.source(),
        [&source](const BringProgress& progress) {
            if (progress.done > 50'000) source.request_stop();
        },
        source.get_token());
    QVERIFY(!cancelled.ok());
    QCOMPARE(cancelled.error().code, std::string("cancelled"));
    QVERIFY(!broughtToolkit(scene.folder()));
    QCOMPARE(scene.names(), QStringList({"downloads"}));
    behaviour.pieceBytes = 0;
    scene.server.behave(behaviour);
    scene.server.forgetRequests();
    REQUIRE_BROUGHT(scene.bringFrom(scene.source()));
    QCOMPARE(markInUse(scene.folder()), QByteArray("made"));
    const auto requests = scene.server.contentRequests();
    QVERIFY(requests.first().range.startsWith("bytes="));
    for (const HubRequest& request : requests)
        QVERIFY(!request.path.contains(QString::fromStdString(pinnedWheels()[0].file))); // that one was whole
}

void TestBring::needsRoom() {
    const ToolkitScene scene;
    const auto offer = askSource(scene.source());
    REQUIRE_BROUGHT(offer);
    const auto brought = bring({*offer, scene.folder(), true, [](const auto&) { return std::uint64_t(100'000'000); }});
    QVERIFY(!brought.ok());
    QCOMPARE(brought.error().code, std::string("disk_full"));
    QVERIFY(QString::fromStdString(brought.error().message).contains("100 MB"));
    QVERIFY(scene.server.contentRequests().isEmpty());
    QVERIFY(scene.names().isEmpty());
}

void TestBring::oneAtATime() {
    const ToolkitScene scene;
    auto staged = StagedToolkit::begin(scene.folder());
    REQUIRE_BROUGHT(staged);
    const auto second = scene.bringFrom(scene.source());
    QVERIFY(!second.ok());
    QCOMPARE(second.error().code, std::string("busy"));
    const auto removed = removeToolkit(scene.folder());
    QVERIFY(!removed.ok());
    QCOMPARE(removed.error().code, std::string("busy"));
}

void TestBring::replacesTheOneInUse() {
    ToolkitScene scene;
    const auto first = scene.bringFrom(scene.source());
    REQUIRE_BROUGHT(first);
    for (const char* mark : {"second", "third"}) {
        scene.server.behave(indexOf(smallWheels(mark)));
        const auto next = scene.bringFrom(scene.source());
        REQUIRE_BROUGHT(next);
        QCOMPARE(markInUse(scene.folder()), QByteArray(mark));
        QCOMPARE(scene.names().size(), 2); // the one of before is gone
    }
}

void TestBring::killedAtAnyMoment() {
    const ToolkitScene scene;
    const QTemporaryDir odd, even;
    writeWheels(smallWheels("odd"), QDir(odd.path()));
    writeWheels(smallWheels("even"), QDir(even.path()));
    int seen = 0;
    for (int round = 0; round < 40; ++round) {
        QProcess program;
        program.start(QCoreApplication::applicationFilePath(),
                      {"bring-for-ever", QString::fromStdString(scene.folder().string()), odd.path(), even.path()});
        QVERIFY(program.waitForStarted());
        // From before its first byte to some rounds later.
        QThread::usleep(ulong(round) * 4000);
        QCOMPARE(program.state(), QProcess::Running);
        program.kill();
        QVERIFY(program.waitForFinished());
        const auto brought = broughtToolkit(scene.folder());
        if (!brought) {
            QCOMPARE(seen, 0); // before the first; never again after it
            continue;
        }
        ++seen;
        const QByteArray mark = markOf(brought->root);
        QVERIFY2(mark == "odd" || mark == "even", mark.constData());
    }
    QVERIFY(seen > 5);
    // Whoever comes next tidies up.
    REQUIRE_BROUGHT(scene.bringFrom(scene.source()));
    QCOMPARE(markInUse(scene.folder()), QByteArray("made"));
    QCOMPARE(scene.names().size(), 2);
}

void TestBring::removes() {
    const ToolkitScene scene;
    const auto nothing = removeToolkit(scene.folder());
    REQUIRE_BROUGHT(nothing);
    QCOMPARE(*nothing, std::uint64_t(0));
    const auto brought = scene.bringFrom(scene.source());
    REQUIRE_BROUGHT(brought);
    QDir(scene.data.path()).mkpath("toolkit/downloads");
    QFile part(scene.data.filePath("toolkit/downloads/x.whl.part"));
    QVERIFY(part.open(QIODevice::WriteOnly) && part.write("12345") == 5);
    part.close();
    const auto manifest = std::filesystem::file_size(brought->root / "toolkit.json");
    const auto removed = removeToolkit(scene.folder());
    REQUIRE_BROUGHT(removed);
    QCOMPARE(*removed, brought->bytes + manifest + 5);
    QVERIFY(!broughtToolkit(scene.folder()));
    QVERIFY2(scene.names().isEmpty(), qPrintable(scene.names().join(' ')));
}

/// One that was killed half-way has taken the link away, and perhaps the manifest: what is left is ours all the same.
void TestBring::removesWhatAKilledRemovalLeft() {
    const ToolkitScene scene;
    const auto brought = scene.bringFrom(scene.source());
    REQUIRE_BROUGHT(brought);
    QVERIFY(std::filesystem::remove(scene.folder() / "current"));
    std::filesystem::rename(brought->root, scene.folder() / (".new-old-" + brought->version));
    QVERIFY(!broughtToolkit(scene.folder()));
    const auto removed = removeToolkit(scene.folder());
    REQUIRE_BROUGHT(removed);
    QVERIFY(*removed > brought->bytes);
    QVERIFY2(scene.names().isEmpty(), qPrintable(scene.names().join(' ')));
    QCOMPARE(*removeToolkit(scene.folder()), std::uint64_t(0));
}

void TestBring::leavesFilesOfOthers() {
    const ToolkitScene scene;
    const QDir folder(scene.data.path());
    folder.mkpath("toolkit/mine");
    folder.mkpath("elsewhere/13.0.2");
    QFile note(folder.filePath("toolkit/mine/note.txt"));
    QVERIFY(note.open(QIODevice::WriteOnly));
    // A link that leads elsewhere is none of ours, whatever is there.
    QVERIFY(QFile::link(folder.filePath("elsewhere/13.0.2"), folder.filePath("toolkit/current")));
    QVERIFY(!broughtToolkit(scene.folder()));
    REQUIRE_BROUGHT(scene.bringFrom(scene.source()));
    QCOMPARE(markInUse(scene.folder()), QByteArray("made"));
    REQUIRE_BROUGHT(removeToolkit(scene.folder()));
    QVERIFY(note.exists());
    QVERIFY(folder.exists("elsewhere/13.0.2"));
}

KERNELARIUM_TEST(TestBring);
