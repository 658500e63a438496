// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestAudit.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/cli/CliProcess.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <map>

using nlohmann::json;

namespace {

QByteArray auditBytes(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A folder with a copy of the starter archive, so that verdicts come beside it.
class AuditRoom {
public:
    AuditRoom() { QFile::copy(QStringLiteral(KERNELARIUM_STARTER), database()); }
    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] QString database() const { return path("archive.sqlite"); }
    void write(const QString& name, const QByteArray& bytes) const {
        QFile file(path(name));
        if (file.open(QIODevice::WriteOnly)) file.write(bytes);
    }
    /// The kernels of task 1/1: eight of them.
    [[nodiscard]] QStringList audit(const QStringList& more) const {
        return QStringList{"audit", "--db", database(), "--level", "1", "--task", "1", "--json"} + more;
    }
    /// Our verdicts by label, without what differs from run to run.
    [[nodiscard]] std::map<std::string, json> verdicts(const QStringList& more = {}) const {
        const json listed =
            callCli(QStringList{"archive", "list", "--db", database(), "--limit", "0", "--json"} + more).json();
        std::map<std::string, json> found;
        for (const json& kernel : listed.at("kernels")) {
            json verdict = kernel.at("our_verdict");
            if (verdict.is_null()) continue;
            verdict.erase("seconds");
            verdict.erase("time_ms");
            found[kernel.at("label").get<std::string>()] = verdict;
        }
        return found;
    }
    /// An archive of its own from rows for task 1/1.
    void makeArchive(const std::vector<std::pair<std::string, QByteArray>>& kernels, int task = 1) const {
        QByteArray lines;
        for (const auto& [name, code] : kernels) {
            const char* op = task == 1 ? "1_Square_matrix_multiplication_" : "op";
            const json row = {{"Op_Name", op},
                              {"Level_ID", 1},
                              {"Task_ID", task},
                              {"Kernel_Name", name},
                              {"CUDA_Code", code.toStdString()},
                              {"Correct", true}};
            lines += QByteArray::fromStdString(row.dump() + "\n");
        }
        write("rows.jsonl", lines);
        QFile::remove(database());
        const CliAnswer imported = callCli({"archive", "import", "--db", database(), path("rows.jsonl")});
        QVERIFY2(imported.exitCode == 0, imported.messages.constData());
    }

private:
    QTemporaryDir m_folder;
};

std::vector<std::string> labelsOf(const QByteArray& lines) {
    std::vector<std::string> labels;
    for (const QByteArray& line : lines.split('\n'))
        if (!line.isEmpty()) labels.push_back(json::parse(line.toStdString()).at("label").get<std::string>());
    return labels;
}

/// A product of square matrices: right for task 1/1.
QByteArray rightProduct() {
    return R"cuda(#include <torch/extension.h>
__global__ void product(const float* a, const float* b, float* c, int n) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || column >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
    const int n = a.size(0);
    auto c = torch::empty({n, n}, a.options());
    product<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), n);
    return c;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "product"); }
)cuda";
}

} // namespace

