// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestUnknownTask.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QDirIterator>
#include <QFile>
#include <QtTest>

using nlohmann::json;

namespace {

const char* const pytorch = R"(import torch


def module_fn(a, b):
    return a + b


class Model(torch.nn.Module):
    def forward(self, a, b, fn=module_fn):
        return fn(a, b)


rows = 40


def get_inputs():
    return [torch.randn(rows, 25), torch.randn(rows, 25)]


def get_init_inputs():
    return []
)";

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QStringList cardsBelow(const QString& folder) {
    QStringList found;
    for (QDirIterator it(folder, {"*.json"}, QDir::Files, QDirIterator::Subdirectories); it.hasNext();)
        found << it.next();
    return found;
}

bool lacksTorch(const CliAnswer& answer) {
    return answer.exitCode == 3;
}

} // namespace

void TestUnknownTask::init() {
    m_folder = new QTemporaryDir;
    qputenv("XDG_DATA_HOME", m_folder->path().toUtf8());
    // Level and task are a built-in card's; the name is not.
    const json row{{"Op_Name", "1_Add_two_matrices"},
                   {"Level_ID", 1},
                   {"Task_ID", 1},
                   {"Kernel_Name", "add"},
                   {"CUDA_Code", contents(fixture("add.cu")).toStdString()},
                   {"PyTorch_Code_Functional", pytorch},
                   {"Correct", true}};
    QFile rows(m_folder->filePath("rows.jsonl"));
    QVERIFY(rows.open(QIODevice::WriteOnly));
    rows.write(QByteArray::fromStdString(row.dump()) + '\n');
    rows.close();
    m_archive = m_folder->filePath("rows.sqlite");
    QCOMPARE(callCli({"archive", "import", "--db", m_archive, rows.fileName()}).exitCode, 0);
}

void TestUnknownTask::cleanup() {
    qunsetenv("XDG_DATA_HOME");
    delete m_folder;
}

void TestUnknownTask::withoutPythonItSaysWhatServes() {
    const CliAnswer answer = callCli({"verify", "--db", m_archive, "--kernel", "add", "--python", "/no/such/python"});
    QCOMPARE(answer.exitCode, 3);
    QVERIFY2(answer.messages.contains("/no/such/python"), answer.messages.constData());
    QVERIFY2(answer.messages.contains("--reference OTHER.cu"), answer.messages.constData());
    // And that does serve.
    const CliAnswer other = callCli({"verify", "--db", m_archive, "--kernel", "add", "--reference", fixture("add.cu"),
                                     "--arg", "float32[40,25]", "--arg", "float32[40,25]", "--json"});
    QVERIFY2(other.exitCode == 0, (other.output + other.messages).constData());
}

void TestUnknownTask::aCardIsExportedAndKept() {
    const QStringList verifying{"verify", "--db", m_archive, "--kernel", "add", "--json"};
    const CliAnswer first = callCli(verifying);
    if (lacksTorch(first)) QSKIP(first.messages.constData());
    QVERIFY2(first.exitCode == 0, (first.output + first.messages).constData());
    QCOMPARE(first.json().at("verdict").get<std::string>(), std::string("verified"));
    QVERIFY(first.messages.contains("exporting the card"));
    QCOMPARE(cardsBelow(m_folder->path()).size(), 1);
    const CliAnswer second = callCli(verifying + QStringList{"--python", "/no/such/python"});
    QVERIFY2(second.exitCode == 0, (second.output + second.messages).constData());
    QVERIFY(!second.messages.contains("exporting"));
    // A wrong kernel of the task is wrong.
    const CliAnswer wrong =
        callCli({"verify", fixture("add_wrong.cu"), "--card", cardsBelow(m_folder->path()).first(), "--json"});
    QCOMPARE(wrong.json().at("verdict").get<std::string>(), std::string("wrong"));
}

void TestUnknownTask::anAuditUsesTheKeptCard() {
    const QStringList auditing{"audit", "--db", m_archive, "--again", "--json"};
    const CliAnswer before = callCli(auditing);
    QVERIFY2(before.output.contains("unverifiable"), before.output.constData());
    const CliAnswer exported = callCli({"task", "export", "--db", m_archive, "--kernel", "add"});
    if (lacksTorch(exported)) QSKIP(exported.messages.constData());
    QVERIFY2(exported.exitCode == 0, exported.messages.constData());
    const CliAnswer after = callCli(auditing);
    QVERIFY2(!after.output.contains("unverifiable") && after.output.contains("verified"), after.output.constData());
}

void TestUnknownTask::anExportIsWrittenWhereAsked() {
    const QString code = m_folder->filePath("task.py");
    QFile file(code);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(pytorch);
    file.close();
    const QString card = m_folder->filePath("card.json");
    const CliAnswer answer = callCli({"task", "export", code, "--level", "7", "--task", "3", "--out", card, "--json"});
    if (lacksTorch(answer)) QSKIP(answer.messages.constData());
    QVERIFY2(answer.exitCode == 0, answer.messages.constData());
    const json written = json::parse(contents(card).toStdString());
    QCOMPARE(written.at("level").get<int>(), 7);
    QCOMPARE(written.at("sizes").at("full").at("rows").get<int>(), 40);
    QCOMPARE(callCli({"task", "export", m_folder->filePath("none.py")}).exitCode, 2);
    QCOMPARE(callCli({"verify", fixture("add.cu"), "--card", code}).exitCode, 2);
}

KERNELARIUM_TEST(TestUnknownTask);
