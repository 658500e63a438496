// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/Base64.h"
#include "core/files/ScratchFolder.h"
#include "core/files/WorkFile.h"
#include "tests/TestRegistry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kernelarium::files;

namespace {

std::vector<std::byte> bytesOf(const QByteArray& text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.constData());
    return {first, first + text.size()};
}

/// A folder for temporary files of our own.
struct Temporary {
    QTemporaryDir folder;
    std::filesystem::path path = folder.path().toStdString();
    QByteArray before = qgetenv("TMPDIR");

    Temporary() { qputenv("TMPDIR", folder.path().toUtf8()); }
    ~Temporary() { before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before); }
    [[nodiscard]] QStringList names() const {
        return QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    }
};

} // namespace

class TestFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// What stands in the place of a device or a pipe would be a file from then on.
    void onlyFilesAreReplaced() {
        const Temporary temporary;
        const std::filesystem::path pipe = temporary.path / "pipe", link = temporary.path / "link";
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        std::filesystem::create_symlink(pipe, link);
        for (const std::filesystem::path& target : {pipe, link, temporary.path}) {
            const auto work = WorkFile::begin(target);
            QVERIFY(!work);
            QCOMPARE(work.error().code, std::string("unwritable_file"));
        }
        QVERIFY(std::filesystem::is_fifo(pipe));
        QCOMPARE(temporary.names().size(), qsizetype(2));
    }

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

    /// Deeper than there are open files, with links to elsewhere on the way.
    void whatRanThereMayHaveLeftAnything() {
        namespace fs = std::filesystem;
        const Temporary temporary;
        std::ofstream(temporary.path / "mine") << "text";
        fs::create_directories(temporary.path / "kept/inner");
        const fs::path before = fs::current_path();
        fs::path path;
        {
            const auto folder = ScratchFolder::make();
            QVERIFY(folder.ok());
            path = folder->path();
            fs::path deep = path;
            for (int i = 0; i < 200; ++i)
                deep /= std::string(10, 'd');
            fs::create_directories(deep);
            fs::current_path(deep); // a path has its longest length
            for (int i = 0; i < 3000; ++i) {
                fs::create_directory("d");
                fs::current_path("d");
            }
            fs::create_symlink(temporary.path / "kept", "link");
            fs::current_path(before);
            fs::create_symlink(temporary.path / "mine", path / "link");
            fs::create_directory_symlink(temporary.path / "kept", path / ".0");
            fs::permissions(path / std::string(10, 'd'), fs::perms::none);
        }
        QVERIFY(!fs::exists(path));
        QVERIFY(fs::exists(temporary.path / "mine") && fs::exists(temporary.path / "kept/inner"));
    }

    void abandonedFoldersGo() {
        namespace fs = std::filesystem;
        const Temporary temporary;
        const auto plant = [&](const std::string& name, fs::perms rights = fs::perms::owner_all) {
            const fs::path path = temporary.path / name;
            fs::create_directories(path);
            std::ofstream(path / "file") << "text";
            fs::permissions(path, rights);
            return path;
        };
        const auto used = ScratchFolder::make();
        QVERIFY(used.ok());
        const fs::path mine = plant("precious");
        const fs::path abandoned = plant("kernelarium-abc123.scratch"), named = plant("kernelarium-pch-Zz09aQ.scratch");
        const fs::path data = plant("kernelarium-data"), shared = plant("kernelarium-abc124.scratch", fs::perms::all);
        const fs::path other = plant("kernelarium-my notes.scratch"), making = plant(".kernelarium-new-abc123");
        const fs::path link = temporary.path / "kernelarium-abc125.scratch";
        const fs::path file = temporary.path / "kernelarium-abc126.scratch";
        fs::create_directory_symlink(mine, link);
        std::ofstream(file) << "text";
        fs::create_directory_symlink(mine, named / "link");
        ScratchFolder::removeAbandoned();
        QVERIFY(!fs::exists(abandoned) && !fs::exists(named));
        QVERIFY(fs::exists(used->path()));
        for (const fs::path& left :
             {mine / "file", data / "file", shared / "file", other / "file", making / "file", file})
            QVERIFY2(fs::exists(left), left.c_str());
        QVERIFY(fs::is_symlink(link));
    }

    /// A process that is killed leaves its folder to the next one.
    void foldersOfTheKilledGo() {
        const Temporary temporary;
        const pid_t child = ::fork();
        if (child == 0) {
            const auto folder = ScratchFolder::make();
            if (folder) std::ofstream(folder->path() / "file") << "text";
            ::kill(::getpid(), SIGKILL);
        }
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status));
        QCOMPARE(temporary.names().size(), 1);
        ScratchFolder::removeAbandoned();
        QVERIFY2(temporary.names().isEmpty(), qPrintable(temporary.names().join(' ')));
    }
};

KERNELARIUM_TEST(TestFiles);
#include "TestFiles.moc"