void TestAudit::aSelectionIsAuditedOnce() {
    const AuditRoom room;
    const CliAnswer first = callCli(room.audit({"--jobs", "2", "--out", room.path("out.jsonl")}));
    QVERIFY2(first.exitCode == 0, (first.output + first.messages).constData());
    const json j = first.json();
    const std::size_t kernels = j.at("kernels");
    QVERIFY(kernels >= 7);
    QCOMPARE(j.at("due"), j.at("kernels"));
    QCOMPARE(j.at("verdicts"), json({{"verified", kernels}}));
    QCOMPARE(j.at("claims").at("standing"), j.at("claims").at("archived_correct"));
    QCOMPARE(j.at("claims").at("share_standing").get<double>(), 1.0);
    const QByteArray lines = auditBytes(room.path("out.jsonl"));
    QCOMPARE(labelsOf(lines).size(), kernels);
    const CliAnswer again = callCli(room.audit({"--out", room.path("out.jsonl")}));
    QCOMPARE(again.exitCode, 0);
    QCOMPARE(again.json().at("due"), json(0));
    QCOMPARE(auditBytes(room.path("out.jsonl")), lines);
    // Another seed is another question.
    QCOMPARE(callCli(room.audit({"--seed", "2", "--limit", "1"})).json().at("due"), json(1));
    const json shown = callCli({"archive", "show", "--db", room.database(), "--json", "L1/T1/naive"}).json();
    QCOMPARE(shown.at("our_verdict").at("verdict"), json("verified"));
    QCOMPARE(shown.at("our_verdict").at("stale"), json(false));
    QVERIFY(callCli({"archive", "show", "--db", room.database(), "L1/T1/naive"})
                .output.contains("verified         verified"));
    QVERIFY(callCli({"archive", "search", "--db", room.database(), "--names-only", "shared_tiles"})
                .output.contains("verified"));
    const CliAnswer people = callCli({"audit", "--db", room.database(), "--level", "1", "--task", "1"});
    QVERIFY2(people.output.contains("Archived as correct"), people.output.constData());
}

void TestAudit::verdictsAreFilteredSortedAndExported() {
    const AuditRoom room;
    const CliAnswer audited = callCli(room.audit({"--limit", "2", "--out", room.path("out.jsonl")}));
    QVERIFY2(audited.exitCode == 0, audited.messages.constData());
    // Another audit found the first of the two wrong.
    json line = json::parse(auditBytes(room.path("out.jsonl")).split('\n').first().toStdString());
    const std::string label = line.at("label");
    line["verdict"] = "wrong";
    line["reasons"] = {"values"};
    line["remarks"] = {"reduced_precision"};
    line["evidence"] = nullptr; // that of the other verdict does not go with it
    line["time_ms"] = line.at("time_ms").get<std::int64_t>() + 100000;
    room.write("wrong.jsonl", QByteArray::fromStdString(line.dump() + "\n"));
    QCOMPARE(callCli({"archive", "merge-verdicts", "--db", room.database(), room.path("wrong.jsonl")}).exitCode, 0);

    const auto labels = [&](const QStringList& arguments) {
        const CliAnswer answer =
            callCli(QStringList{"archive", arguments.first(), "--db", room.database(), "--json", "--limit", "0"} +
                    arguments.mid(1));
        std::vector<std::string> found;
        const json document = answer.json();
        for (const json& kernel : document.at(arguments.first() == "list" ? "kernels" : "hits"))
            found.push_back(kernel.at("label"));
        return found;
    };
    const auto all = labels({"list"});
    QCOMPARE(labels({"list", "--verdict", "wrong,fault"}), std::vector<std::string>{label});
    QCOMPARE(labels({"list", "--reason", "values", "--remark", "precision"}), std::vector<std::string>{label});
    QCOMPARE(labels({"list", "--verdict", "none"}).size(), all.size() - 2);
    QCOMPARE(labels({"search", "verdict:wrong,fault"}), std::vector<std::string>{label});
    QCOMPARE(labels({"search", "verdict:any -verdict:verified"}), std::vector<std::string>{label});
    const auto sorted = labels({"list", "--sort", "verdict", "--desc"});
    QCOMPARE(sorted.size(), all.size());
    QCOMPARE(sorted.front(), label); // worse than verified; those without one are behind both
    QVERIFY(sorted[1] != label);
    const json page = callCli({"archive", "list", "--db", room.database(), "--json", "--verdict", "any", "--limit", "1",
                               "--offset", "1"})
                          .json();
    QCOMPARE(page.at("total"), json(2));
    QCOMPARE(page.at("kernels").size(), std::size_t(1));

    const CliAnswer csv = callCli({"archive", "export", "--db", room.database(), "--format", "csv", "--out",
                                   room.path("out.csv"), "--verdict", "wrong"});
    QVERIFY2(csv.exitCode == 0, csv.messages.constData());
    const QByteArrayList lines = auditBytes(room.path("out.csv")).trimmed().split('\n');
    QCOMPARE(lines.size(), 2);
    QVERIFY2(lines[1].contains(",wrong,values,reduced_precision,"), lines[1].constData());

    for (const QStringList& wrong : {QStringList{"list", "--verdict", "wrnog"}, QStringList{"search", "verdcit:wrong"},
                                     QStringList{"search", "a OR"}, QStringList{"list", "--sort", "nothing"}}) {
        const CliAnswer refused =
            callCli(QStringList{"archive", wrong.first(), "--db", room.database()} + wrong.mid(1));
        QVERIFY2(refused.exitCode != 0, qPrintable(wrong.join(' ')));
        if (wrong.last() == "verdcit:wrong")
            QVERIFY2(refused.messages.contains("There is no field verdcit, verdict is the nearest"),
                     refused.messages.constData());
    }
    // Audits choose by verdicts as well: what is not tried is not wrong.
    QCOMPARE(callCli(room.audit({"--verdict", "wrong", "--again", "--jobs", "1"})).json().at("due"), json(1));
}

