// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tools/TestPythonExport.h"

#include "core/task/Evaluator.h"
#include "gpu/tools/PythonExport.h"
#include "tests/TestRegistry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

using namespace kernelarium;
using audit::RowTask;

namespace {

/// A Python with PyTorch; without a path where this machine has none.
const Result<protocol::Python>& torchPython() {
    static const Result<protocol::Python> found = tools::findPython("");
    return found;
}
#define NEEDS_TORCH()                                                                                                  \
    if (!torchPython()) QSKIP(torchPython().error().text().c_str())

tools::ExportOptions quickly(int seconds = 60) {
    tools::ExportOptions options;
    options.python = torchPython() ? torchPython()->path : "";
    options.timeLimit = std::chrono::seconds(seconds);
    return options;
}

std::optional<RowTask> sampleRow(int level, int task) {
    std::ifstream rows(KERNELARIUM_SHARED_DIR "/archive_sample/one_kernel_per_task.jsonl");
    for (std::string line; std::getline(rows, line);) {
        const auto row = nlohmann::json::parse(line);
        if (row["Level_ID"] == level && row["Task_ID"] == task)
            return RowTask{level, task, row["Op_Name"], row["PyTorch_Code_Functional"], row["PyTorch_Code_Module"]};
    }
    return std::nullopt;
}

/// A task of our own: it doubles its input. `more` is executed with the module, `body` is module_fn's.
RowTask doubling(const std::string& more, const std::string& body = "    return x * 2\n") {
    return {9,
            1,
            "double",
            "import os, sys, time, socket, threading\nimport torch\n\n\ndef module_fn(x):\n" + body +
                "\n\nclass Model(torch.nn.Module):\n    def forward(self, x, fn=module_fn):\n        return fn(x)\n\n\n"
                "def get_inputs():\n    return [torch.randn(8, 16)]\n\n\ndef get_init_inputs():\n    return []\n\n\n" +
                more,
            {}};
}

/// The built-in card's symbols that give its tensors the exported card's small shapes.
std::optional<task::Symbols> symbolsFor(const task::Card& builtIn, const std::vector<tensor::Shape>& shapes) {
    task::Symbols symbols = *builtIn.size("full");
    for (std::size_t t = 0; t < builtIn.tensors.size(); ++t)
        for (std::size_t d = 0; d < builtIn.tensors[t].shape.size(); ++d)
            for (auto& [name, value] : symbols)
                if (builtIn.tensors[t].shape[d].text() == name) value = shapes[t][d];
    const auto found = task::tensorShapes(builtIn, symbols);
    return found && *found == shapes ? std::optional(symbols) : std::nullopt;
}

std::vector<tensor::Tensor> someTensors(const task::Card& card, const std::vector<tensor::Shape>& shapes) {
    std::vector<tensor::Tensor> tensors;
    quint32 state = 12345;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        tensor::Tensor t(tensor::DType::Float64, shapes[i]);
        const auto number = [&] { return double((state = state * 1664525U + 1013904223U) >> 8) / (1 << 24); };
        for (std::int64_t k = 0; k < t.count(); ++k)
            t.data<double>()[k] = number() + 0.1;
        tensors.push_back(card.tensors[i].dtype == tensor::DType::Float32 ? t : t.to(card.tensors[i].dtype));
    }
    return tensors;
}

} // namespace

void TestPythonExport::agreesWithTheBuiltInCard_data() {
    QTest::addColumn<int>("level");
    QTest::addColumn<int>("task");
    for (const auto& [level, task] :
         {std::pair{1, 10}, {1, 16}, {1, 50}, {1, 61}, {2, 1}, {2, 11}, {2, 31}, {2, 70}, {3, 1}, {3, 50}})
        QTest::addRow("%d/%d", level, task) << level << task;
}

