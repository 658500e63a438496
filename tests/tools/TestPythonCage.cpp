// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tools/TestPythonCage.h"

#include "gpu/process/FileRules.h"
#include "tests/TestRegistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <sys/stat.h>
#include <unistd.h>

using namespace kernelarium;

namespace {

const QString systemPython = QStringLiteral("/usr/bin/python3");

uid_t ordinaryUser() {
    return ::getuid() == 0 ? 65534 : ::getuid();
}

/// What an attack may use.
const char* const attackTools =
    R"(import ctypes, fcntl, mmap, os, resource, signal, socket, struct, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
home = os.path.join(os.path.dirname(here), 'home')
def told(name): return open(os.path.join(here, name)).read()
def called(function, *arguments):
    result = function(*arguments)
    if result < 0 or result == 0xffffffff: raise OSError(ctypes.get_errno(), 'refused')
    return result
def signalling(way, number):
    a, b = socket.socketpair()
    way(a.fileno(), number)
    fcntl.fcntl(a, fcntl.F_SETFL, fcntl.fcntl(a, fcntl.F_GETFL) | os.O_ASYNC)
    b.send(b'x')
    time.sleep(0.2)
def typing(place, request=0x5412):
    file = place if isinstance(place, int) else os.open(place, os.O_RDONLY | os.O_NOCTTY)
    for c in b'echo typed\n': fcntl.ioctl(file, request, bytes([c]))
)";

/// The folders of one attempt, all of them the user's: packages, a home with things in it, one for temporary files.
class Attempt {
public:
    Attempt()
        : m_folder(QDir::tempPath() + QStringLiteral("/kernelarium_cage_XXXXXX")) {
        for (const char* part : {"packages/torch", "home/folder", "temporary"})
            QDir(m_folder.path()).mkpath(QString::fromLatin1(part));
        write("home/secret", "a secret");
        write("home/victim", "data");
        QFile::setPermissions(path("home/victim"), QFile::ReadOwner | QFile::WriteOwner);
    }

    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    void write(const char* name, const QByteArray& text) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    /// A torch that attacks when `condition` holds and fails to be imported then, saying what came of it.
    void attackWhen(const QByteArray& condition, const QString& attack) const {
        QByteArray body;
        for (const QString& line : attack.split('\n'))
            body += "    " + line.toUtf8() + "\n";
        write("packages/torch/__init__.py", QByteArray("__version__ = '2.4.0'\n") + attackTools + "def attack():\n" +
                                                body + "    return 'let'\nif " + condition +
                                                ":\n"
                                                "    try: result = str(attack())\n"
                                                "    except BaseException as error:\n"
                                                "        result = 'refused: %s %s' % (type(error).__name__, error)\n"
                                                "    raise ImportError('result ' + result)\n");
    }