void TestAudit::aKilledAuditDoesTheRestOnly() {
    const AuditRoom room;
    const QString out = room.path("out.jsonl");
    const CliAnswer killed = callCli(room.audit({"--jobs", "1", "--out", out}), {}, [&](qint64 pid) {
        if (auditBytes(out).count('\n') >= 2) ::kill(pid_t(pid), SIGKILL);
    });
    QVERIFY(killed.crashed);
    const auto before = room.verdicts();
    QVERIFY(before.size() >= 2);
    const CliAnswer rest = callCli(room.audit({"--jobs", "2", "--out", room.path("rest.jsonl")}));
    QVERIFY2(rest.exitCode == 0, (rest.output + rest.messages).constData());
    const std::size_t kernels = rest.json().at("kernels");
    QCOMPARE(rest.json().at("judged_before"), json(before.size()));
    const auto judged = labelsOf(auditBytes(room.path("rest.jsonl")));
    QCOMPARE(judged.size(), kernels - before.size());
    for (const std::string& label : judged)
        QVERIFY2(!before.contains(label), label.c_str());
    QCOMPARE(room.verdicts().size(), kernels);
    // A line that the kill cut off is dropped when the file is continued.
    QFile file(out);
    QVERIFY(file.open(QIODevice::Append));
    file.write("{\"level\": 1, \"ta");
    file.close();
    QCOMPARE(callCli(room.audit({"--again", "--limit", "1", "--out", out})).exitCode, 0);
    QVERIFY(labelsOf(auditBytes(out)).size() >= 3);
}

void TestAudit::twoShardsMergedEqualTheWhole() {
    const AuditRoom whole;
    QCOMPARE(callCli(whole.audit({})).exitCode, 0);
    const auto expected = whole.verdicts();
    const AuditRoom room;
    const CliAnswer first = callCli(room.audit({"--shard", "1/2", "--verdicts", room.path("one.verdicts")}));
    const CliAnswer second = callCli(
        room.audit({"--shard", "2/2", "--verdicts", room.path("two.verdicts"), "--out", room.path("two.jsonl")}));
    QVERIFY(first.exitCode == 0 && second.exitCode == 0);
    QCOMPARE(first.json().at("kernels").get<std::size_t>() + second.json().at("kernels").get<std::size_t>(),
             expected.size());
    QVERIFY(room.verdicts().empty());
    const QStringList merge{"archive",
                            "merge-verdicts",
                            "--db",
                            room.database(),
                            "--json",
                            room.path("one.verdicts"),
                            room.path("two.jsonl")};
    const CliAnswer merged = callCli(merge);
    QVERIFY2(merged.exitCode == 0, (merged.output + merged.messages).constData());
    QCOMPARE(merged.json().at("added"), json(expected.size()));
    QCOMPARE(room.verdicts(), expected);
    QCOMPARE(callCli(merge).json().at("unchanged"), json(expected.size()));
    QCOMPARE(callCli(room.audit({})).json().at("due"), json(0));
}

