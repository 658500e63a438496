// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolkit/TestWheelFile.h"

#include "core/toolkit/WheelFile.h"
#include "tests/TestRegistry.h"
#include "tests/toolkit/WheelMaker.h"

#include <QDirIterator>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QtTest>

using namespace kernelarium;
using namespace kernelarium::toolkit;

namespace {

const PinnedWheel& crtWheel() {
    return pinnedWheels()[4];
}

QList<ZipMember> crtMembers() {
    return wheelMembers(crtWheel(), {{"include/crt/host_defines.h", "#define x\n"}, {"lib/other.a", "not this"}});
}

/// A wheel in a file, and a folder to unpack it in.
struct Unpacking {
    explicit Unpacking(const QByteArray& archive) {
        QFile file(path());
        if (file.open(QIODevice::WriteOnly)) file.write(archive);
        QDir(folder.path()).mkpath(QStringLiteral("root"));
    }
    [[nodiscard]] QString path() const { return folder.filePath(QStringLiteral("x.whl")); }
    [[nodiscard]] QString root() const { return folder.filePath(QStringLiteral("root")); }
    Result<void> unpack(const std::stop_token& stop = {}) {
        auto wheel = WheelFile::open(path().toStdString(), crtWheel(), stop);
        if (!wheel) return wheel.error();
        for (const auto& kept : wheel->kept())
            if (auto done = wheel->unpack(kept, root().toStdString(), {}, stop); !done) return done;
        return {};
    }
    [[nodiscard]] QStringList files() const {
        QStringList found;
        for (QDirIterator it(root(), QDir::Files, QDirIterator::Subdirectories); it.hasNext();)
            found << QDir(root()).relativeFilePath(it.next());
        found.sort();
        return found;
    }
    QTemporaryDir folder;
};

} // namespace

void TestWheelFile::takesOutWhatIsNeeded() {
    QList<ZipMember> members = crtMembers();
    for (ZipMember& member : members)
        member.deflated = true;
    members.prepend({"nvidia/", {}, 040755});
    Unpacking wheel(zipOf(members));
    const auto done = wheel.unpack();
    QVERIFY2(done.ok(), done.ok() ? "" : done.error().text().c_str());
    QCOMPARE(wheel.files(),
             QStringList({"include/crt/host_defines.h", "licences/nvidia-cuda-crt/licenses/License.txt"}));
    QFile file(wheel.root() + "/include/crt/host_defines.h");
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("#define x\n"));
    auto opened = WheelFile::open(wheel.path().toStdString(), crtWheel());
    QVERIFY(opened.ok());
    const auto licence = opened->licence();
    QVERIFY(licence.ok());
    QCOMPARE(*licence, std::string("Terms\n"));
}

/// Tools put a licence beside the RECORD, in licenses/ or in both; parts of others bring their own.
void TestWheelFile::takesLicencesOfTheSameName() {
    QList<ZipMember> members = crtMembers();
    const QByteArray licence = std::find_if(members.begin(), members.end(), [](const ZipMember& member) {
                                   return member.name.endsWith("License.txt");
                               })->name;
    const QByteArray info = licence.left(licence.indexOf('/') + 1);
    ZipMember record = members.takeLast();
    for (const QByteArray& name : {info + "License.txt", info + "licenses/other/License.txt"}) {
        members.push_back({name, "Terms\n"});
        const auto at = record.content.indexOf(licence); // the same sum and length
        const QByteArray line = record.content.mid(at, record.content.indexOf('\n', at) - at);
        record.content.prepend(name + line.mid(licence.size()) + '\n');
    }
    members.push_back(record);
    Unpacking wheel(zipOf(members));
    const auto done = wheel.unpack();
    QVERIFY2(done.ok(), done.ok() ? "" : done.error().text().c_str());
    QCOMPARE(wheel.files().filter("licences/").size(), 3);
}

void TestWheelFile::refusesHostileArchives_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<quint32>("mode");
    QTest::addColumn<int>("flags");
    QTest::addColumn<int>("method");
    QTest::addColumn<qint64>("said");
    const auto row = [](const char* what, const QByteArray& name, quint32 mode = 0100644, int flags = 0,
                        int method = -1,
                        qint64 said = -1) { QTest::newRow(what) << name << mode << flags << method << said; };
    row("upwards", "../../outside");
    row("upwards inside", "nvidia/cu13/include/../../../../outside");
    row("upwards at the end", "nvidia/..");
    row("absolute", "/tmp/kernelarium-outside");
    row("a drive", "C:outside");
    row("backslashes", "..\\..\\outside");
    row("empty parts", "nvidia//outside");
    row("here", "nvidia/./outside");
    row("a line end", "nvidia/a\nb");
    row("a zero", QByteArray("nvidia/a\0b", 10));
    row("no name", "");
    row("long", QByteArray(2000, 'a'));
    row("a long part", QByteArray(300, 'a'));
    row("a link", "nvidia/link", 0120777);
    row("a device", "nvidia/device", 0060644);
    row("a pipe", "nvidia/pipe", 0010644);
    row("encrypted", "nvidia/secret", 0100644, 1);
    row("an unknown compression", "nvidia/odd", 0100644, 0, 99);
    row("a bomb", "nvidia/bomb", 0100644, 0, 8, 0xfffffff0);
    row("twice", "nvidia/cu13/include/crt/host_defines.h");
    row("twice in capitals", "nvidia/cu13/include/CRT/host_defines.h");
    row("a file that is a folder", "nvidia/cu13");
    row("a file under a file", "nvidia/cu13/lib/other.a/below");
}

