// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/Base64.h"
#include "core/files/ScratchFolder.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <fstream>

using namespace kernelarium::files;

namespace {

std::vector<std::byte> bytesOf(const QByteArray& text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.constData());
    return {first, first + text.size()};
}

} // namespace

class TestFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void base64IsReadAsWritten() {
        QByteArray bytes;
        for (int length = 0; length < 300; ++length) {
            const std::string text = toBase64(bytesOf(bytes));
            QCOMPARE(QByteArray::fromStdString(text), bytes.toBase64());
            const auto again = fromBase64(text);
            QVERIFY(again.has_value());
            QVERIFY(*again == bytesOf(bytes));
            bytes.append(char(length * 37 + 255));
        }
    }

    void largeBytesPass() {
        std::vector<std::byte> bytes((std::size_t(100) << 20) + 1);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = std::byte((i * 2654435761U) >> 13);
        const std::string text = toBase64(bytes);
        QCOMPARE(text.size(), (bytes.size() + 2) / 3 * 4);
        const auto again = fromBase64(text);
        QVERIFY(again && *again == bytes);
    }

    void whatIsNotBase64IsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char* text : {"Q",
                                 "QU",
                                 "QUI",
                                 "QUJDR",
                                 "=",
                                 "==",
                                 "===",
                                 "====",
                                 "A===",
                                 "Q=JD",
                                 "QU=D",
                                 "QQ=Q",
                                 "QUI=QUI=",
                                 "QUJ-",
                                 "QUJ_",
                                 "Q\nJD",
                                 "    QUJD",
                                 "QUJD    ",
                                 "QUJD\n\n\n\n",
                                 "QUJD----",
                                 "\r\n\r\nQUJD",
                                 "QUJ\xff",
                                 "QU D"})
            QTest::newRow(text) << QByteArray(text);
        QTest::newRow("zero") << QByteArray("QU\0D", 4);
    }

    void whatIsNotBase64IsRefused() {
        QFETCH(const QByteArray, text);
        QVERIFY(!fromBase64(text.toStdString()).has_value());
    }

    void scratchFoldersGoWithWhatIsInThem() {
        namespace fs = std::filesystem;
        fs::path path;
        {
            const auto folder = ScratchFolder::make("kernelarium-test-");
            QVERIFY(folder.ok());
            path = folder->path();
            QVERIFY(path.filename().string().starts_with("kernelarium-test-"));
            QVERIFY(path.parent_path() == ScratchFolder::parent());
            QCOMPARE(fs::status(path).permissions() & fs::perms::others_all, fs::perms::none);
            fs::create_directories(path / "inner/locked");
            std::ofstream(path / "inner/locked/file") << "text";
            fs::permissions(path / "inner/locked", fs::perms::none);
        }
        QVERIFY(!fs::exists(path));
    }
};

KERNELARIUM_TEST(TestFiles);
#include "TestFiles.moc"