void TestAudit::badKernelsCostThemselves() {
    const AuditRoom room;
    room.makeArchive({{"right", rightProduct()},
                      {"wrong", rightProduct().replace("sum += ", "sum -= ")},
                      {"syntax", auditBytes(fixture("add_syntax_error.cu"))},
                      {"endless", auditBytes(fixture("add_endless_kernel.cu"))},
                      {"endless_host", auditBytes(fixture("add_endless_host.cu"))},
                      {"throws", auditBytes(fixture("add_throws.cu"))},
                      {"empty", " "},
                      {"right_too", rightProduct() + "// again\n"}});
    const CliAnswer answer = callCli({"audit", "--db", room.database(), "--jobs", "2", "--time-limit", "10", "--json"});
    QVERIFY(!answer.crashed);
    QCOMPARE(answer.exitCode, 1); // archived as correct, all of them
    const std::map<std::string, std::string> expected = {
        {"right", "verified"},       {"wrong", "wrong"},  {"syntax", "compile_error"}, {"endless", "timeout"},
        {"endless_host", "timeout"}, {"throws", "wrong"}, {"empty", "compile_error"},  {"right_too", "verified"}};
    const json listed = callCli({"archive", "list", "--db", room.database(), "--json"}).json();
    for (const json& kernel : listed.at("kernels")) {
        const auto name = kernel.at("name").get<std::string>();
        QVERIFY2(kernel.at("our_verdict").at("verdict") == expected.at(name), (name + kernel.dump()).c_str());
    }
    QCOMPARE(answer.json().at("claims").at("standing"), json(2));
    QCOMPARE(answer.json().at("claims").at("undecided"), json(2));
    // A longer limit asks the two that did not end again, and nobody else.
    const CliAnswer longer = callCli({"audit", "--db", room.database(), "--jobs", "2", "--time-limit", "12", "--json"});
    QCOMPARE(longer.json().at("due"), json(2));
    // Without a card there is nothing to hold it against.
    const AuditRoom other;
    other.makeArchive({{"right", rightProduct()}}, 999);
    const CliAnswer unknown = callCli({"audit", "--db", other.database(), "--json"});
    QCOMPARE(unknown.exitCode, 0);
    QCOMPARE(unknown.json().at("reasons"), json({{"no_reference", 1}}));
}

void TestAudit::aKilledChildCostsNothing() {
    const AuditRoom room;
    int killed = 0;
    const CliAnswer answer = callCli(room.audit({"--jobs", "1"}), {}, [&](qint64 pid) {
        if (killed > 0) return;
        for (const qint64 child : childrenOf(pid))
            if (auditBytes(QStringLiteral("/proc/%1/cmdline").arg(child)).replace('\0', ' ').contains("worker run"))
                killed += ::kill(pid_t(child), SIGKILL) == 0;
    });
    QVERIFY(killed > 0);
    QVERIFY2(answer.exitCode == 0, (answer.output + answer.messages).constData());
    QCOMPARE(answer.json().at("claims").at("standing"), answer.json().at("claims").at("archived_correct"));
}