void TestPythonExport::agreesWithTheBuiltInCard() {
    NEEDS_TORCH();
    QFETCH(int, level);
    QFETCH(int, task);
    const std::optional<RowTask> row = sampleRow(level, task);
    if (!row) QSKIP("the archive's sample rows are not here");
    const auto exported = tools::exportCard(*row, quickly(120));
    QVERIFY2(exported.ok(), exported ? "" : exported.error().text().c_str());
    const auto builtIn = task::loadCard(level, task);
    QVERIFY(builtIn.ok());
    QCOMPARE(exported->call.size(), builtIn->call.size());
    QCOMPARE(exported->tensors.size(), builtIn->tensors.size());
    // As published, to the number.
    QVERIFY(*task::tensorShapes(*exported, *exported->size("full")) ==
            *task::tensorShapes(*builtIn, *builtIn->size("full")));
    const task::Symbols small = *exported->size("small");
    const auto shapes = *task::tensorShapes(*exported, small);
    const auto symbols = symbolsFor(*builtIn, shapes);
    QVERIFY2(symbols.has_value(), "the built-in card has no such sizes");
    const auto tensors = someTensors(*builtIn, shapes);
    task::EvaluationOptions options;
    options.threads = 2;
    const auto mine = task::evaluate(*exported, small, tensors, options);
    const auto theirs = task::evaluate(*builtIn, *symbols, tensors, options);
    QVERIFY2(mine.ok(), mine ? "" : mine.error().text().c_str());
    QVERIFY(theirs.ok());
    std::vector<tensor::Tensor> found, expected;
    tensor::collectTensors(*mine, found);
    tensor::collectTensors(*theirs, expected);
    QCOMPARE(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        QVERIFY(found[i].shape() == expected[i].shape());
        for (std::int64_t k = 0; k < found[i].count(); ++k)
            QVERIFY(std::abs(found[i].at(k) - expected[i].at(k)) <= 1e-6 * std::max(1.0, std::abs(expected[i].at(k))));
    }
}

void TestPythonExport::hostileCodeHarmsNothing_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("error"); ///< empty: a card all the same
    QTest::newRow("endless loop") << "while True: pass"
                                  << "timeout";
    QTest::newRow("network") << "socket.create_connection(('127.0.0.1', 9))"
                             << "row_failed";
    QTest::newRow("socket of this machine") << "socket.socket(socket.AF_UNIX)"
                                            << "row_failed";
    QTest::newRow("fork bomb") << "while True: os.fork()"
                               << "row_failed";
    QTest::newRow("other program") << "import subprocess; subprocess.run(['/bin/true'])"
                                   << "row_failed";
    QTest::newRow("too many threads") << "while True: threading.Thread(target=time.sleep, args=(99,)).start()"
                                      << "row_failed";
    QTest::newRow("huge output")
        << "for d in range(3, 20):\n    try:\n        while True: os.write(d, b'x' * 1000000)\n"
           "    except OSError: pass"
        << "too_large";
    QTest::newRow("kills its parent") << "os.kill(os.getppid(), 9)"
                                      << "row_failed";
    QTest::newRow("kills everything") << "os.kill(-1, 9)"
                                      << "row_failed";
    QTest::newRow("kills itself") << "os.kill(os.getpid(), 9)"
                                  << "export_failed";
    QTest::newRow("prints") << "print('{}', flush=True); os.write(1, b'{\"card\": {}}\\n'); os.write(2, b'noise')"
                            << "";
    QTest::newRow("raises") << "raise ValueError('never')"
                            << "row_failed";
    QTest::newRow("exits") << "sys.exit(0)"
                           << "row_failed";
    QTest::newRow("exits at once") << "os._exit(0)"
                                   << "export_failed";
    QTest::newRow("takes all memory") << "held = []\nwhile True: held.append(bytearray(1 << 26))"
                                      << "out_of_memory";
    QTest::newRow("writes elsewhere") << "open(OUTSIDE, 'w').write('x')"
                                      << "row_failed";
    QTest::newRow("looks for secrets") << "raise ValueError(os.environ.get('KERNELARIUM_SECRET', 'nothing'))"
                                       << "row_failed";
}