    /// What export_as_user says; empty where it cannot run.
    [[nodiscard]] QJsonObject run(const QString& python = systemPython) const {
        const QString user = QString::number(ordinaryUser());
        if (::getuid() == 0) QProcess::execute("chown", {"-R", user + ":" + user, m_folder.path()});
        QProcess process;
        QProcessEnvironment environment;
        environment.insert("PATH", "/usr/bin:/bin");
        environment.insert("HOME", path("home"));
        environment.insert("TMPDIR", path("temporary"));
        environment.insert("PYTHONPATH", path("packages"));
        environment.insert("KERNELARIUM_SECRET", "a secret");
        process.setProcessEnvironment(environment);
        process.start(KERNELARIUM_BIN_DIR "/export_as_user", {python, path("packages"), user});
        if (!process.waitForFinished(300'000)) return {};
        return QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    }

    /// Whether anything of the user's has changed outside or was left behind; empty: nothing.
    [[nodiscard]] QString harm() const {
        struct stat victim {
        }, folder{};
        ::stat(path("home/victim").toUtf8().constData(), &victim);
        ::stat(path("home/folder").toUtf8().constData(), &folder);
        QFile file(path("home/victim"));
        if ((victim.st_mode & 07777) != 0600 || victim.st_uid != ordinaryUser()) return "the file's mode or owner";
        if (victim.st_mtime < 1'000'000) return "the file's time";
        if ((folder.st_mode & 07777) == 0) return "the folder's mode";
        if (!file.open(QIODevice::ReadOnly) || file.readAll() != "data") return "the file";
        if (QDir(path("home")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size() != 3)
            return "a file was made or removed";
        const QStringList left =
            QDir(path("temporary")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
        return left.isEmpty() ? QString() : "left: " + left.join(' ');
    }

private:
    QTemporaryDir m_folder;
};

/// System V's memory, queues and semaphores of the user, and files of shared memory.
QStringList leftInMemory() {
    QStringList all;
    const QString user = QString::number(ordinaryUser());
    for (const char* name : {"shm", "msg", "sem"}) {
        QFile list(QStringLiteral("/proc/sysvipc/") + name);
        if (!list.open(QIODevice::ReadOnly)) continue;
        for (const QByteArray& line : list.readAll().split('\n'))
            if (const QString text = QString::fromLatin1(line).simplified(); text.split(' ').contains(user))
                all << name + text.section(' ', 0, 2); // not what changes by use
    }
    for (const QFileInfo& file : QDir("/dev/shm").entryInfoList(QDir::Files | QDir::Hidden))
        if (file.ownerId() == ordinaryUser()) all << file.filePath();
    return all;
}

/// A row of attacksAreRefused(): what the kernel must have for it to be refused.
enum Needs { nothing, landlock };

void attack(const char* name, const char* code, Needs needs = nothing) {
    QTest::newRow(name) << QString::fromLatin1(code) << (needs == landlock);
}

} // namespace

void TestPythonCage::init() {
    if (!QFileInfo(systemPython).isExecutable()) QSKIP("there is no /usr/bin/python3");
    struct stat program {};
    if (::stat(KERNELARIUM_BIN_DIR "/export_as_user", &program) != 0) QSKIP("export_as_user was not built");
}

void TestPythonCage::attacksAreRefused_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<bool>("needsLandlock");
    // The terminal.
    attack("opens its terminal", "os.open('/dev/tty', os.O_RDONLY)");
    attack("types into its terminal", "typing('/dev/tty')");
    attack("types into the terminal by its name", "typing(told('terminal'))");
    attack("types through what it got", "typing(0)");
    attack("types through what the console knows", "typing(0, 0x541C)");
    attack("writes to the terminal", "os.write(os.open(told('terminal'), os.O_WRONLY | os.O_NOCTTY), b'x')", landlock);
    attack("hangs the session on itself", "os.setsid()");
    // Signals.
    attack("kills by the owner of a descriptor",
           "def way(file, number):\n    fcntl.fcntl(file, 10, 9)\n    fcntl.fcntl(file, 8, number)\n"
           "signalling(way, int(told('bystander')))");
    attack("kills by the owner alone", "signalling(lambda file, number: fcntl.fcntl(file, 8, number), "
                                       "int(told('bystander')))");
    attack("kills by F_SETOWN_EX", "signalling(lambda file, number: fcntl.fcntl(file, 15, struct.pack('ii', 1, "
                                   "number)), int(told('bystander')))");
    attack("kills by FIOSETOWN", "signalling(lambda file, number: fcntl.ioctl(file, 0x8901, struct.pack('i', "
                                 "number)), int(told('bystander')))");
    attack("winds its parent up", "def way(file, number):\n    fcntl.fcntl(file, 10, 28)\n    fcntl.fcntl(file, 8, "
                                  "number)\nsignalling(way, os.getppid())");
    attack("kills plainly", "os.kill(int(told('bystander')), 9)");
    attack("kills its parent", "os.kill(os.getppid(), 9)");
    attack("kills by a pidfd", "signal.pidfd_send_signal(os.pidfd_open(int(told('bystander'))), 9)");
    attack("queues a signal", "called(libc.sigqueue, int(told('bystander')), 9, 0)");
    attack("traces", "called(libc.ptrace, 16, int(told('bystander')), 0, 0)");
    // Files outside.
    attack("changes a mode", "os.chmod(home + '/victim', 0o666)");
    attack("closes a folder", "os.chmod(home + '/folder', 0)");
    attack("changes times", "os.utime(home + '/victim', (1, 1))");
    attack("sets an attribute", "os.setxattr(home + '/victim', 'user.x', b'1')");
    attack("changes an owner", "os.chown(home + '/victim', os.getuid(), os.getgid())");
    attack("truncates", "os.truncate(home + '/victim', 0)");
    attack("truncates by opening", "os.open(home + '/victim', os.O_RDONLY | os.O_TRUNC)");
    attack("writes", "open(home + '/victim', 'w').write('x')", landlock);
    attack("makes a file", "open(home + '/new', 'w').write('x')", landlock);
    attack("removes", "os.unlink(home + '/victim')", landlock);
    attack("renames", "os.rename(home + '/victim', home + '/other')", landlock);
    attack("links", "os.link(home + '/victim', 'linked')");
    attack("leaves a link", "os.symlink(home, 'linked')");
    // Memory that no limit counts, or that stays.
    attack("maps shared memory", "m = mmap.mmap(-1, 16 << 30)\nm[0] = 1");
    attack("maps a device of zeros", "m = mmap.mmap(os.open('/dev/zero', os.O_RDONLY), 1 << 30, "
                                     "mmap.MAP_SHARED, mmap.PROT_READ)");
    attack("maps a file of its own", "f = open('mapped', 'w+b')\nf.truncate(1 << 20)\nmmap.mmap(f.fileno(), 1 << 20)");
    attack("makes a memfd", "os.memfd_create('x')");
    attack("reserves more than there is", "mmap.mmap(-1, 1 << 42, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, "
                                          "mmap.PROT_READ)");
    attack("leaves shared memory", "called(libc.shmget, 0, 64 << 20, 0o1600)");
    attack("leaves a queue", "called(libc.msgget, 0, 0o1600)");
    attack("leaves a semaphore", "called(libc.semget, 0, 1, 0o1600)");
    attack("leaves a named queue", "called(libc.syscall, 240 if os.uname().machine == 'x86_64' else 180, "
                                   "b'kernelarium', 0o102, 0o600, None)");
    attack("leaves a file of shared memory", "open('/dev/shm/kernelarium_left', 'w').write('x')", landlock);
    // Others, and itself.
    attack("pins its parent", "os.sched_setaffinity(os.getppid(), {0})");
    attack("lowers its parent", "os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)");
    attack("limits its parent", "resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (0, 0))");
    attack("lifts its limits",
           "resource.setrlimit(resource.RLIMIT_NOFILE, resource.getrlimit(resource.RLIMIT_NOFILE))");
    attack("starts threads without end", "threading.stack_size(65536)\nstop = threading.Event()\ntry:\n"
                                         "    for i in range(20000): threading.Thread(target=stop.wait, "
                                         "daemon=True).start()\nfinally:\n    stop.set()");
    attack("outlives its parent", "called(libc.prctl, 1, 0, 0, 0, 0)");
    attack("becomes another program", "os.execv('/bin/sh', ['sh', '-c', 'echo'])");
    attack("becomes one by a descriptor", "os.execve(os.open('/bin/sh', os.O_RDONLY), ['sh', '-c', 'echo'], {})");
    attack("becomes one with a guessed pass",
           "words = (ctypes.c_char_p * 2)(b'sh', None)\n"
           "called(libc.syscall, 59 if os.uname().machine == 'x86_64' else 221, b'/bin/sh', words, None, 0, 0, 0)");
    attack("starts a process", "os.fork()");
    attack("starts a program", "import subprocess\nsubprocess.run(['/bin/true'])");
    attack("talks to the network", "socket.create_connection(('127.0.0.1', 9))");
    attack("talks to a service", "a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
                                 "a.sendto(b'x', '/dev/log')");
    // Reading.
    attack("reads a secret", "open(home + '/secret').read()", landlock);
    attack("lists the home", "os.listdir(home)", landlock);
    attack("reads its parent's environment", "open('/proc/%d/environ' % os.getppid()).read()", landlock);
    attack("reads its parent's memory", "open('/proc/%d/mem' % os.getppid(), 'rb')", landlock);
    attack("reads another's command line", "open('/proc/%s/cmdline' % told('bystander')).read()", landlock);
    attack("reads the list of users", "open('/etc/passwd').read()", landlock);
    attack("finds a secret in its environment", "os.environ['KERNELARIUM_SECRET']");
    attack("has more files open", "for file in range(5, 256):\n    try: os.fstat(file)\n    except OSError: continue\n"
                                  "    return 'let'\nraise OSError('none')");
}

void TestPythonCage::attacksAreRefused() {
    QFETCH(const QString, code);
    QFETCH(const bool, needsLandlock);
    if (needsLandlock && !process::FileRules::known()) QSKIP("this kernel has no Landlock");
    const QStringList before = leftInMemory();
    const Attempt attempt;
    attempt.attackWhen("sys.argv[0].endswith('export_card.py')", code);
    const QJsonObject answer = attempt.run();
    const QByteArray said = QJsonDocument(answer).toJson(QJsonDocument::Compact);
    QCOMPARE(answer["user"].toInt(), int(ordinaryUser()));
    QVERIFY2(answer["terminal"].toBool(), said.constData()); // the one at which the user sits
    QVERIFY2(answer["message"].toString().contains("result refused"), said.constData());
    QVERIFY2(!answer["typed"].toBool(), said.constData());
    QVERIFY2(answer["bystander"].toBool(), said.constData());
    QCOMPARE(answer["ended"].toInt(-1), 0);
    QVERIFY2(attempt.harm().isEmpty(), qPrintable(attempt.harm()));
    QCOMPARE(leftInMemory(), before);
}

void TestPythonCage::whatWritesTooMuchIsEnded_data() {
    QTest::addColumn<QString>("code");
    QTest::newRow("large files") << "for i in range(100): open('big%d' % i, 'wb').write(b'x' * (50 << 20))";
    QTest::newRow("files without a name") << "held = []\nfor i in range(100):\n    f = open('big', 'wb')\n"
                                             "    f.write(b'x' * (50 << 20))\n    os.unlink('big')\n"
                                             "    held.append(f)";
    QTest::newRow("empty files") << "for i in range(10000000): open('f%d' % i, 'w').close()";
    QTest::newRow("folders in folders") << "while True:\n    os.mkdir('f')\n    os.chdir('f')";
}

void TestPythonCage::whatWritesTooMuchIsEnded() {
    QFETCH(const QString, code);
    const Attempt attempt;
    attempt.attackWhen("sys.argv[0].endswith('export_card.py')", code);
    const QJsonObject answer = attempt.run();
    QVERIFY2(answer["code"].toString() == "too_large", qPrintable(answer["message"].toString()));
    QVERIFY2(attempt.harm().isEmpty(), qPrintable(attempt.harm()));
}

void TestPythonCage::theQuestionForItsVersionIsConfinedAsWell() {
    const Attempt attempt;
    attempt.attackWhen(
        "sys.argv[0] == '-c'",
        "found = []\n"
        "for code in ['os.chmod(home + \"/victim\", 0o666)', 'called(libc.shmget, 0, 4096, 0o1600)',\n"
        "             'os.kill(os.getppid(), 0)', 'typing(\"/dev/tty\")', 'os.fork()', 'socket.socket()',\n"
        "             'mmap.mmap(-1, 4096)', 'os.execv(\"/bin/sh\", [\"sh\"])']:\n"
        "    try:\n        eval(code)\n        found.append(code)\n"
        "    except OSError: pass\n"
        "return 'refused' if not found else found");
    const QJsonObject answer = attempt.run();
    QVERIFY2(answer["message"].toString().contains("ImportError: result refused"),
             qPrintable(answer["message"].toString()));
    QVERIFY2(attempt.harm().isEmpty(), qPrintable(attempt.harm()));
}

void TestPythonCage::aVirtualEnvironmentIsReadable() {
    const Attempt attempt;
    const QString place = attempt.path("home/folder/venv");
    if (QProcess::execute(systemPython, {"-m", "venv", "--without-pip", place}) != 0)
        QSKIP("this Python makes no virtual environments");
    // A torch of the environment's own that says so, found as any package is.
    QDir(attempt.path("packages/torch")).removeRecursively();
    const QStringList libraries = QDir(place + "/lib").entryList({"python3*"}, QDir::Dirs);
    QCOMPARE(libraries.size(), 1);
    const QString packages = place + "/lib/" + libraries.first() + "/site-packages";
    QVERIFY(QDir(packages).mkpath("torch"));
    QFile file(packages + "/torch/__init__.py");
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("import sys\n__version__ = '2.4.0'\n"
               "if sys.argv[0] != '-c': raise ImportError('result ' + sys.prefix)\n");
    file.close();
    const QJsonObject answer = attempt.run(place + "/bin/python3");
    QVERIFY2(answer["message"].toString().contains("result " + place), qPrintable(answer["message"].toString()));
    // And one that lies elsewhere, which a file of the environment names.
    QVERIFY(QDir(attempt.path("home")).mkpath("folder/elsewhere"));
    QVERIFY(QDir().rename(packages + "/torch", attempt.path("home/folder/elsewhere/torch")));
    QFile names(packages + "/elsewhere.pth");
    QVERIFY(names.open(QIODevice::WriteOnly));
    names.write(attempt.path("home/folder/elsewhere").toUtf8() + "\n");
    names.close();
    const QJsonObject again = attempt.run(place + "/bin/python3");
    QVERIFY2(again["message"].toString().contains("result " + place), qPrintable(again["message"].toString()));
}

KERNELARIUM_TEST(TestPythonCage);