void TestAudit::anInterruptEndsInOrder() {
    const AuditRoom room;
    const QString out = room.path("out.jsonl");
    QList<qint64> children;
    const CliAnswer answer = callCli(room.audit({"--jobs", "2", "--out", out}), {}, [&](qint64 pid) {
        if (!children.isEmpty() || auditBytes(out).count('\n') < 1) return; // once: the end is not to be interrupted
        children = childrenOf(pid);
        for (const qint64 child : children)
            ::kill(pid_t(child), SIGINT); // as a terminal does
        QTest::qWait(20);
        ::kill(pid_t(pid), SIGINT);
    });
    QVERIFY(!answer.crashed);
    QCOMPARE(answer.exitCode, 130);
    QCOMPARE(answer.json().at("interrupted"), json(true));
    QVERIFY(!children.isEmpty());
    for (const qint64 child : children)
        WAIT_VERIFY(::kill(pid_t(child), 0) != 0);
    const auto kept = room.verdicts();
    QVERIFY(kept.size() >= 1);
    for (const auto& [label, verdict] : kept)
        QVERIFY2(verdict.at("verdict") == "verified", verdict.dump().c_str());
}

void TestAudit::hostileInputsAreRefused_data() {
    QTest::addColumn<QStringList>("more");
    QTest::newRow("shard") << QStringList{"--shard", "3/2"};
    QTest::newRow("no archive") << QStringList{"--db", "/nowhere/archive.sqlite"};
    QTest::newRow("verdicts that are none") << QStringList{"--verdicts", "FOLDER/text"};
    QTest::newRow("verdicts that are an archive") << QStringList{"--verdicts", "FOLDER/archive.sqlite"};
    QTest::newRow("out that is something else") << QStringList{"--out", "FOLDER/text"};
    QTest::newRow("out that is a folder") << QStringList{"--out", "FOLDER"};
    QTest::newRow("size") << QStringList{"--size", "huge"};
    QTest::newRow("jobs") << QStringList{"--jobs", "0"};
}

void TestAudit::hostileInputsAreRefused() {
    QFETCH(QStringList, more);
    const AuditRoom room;
    room.write("text", "no audit's file, and nothing to lose");
    const QByteArray archive = auditBytes(room.database());
    more.replaceInStrings("FOLDER", room.path(""));
    QStringList arguments = room.audit(more);
    if (more.first() == "--db") arguments.removeOne(room.database()), arguments.removeAt(1);
    const CliAnswer answer = callCli(arguments);
    QVERIFY(!answer.crashed);
    QVERIFY2(answer.exitCode == 2, (answer.output + answer.messages).constData());
    QVERIFY2(answer.json().contains("error"), answer.output.constData());
    QCOMPARE(auditBytes(room.path("text")), QByteArray("no audit's file, and nothing to lose"));
    QCOMPARE(auditBytes(room.database()), archive);
}

void TestAudit::aDamagedMergeChangesNothing() {
    const AuditRoom room;
    QCOMPARE(callCli(room.audit({"--limit", "2", "--out", room.path("out.jsonl")})).exitCode, 0);
    const auto before = room.verdicts();
    QByteArray lines = auditBytes(room.path("out.jsonl"));
    room.write("cut.jsonl", lines.left(lines.size() - 100));
    const CliAnswer merged = callCli({"archive", "merge-verdicts", "--db", room.database(), "--json",
                                      room.path("out.jsonl"), room.path("cut.jsonl")});
    QCOMPARE(merged.exitCode, 2);
    QVERIFY(merged.json().at("error").at("message").get<std::string>().find("cut.jsonl:2") != std::string::npos);
    QCOMPARE(room.verdicts(), before);
    QCOMPARE(callCli({"archive", "merge-verdicts", "--db", room.path("none.sqlite"), room.path("out.jsonl")}).exitCode,
             2);
    QVERIFY(!QFile::exists(room.path("none.sqlite.verdicts")));
    // What is damaged beside an archive is said, and the archive shown all the same.
    room.write("archive.sqlite.verdicts", "garbage");
    const CliAnswer listed = callCli({"archive", "list", "--db", room.database()});
    QCOMPARE(listed.exitCode, 0);
    QVERIFY(listed.messages.contains("damaged"));
}

KERNELARIUM_TEST(TestAudit);