void TestPythonExport::hostileCodeHarmsNothing() {
    NEEDS_TORCH();
    QFETCH(QString, code);
    QFETCH(QString, error);
    QTemporaryDir outside;
    const QString file = outside.filePath("written");
    qputenv("KERNELARIUM_SECRET", "a secret");
    code.replace("OUTSIDE", "'" + file + "'");
    // Folders are made here, where nobody else makes any.
    QTemporaryDir temporary;
    const QByteArray usual = qgetenv("TMPDIR");
    qputenv("TMPDIR", temporary.path().toUtf8());
    tools::ExportOptions options = quickly(error == "timeout" ? 8 : 60);
    options.memory = std::uint64_t(3) << 30;
    const auto card = tools::exportCard(doubling(code.toStdString() + "\n"), options);
    qunsetenv("KERNELARIUM_SECRET");
    usual.isEmpty() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", usual);
    if (error.isEmpty()) {
        QVERIFY2(card.ok(), card ? "" : card.error().text().c_str());
        QCOMPARE(card->graph.size(), std::size_t(1));
    } else {
        QVERIFY(!card.ok());
        QVERIFY2(card.error().code == error.toStdString(), (card.error().code + ": " + card.error().text()).c_str());
        QVERIFY(!card.error().message.empty());
        QVERIFY(!QString::fromStdString(card.error().message).contains("a secret"));
    }
    QVERIFY(!QFile::exists(file));
    QVERIFY(
        QDir(temporary.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)); // no folder is left
}

void TestPythonExport::refusesByName_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("error");
    QTest::addColumn<QString>("named");
    QTest::newRow("unknown operator") << "    return torch.linalg.eigvalsh(x @ x.t())\n"
                                      << "unsupported_operator"
                                      << "linalg_eigvalsh";
    QTest::newRow("random") << "    return x + torch.randn(8, 16)\n"
                            << "random_result"
                            << "randn";
    QTest::newRow("data dependent") << "    return x * 2 if x.sum() > 0 else x\n"
                                    << "data_dependent"
                                    << "values";
    QTest::newRow("no such name") << "    return x * y\n"
                                  << "row_failed"
                                  << "NameError";
}

void TestPythonExport::refusesByName() {
    NEEDS_TORCH();
    QFETCH(QString, body);
    QFETCH(QString, error);
    QFETCH(QString, named);
    const auto card = tools::exportCard(doubling("", body.toStdString()), quickly());
    QVERIFY(!card.ok());
    const QString text = QString::fromStdString(card.error().text());
    QVERIFY2(card.error().code == error.toStdString(), qPrintable(text));
    QVERIFY2(text.contains(named), qPrintable(text));
}

void TestPythonExport::endsWhenCancelled() {
    NEEDS_TORCH();
    std::stop_source stop;
    tools::ExportOptions options = quickly(600);
    options.progress = [&](const std::string& what) {
        if (what.find("exporting") != std::string::npos) stop.request_stop();
    };
    const auto card = tools::exportCard(doubling("while True: pass\n"), options, stop.get_token());
    QVERIFY(!card.ok());
    QCOMPARE(card.error().code, std::string("cancelled"));
}

