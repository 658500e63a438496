// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/packaging/TestDesktop.h"

#include "tests/TestRegistry.h"
#include "tests/packaging/Programs.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QMimeDatabase>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

namespace {

const QString id = QStringLiteral(KERNELARIUM_DESKTOP_ID);
const QString entryPath = builtShare() + "/applications/" + id + ".desktop";
const QString metainfoPath = builtShare() + "/metainfo/" + id + ".metainfo.xml";
const QString typesPath = builtShare() + "/mime/packages/" + id + ".xml";

QMap<QString, QString> entry() {
    QMap<QString, QString> found;
    const QStringList lines = readText(entryPath).split(u'\n', Qt::SkipEmptyParts);
    if (lines.value(0) != QLatin1String("[Desktop Entry]")) return found;
    for (const QString& line : lines.mid(1))
        found.insert(line.section(u'=', 0, 0), line.section(u'=', 1));
    return found;
}

/// Texts of the elements of a name, or values of an attribute of theirs; an empty list where the file is no XML.
QStringList inXml(const QString& path, const QString& element, const QString& attribute = {}) {
    QXmlStreamReader xml(readText(path));
    QStringList found;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == element)
            found << (attribute.isEmpty() ? xml.readElementText(QXmlStreamReader::IncludeChildElements)
                                          : xml.attributes().value(attribute).toString());
    if (xml.hasError()) qWarning("%s: %s", qPrintable(path), qPrintable(xml.errorString()));
    return xml.hasError() ? QStringList() : found;
}

} // namespace

void TestDesktop::initTestCase() {
    // Before the database is first asked: the build's own types and those of all systems, in one folder as they are
    // installed, and none of what else is on this machine.
    const QString folder = m_data.filePath(QStringLiteral("mime/packages"));
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(QFile::copy(typesPath, folder + "/" + QFileInfo(typesPath).fileName()));
    m_hasTypes =
        QFile::copy(QStringLiteral("/usr/share/mime/packages/freedesktop.org.xml"), folder + "/freedesktop.org.xml");
    qputenv("XDG_DATA_DIRS", m_data.path().toUtf8());
}

void TestDesktop::theEntryNamesWhatIsThere() {
    const auto keys = entry();
    QCOMPARE(keys.value(QStringLiteral("Type")), QStringLiteral("Application"));
    QCOMPARE(keys.value(QStringLiteral("StartupWMClass")), id);
    const QStringList command = keys.value(QStringLiteral("Exec")).split(u' ');
    QVERIFY(QFileInfo(builtProgram(command.value(0))).isExecutable());
    QCOMPARE(command.value(1), QStringLiteral("%F")); // several files
    QVERIFY(
        QFile::exists(builtShare() + "/icons/hicolor/scalable/apps/" + keys.value(QStringLiteral("Icon")) + ".svg"));
    const QStringList types = keys.value(QStringLiteral("MimeType")).split(u';', Qt::SkipEmptyParts);
    QVERIFY(types.size() >= 3);
    for (const QString& type : types)
        QVERIFY2(inXml(typesPath, QStringLiteral("mime-type"), QStringLiteral("type")).contains(type),
                 qPrintable(type));
    for (const QString& value : keys)
        QVERIFY2(!value.contains(u'@'), qPrintable(value)); // a name that nobody has filled in
}

void TestDesktop::theMetainfoNamesWhatIsThere() {
    QCOMPARE(inXml(metainfoPath, QStringLiteral("id")), QStringList{id});
    QCOMPARE(inXml(metainfoPath, QStringLiteral("launchable")), QStringList{QFileInfo(entryPath).fileName()});
    QCOMPARE(inXml(metainfoPath, QStringLiteral("icon")), QStringList{entry().value(QStringLiteral("Icon"))});
    QCOMPARE(inXml(metainfoPath, QStringLiteral("release"), QStringLiteral("version")),
             QStringList{QStringLiteral(KERNELARIUM_VERSION)});
    for (const QString& program : inXml(metainfoPath, QStringLiteral("binary")))
        QVERIFY2(QFileInfo(builtProgram(program)).isExecutable(), qPrintable(program));
    QStringList types = inXml(metainfoPath, QStringLiteral("mediatype"));
    QCOMPARE(types.join(u';') + ";", entry().value(QStringLiteral("MimeType")));
    QVERIFY(!readText(metainfoPath).contains(u'@'));
}