void TestWheelFile::refusesHostileArchives() {
    QFETCH(QByteArray, name);
    QFETCH(quint32, mode);
    QFETCH(int, flags);
    QFETCH(int, method);
    QFETCH(qint64, said);
    for (const bool first : {true, false}) {
        QList<ZipMember> members = crtMembers();
        const ZipMember hostile{name, "outside", mode, false, quint16(flags), method, said};
        members.insert(first ? 0 : members.size(), hostile);
        Unpacking wheel(zipOf(members));
        const auto done = wheel.unpack();
        QVERIFY(!done.ok());
        QCOMPARE(done.error().code, std::string("bad_archive"));
        QVERIFY2(wheel.files().isEmpty(), qPrintable(wheel.files().join(' ')));
        QCOMPARE(QDir(wheel.folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(), 2);
    }
}

void TestWheelFile::refusesWhatIsNoArchive_data() {
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray whole = zipOf(crtMembers());
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("text") << QByteArray("<html>Sign in</html>");
    QTest::newRow("half of it") << whole.left(whole.size() / 2);
    QTest::newRow("without its beginning") << whole.mid(whole.size() / 2);
    QTest::newRow("an empty archive") << zipOf({});
    QByteArray more = whole;
    more[more.size() - 12] = char(0xff); // how many members there are
    more[more.size() - 11] = char(0xff);
    QTest::newRow("more members than there are") << more;
    QByteArray broken = whole;
    for (auto at = broken.size() - 200; at < broken.size() - 30; ++at)
        broken[at] = char(0xee);
    QTest::newRow("a damaged directory") << broken;
}

void TestWheelFile::refusesWhatIsNoArchive() {
    QFETCH(QByteArray, bytes);
    Unpacking wheel(bytes);
    const auto done = wheel.unpack();
    QVERIFY(!done.ok());
    QCOMPARE(done.error().code, std::string("bad_archive"));
    QVERIFY(wheel.files().isEmpty());
}

void TestWheelFile::refusesContentThatLies_data() {
    QTest::addColumn<int>("what");
    QTest::newRow("a wrong CRC") << 0;
    QTest::newRow("longer than said") << 1;
    QTest::newRow("shorter than said") << 2;
    QTest::newRow("another content than the RECORD's") << 3;
    QTest::newRow("another length than the RECORD's") << 4;
    QTest::newRow("not in the RECORD") << 5;
    QTest::newRow("no RECORD") << 6;
}

void TestWheelFile::refusesContentThatLies() {
    QFETCH(int, what);
    QList<ZipMember> members = wheelMembers(crtWheel(), {{"include/crt/host_defines.h", QByteArray(50'000, 'a')}});
    ZipMember& header = members[0];
    header.deflated = true;
    switch (what) {
    case 0: header.saidChecksum = 1; break;
    case 1: header.content = QByteArray(90'000, 'a'), header.saidBytes = 50'000; break;
    case 2: header.content = QByteArray(10, 'a'), header.saidBytes = 50'000; break;
    case 3: header.content = QByteArray(50'000, 'b'); break;
    case 4: header.content += 'a'; break;
    case 5: members.insert(1, {"nvidia/cu13/include/crt/more.h", "more"}); break;
    default: members.removeLast();
    }
    Unpacking wheel(zipOf(members));
    const auto done = wheel.unpack();
    QVERIFY(!done.ok());
    QCOMPARE(done.error().code, std::string("bad_archive"));
}

void TestWheelFile::refusesOtherWheels_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("without what is needed") << "include/crt/other.h";
    QTest::newRow("elsewhere") << "lib/host_defines.h";
}

void TestWheelFile::refusesOtherWheels() {
    QFETCH(QString, file);
    Unpacking wheel(zipOf(wheelMembers(crtWheel(), {{file, "x"}})));
    const auto done = wheel.unpack();
    QVERIFY(!done.ok());
    QVERIFY(QString::fromStdString(done.error().message).contains("include/crt/host_defines.h"));
}

void TestWheelFile::stops() {
    Unpacking wheel(zipOf(crtMembers()));
    std::stop_source source;
    source.request_stop();
    const auto done = wheel.unpack(source.get_token());
    QVERIFY(!done.ok());
    QCOMPARE(done.error().code, std::string("cancelled"));
    QVERIFY(!QFileInfo::exists(wheel.root() + "/include/crt/host_defines.h") || wheel.files().size() < 2);
}

KERNELARIUM_TEST(TestWheelFile);
