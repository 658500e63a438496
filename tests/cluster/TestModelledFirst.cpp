// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QTemporaryDir>
#include <QtTest>

namespace {

using nlohmann::json;

/// What nodes without a GPU have ruled out is not looked at again.
class TestModelledFirst : public QObject {
    Q_OBJECT

private slots:
    void leavesOutWhatWasRuledOut();
    void otherPointsAreRefused();

private:
    static QStringList sweepOf(const QString& store, const QStringList& more) {
        return QStringList{
                   "tune",  fixture("tunable_relu.cu"), "--task", "1/19", "--store", store, "--strategy", "exhaustive",
                   "--json"} +
               more;
    }
};

void TestModelledFirst::leavesOutWhatWasRuledOut() {
    const QTemporaryDir folder;
    const QString first = folder.filePath("first.sweep"), second = folder.filePath("second.sweep");
    const CliAnswer ruled = callCli(sweepOf(first, {"--verify", "every", "--size", "small"}));
    QVERIFY2(ruled.exitCode == 0, ruled.output + ruled.messages);
    QCOMPARE(ruled.json().at("counts").at("wrong"), json(3));
    const QStringList wish{"--verify", "none", "--modelled", first, "--modelled-within"};
    const CliAnswer rest = callCli(sweepOf(second, wish + QStringList{"0"}));
    QVERIFY2(rest.exitCode == 0, rest.output + rest.messages);
    QCOMPARE(rest.json().at("counts"),
             (json{{"valued", 3}, {"filtered", 3}, {"refused", 0}, {"wrong", 0}, {"failed", 0}}));
    for (const json& row : rest.json().at("rows"))
        if (!row.at("parameters").at("TAIL").get<bool>()) {
            QCOMPARE(row.at("filtered"), json(true));
            QVERIFY2(row.at("reason").get<std::string>().starts_with("wrong before: "), row.dump().c_str());
        }
    // It is another sweep than one that looks at all, and resumed it is the same.
    const CliAnswer other = callCli(sweepOf(second, {"--verify", "none"}));
    QVERIFY2(other.exitCode == 2 && other.output.contains("left out"), other.output);
    QVERIFY(callCli({"tune", "resume", second, "--json"}).exitCode == 0);
    // A cut that nothing but the best and the kernel as it stands passes.
    const CliAnswer narrow = callCli(sweepOf(folder.filePath("third.sweep"), wish + QStringList{"1"}));
    const json found = narrow.json();
    QVERIFY2(found.at("counts").at("valued").get<int>() <= 2, narrow.output);
    QCOMPARE(found.at("best").at("key"), ruled.json().at("best").at("key"));
    QVERIFY(!found.at("start").is_null());
}

void TestModelledFirst::otherPointsAreRefused() {
    const QTemporaryDir folder;
    const QString first = folder.filePath("first.sweep");
    QVERIFY(callCli(sweepOf(first, {"--budget", "1"})).exitCode == 0);
    const CliAnswer other = callCli(sweepOf(folder.filePath("b.sweep"), {"--modelled", first, "--fast-math"}));
    QVERIFY2(other.exitCode == 2 && other.output.contains("other_search"), other.output);
    const CliAnswer none = callCli(sweepOf(folder.filePath("c.sweep"), {"--modelled", folder.filePath("nowhere")}));
    QVERIFY2(none.exitCode == 2 && none.output.contains("nowhere"), none.output);
}

KERNELARIUM_TEST(TestModelledFirst);

} // namespace

#include "TestModelledFirst.moc"