void TestDesktop::theIconHasItsSizes() {
    const QString name = "/apps/" + entry().value(QStringLiteral("Icon")) + ".png";
    for (const int pixels : {16, 22, 24, 32, 48, 64, 128, 256, 512}) {
        const QImage image(QStringLiteral("%1/icons/hicolor/%2x%2").arg(builtShare()).arg(pixels) + name);
        QCOMPARE(image.size(), QSize(pixels, pixels));
        // Drawn, and on a transparent ground: something in the middle, nothing in the corner.
        QCOMPARE(qAlpha(image.pixel(0, 0)), 0);
        QCOMPARE(qAlpha(image.pixel(pixels / 2, pixels / 2)), 255);
        QSet<QRgb> colours;
        for (int i = 0; i < pixels; ++i)
            colours += image.pixel(i, pixels / 4);
        QVERIFY(colours.size() > 3);
    }
}

void TestDesktop::filesAreKnownByWhatTheyAre() {
    if (!m_hasTypes) QSKIP("the system knows no file types (shared-mime-info)");
    const QTemporaryDir folder;
    const QString session = folder.filePath(QStringLiteral("mine.db")), own = folder.filePath(QStringLiteral("a.cu")),
                  archive = folder.filePath(QStringLiteral("rows.sqlite")),
                  other = folder.filePath(QStringLiteral("other.sqlite"));
    const QString starter = builtShare() + "/kernelarium/starter.sqlite";
    // A saved search makes a session file.
    QCOMPARE(runProgram(builtProgram(QStringLiteral("kernelarium-cli")),
                        {"archive", "search", "--db", starter, "softmax", "--save", "x", "--session-file", session})
                 .status,
             0);
    QVERIFY(QFile::copy(starter, archive));
    QFile source(own);
    QVERIFY(source.open(QIODevice::WriteOnly) && source.write("__global__ void f() {}\n") > 0);
    source.close();
    // An archive with another program's number is another program's file.
    QFile changed(other);
    QVERIFY(QFile::copy(starter, other) && changed.setPermissions(QFile::ReadOwner | QFile::WriteOwner) &&
            changed.open(QIODevice::ReadWrite) && changed.seek(68) && changed.write("XXXX") == 4);
    changed.close();
    const QMimeDatabase types;
    const auto type = [&](const QString& path) { return types.mimeTypeForFile(path).name(); };
    QCOMPARE(type(archive), QStringLiteral("application/x-kernelarium-archive"));
    QCOMPARE(type(session), QStringLiteral("application/x-kernelarium-sessions"));
    QCOMPARE(type(own), QStringLiteral("text/x-cuda"));
    QVERIFY2(types.mimeTypeForFile(other).inherits(QStringLiteral("application/vnd.sqlite3")) &&
                 !type(other).contains(QStringLiteral("kernelarium")),
             qPrintable(type(other)));
    QVERIFY(types.mimeTypeForFile(archive).inherits(QStringLiteral("application/vnd.sqlite3")));
}

void TestDesktop::theValidatorsAgree() {
    const QString desktop = QStandardPaths::findExecutable(QStringLiteral("desktop-file-validate"));
    const QString appstream = QStandardPaths::findExecutable(QStringLiteral("appstreamcli"));
    if (desktop.isEmpty() && appstream.isEmpty())
        QSKIP("neither desktop-file-validate (desktop-file-utils) nor appstreamcli (appstream) is there");
    if (!desktop.isEmpty()) {
        const Ran ran = runProgram(desktop, {entryPath});
        QVERIFY2(ran.status == 0 && ran.output.isEmpty(), qPrintable(ran.output + ran.messages));
    }
    if (!appstream.isEmpty()) {
        const Ran ran = runProgram(appstream, {"validate", "--no-net", metainfoPath});
        QVERIFY2(ran.status == 0, qPrintable(ran.output + ran.messages));
    }
}

KERNELARIUM_TEST(TestDesktop);