void TestPythonExport::namesWhatPythonsLack() {
    tools::ExportOptions options;
    options.python = "/no/such/python";
    const auto none = tools::exportCard(doubling(""), options);
    QVERIFY(!none.ok());
    QCOMPARE(none.error().code, std::string("missing_component"));
    QVERIFY(none.error().text().find("/no/such/python: there is no such program") != std::string::npos);
    // A Python without PyTorch, and one whose PyTorch is old: both are asked, as any is.
    QTemporaryDir folder;
    const auto pretending = [&](const char* answer) {
        const QString path = folder.filePath("python3");
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly)) return protocol::Python{};
        file.write("#!/bin/sh\nprintf '\\nkernelarium %s\\n' '" + QByteArray(answer) + "'\n");
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return tools::probePython(path.toStdString());
    };
    const auto without = pretending(R"({"python": "3.11.2", "problem": "ModuleNotFoundError: No module named torch"})");
    QVERIFY(!without.isUsable());
    QCOMPARE(without.version, std::string("3.11.2"));
    QVERIFY(without.problem.find("No module named torch") != std::string::npos);
    QVERIFY(pretending(R"({"python": "3.8", "torch": "1.9.1"})").problem.find("older than 1.13") != std::string::npos);
    QVERIFY(pretending(R"({"python": "3.13", "torch": "2.9.0+cpu"})").isUsable());
    QVERIFY(!pretending("[1,2").isUsable());
}

void TestPythonExport::onePlaceIsOneCandidate() {
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("usr/bin")));
    QVERIFY(QFile::link(folder.filePath(QStringLiteral("usr/bin")), folder.filePath(QStringLiteral("bin"))));
    QFile file(folder.filePath(QStringLiteral("usr/bin/python3")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH",
            (folder.filePath(QStringLiteral("usr/bin")) + ":" + folder.filePath(QStringLiteral("bin")) + ":").toUtf8() +
                path);
    const auto candidates = tools::pythonCandidates();
    qputenv("PATH", path);
    const auto count = [&](const QString& candidate) {
        return std::count(candidates.begin(), candidates.end(), candidate.toStdString());
    };
    QCOMPARE(count(folder.filePath(QStringLiteral("usr/bin/python3"))), 1);
    QCOMPARE(count(folder.filePath(QStringLiteral("bin/python3"))), 0); // a folder by another name
}

void TestPythonExport::deepAnswersAreRefused() {
    const std::string deep(1'000'000, '[');
    const auto card = audit::readCard(R"({"format":1,"level":1,"task":1,"call":)" + deep);
    QVERIFY(!card.ok());
    QCOMPARE(card.error().code, std::string("bad_card"));
    QVERIFY(!audit::readCard("{}").ok());
    // Another operator than any: refused by its name, before anything is evaluated.
    task::Card known = *task::loadCard(1, 19);
    known.graph[0].op = "aten.no_such.default";
    const auto unknown = audit::readCard(task::writeCard(known));
    QVERIFY(!unknown.ok());
    QVERIFY(unknown.error().text().find("aten.no_such.default") != std::string::npos);
}

void TestPythonExport::belongsToABuiltInTaskByItsNameOnly() {
    QVERIFY(audit::isBuiltInTask(1, 1, "1_Square_matrix_multiplication_"));
    QVERIFY(audit::isBuiltInTask(1, 1, ""));
    QVERIFY(!audit::isBuiltInTask(1, 1, "1_Something_else"));
    QVERIFY(!audit::isBuiltInTask(7, 1, ""));
    const auto card = audit::cardForRow({1, 1, "1_Something_else", "code", ""}, {});
    QVERIFY(!card.ok());
    QCOMPARE(card.error().code, std::string("unknown_task"));
}

void TestPythonExport::keepsACardForItsRow() {
    QTemporaryDir folder;
    const std::filesystem::path tasks = folder.filePath("tasks").toStdString();
    const RowTask row = doubling("");
    const task::Card card = *task::loadCard(1, 19);
    QVERIFY(audit::keepCard(card, row, tasks).ok());
    QVERIFY(audit::keepCard(card, row, tasks).ok()); // again, over itself
    const auto found = audit::cardForRow(row, tasks);
    QVERIFY(found.ok());
    QCOMPARE(found->name, card.name);
    QVERIFY(!audit::cardForRow(doubling("# other code\n"), tasks).ok());
    // Nothing but the card lies there.
    QCOMPARE(QDir(folder.filePath("tasks/level_9")).entryList(QDir::Files).size(), 1);
}

KERNELARIUM_TEST(TestPythonExport);
