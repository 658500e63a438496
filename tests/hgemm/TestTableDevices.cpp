// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/laboratory/ComparedTable.h"
#include "core/hgemm/laboratory/Comparison.h"
#include "core/hgemm/laboratory/TableDevices.h"
#include "tests/TestRegistry.h"

#include <QTest>

using namespace kernelarium;
using namespace kernelarium::hgemm;

class TestTableDevices : public QObject {
    Q_OBJECT
private slots:
    void theGpusOwnRowsCount_data();
    void theGpusOwnRowsCount();
    void namedByAPerson();
    void eachDeviceHasItsOwnChoice();
    void theShippedTable();
    void theShippedFigures();
    void damagedFigures_data();
    void damagedFigures();
};

namespace {

/// Two devices of which one has another kernel, and falls back.
std::vector<BestRow> twoDevices() {
    Configuration first, second;
    second.stages = 4;
    return {{"NVIDIA H200", {64, 64, 64}, Mode::hot, first, 1e-6, 2e-6},
            {"NVIDIA H100 80GB HBM3", {64, 64, 64}, Mode::hot, second, 3e-6, 2e-6},
            {"NVIDIA H100 80GB HBM3", {4096, 4096, 4096}, Mode::hot, second, 1e-4, 2e-4}};
}

} // namespace

void TestTableDevices::theGpusOwnRowsCount_data() {
    QTest::addColumn<QString>("gpu");
    QTest::addColumn<QString>("device");
    QTest::newRow("itself") << "NVIDIA H100 80GB HBM3"
                            << "NVIDIA H100 80GB HBM3";
    QTest::newRow("a sister") << "NVIDIA H100 PCIe"
                              << "NVIDIA H100 80GB HBM3";
    QTest::newRow("another sister") << "NVIDIA H200 NVL"
                                    << "NVIDIA H200";
    QTest::newRow("a stranger") << "NVIDIA L4"
                                << "NVIDIA H200";
    QTest::newRow("none") << ""
                          << "NVIDIA H200";
}

void TestTableDevices::theGpusOwnRowsCount() {
    QFETCH(QString, gpu);
    QFETCH(QString, device);
    QCOMPARE(deviceFor(twoDevices(), gpu.toStdString()), device.toStdString());
    QCOMPARE(deviceFor({}, gpu.toStdString()), std::string());
}

void TestTableDevices::namedByAPerson() {
    const std::vector<BestRow> rows = twoDevices();
    for (const char* words : {"h100", "NVIDIA H100 80GB HBM3", "hbm3"})
        QCOMPARE(deviceNamed(rows, words).value(), std::string("NVIDIA H100 80GB HBM3"));
    for (const char* words : {"nvidia", "a100", ""}) {
        const Result<std::string> named = deviceNamed(rows, words);
        QVERIFY(!named);
        QCOMPARE(named.error().code, std::string("bad_usage"));
        QVERIFY(named.error().action.find("NVIDIA H200, NVIDIA H100 80GB HBM3") != std::string::npos);
    }
    QVERIFY(deviceNamed({}, "h100").error().action.find("empty") != std::string::npos);
}

void TestTableDevices::eachDeviceHasItsOwnChoice() {
    const std::vector<BestRow> rows = twoDevices();
    for (const auto& [device, falls] : {std::pair("NVIDIA H200", false), {"NVIDIA H100 80GB HBM3", true}}) {
        bool fallsBack = false;
        const MeasureRequest request = comparisonRequest(rowsOf(rows, device), {64, 64, 64}, Mode::hot, fallsBack);
        QCOMPARE(fallsBack, falls);
        QCOMPARE(request.subjects.front().kind == Subject::Kind::family, !falls);
    }
    QCOMPARE(rowsOf(rows, "NVIDIA H100 80GB HBM3").size(), std::size_t(2));
    QVERIFY(rowsOf(rows, "NVIDIA").empty());
}

void TestTableDevices::theShippedTable() {
    const std::vector<BestRow>& rows = shippedBestTable();
    const std::vector<std::string> devices = devicesOf(rows);
    QCOMPARE(devices.size(), std::size_t(2));
    std::size_t all = 0;
    for (const std::string& device : devices) {
        const std::vector<BestRow> own = rowsOf(rows, device);
        all += own.size();
        for (const BestRow& row : own)
            QCOMPARE(bestFor(own, row.shape, row.mode, row.configuration.halfSums)->configuration.key(),
                     row.configuration.key());
    }
    QCOMPARE(all, rows.size());
}

/// Each has its noise, and what is compared was chosen.
void TestTableDevices::theShippedFigures() {
    const std::vector<ComparedRow>& rows = shippedComparedTable();
    QCOMPARE(rows.size(), std::size_t(600));
    for (const ComparedRow& row : rows) {
        for (const auto* time : {&row.ours, &row.autotuned, &row.heuristic, &row.cublas})
            QVERIFY(!*time || ((*time)->noise && *(*time)->noise >= 0 && (*time)->seconds > 0));
        const std::vector<BestRow> own = rowsOf(shippedBestTable(), row.device);
        const BestRow* chosen = bestFor(own, row.shape, row.mode);
        QVERIFY(chosen && chosen->shape == row.shape);
    }
}

void TestTableDevices::damagedFigures_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("word");
    QTest::newRow("another version's") << QByteArray("NVIDIA H200,64_64_64,hot,2,1,3,4,3,5,3,3") << "fifteen";
    QTest::newRow("no mode") << QByteArray("NVIDIA H200,64_64_64,warm,2,1,3,0.1,4,3,5,0.1,3,0.1,3,0.1") << "mode";
    QTest::newRow("no time") << QByteArray("NVIDIA H200,64_64_64,hot,0,1,3,0.1,4,3,5,0.1,3,0.1,3,0.1") << "time";
    QTest::newRow("no noise") << QByteArray("NVIDIA H200,64_64_64,hot,2,1,3,nan,4,3,5,0.1,3,0.1,3,0.1") << "noise";
}

void TestTableDevices::damagedFigures() {
    QFETCH(QByteArray, line);
    QFETCH(QString, word);
    const std::string good = "NVIDIA H200,64_64_64,hot,,,,,4,3,5,0.1,3,,3,0.1\n";
    const std::string header =
        "device,mnk,mode,ours_us,ours_from,ours_to,ours_noise,autotuned_us,autotuned_from,autotuned_to,autotuned_noise,"
        "heuristic_us,heuristic_noise,cublas_us,cublas_noise\n";
    const Result<std::vector<ComparedRow>> read = parseComparedTable(header + good);
    QVERIFY(read.ok());
    QVERIFY(!read->front().ours && read->front().autotuned->noise == 0.1 && !read->front().heuristic->noise);
    const Result<std::vector<ComparedRow>> refused = parseComparedTable(header + good + line.toStdString() + "\n");
    QVERIFY(!refused);
    const QString why = QString::fromStdString(refused.error().message);
    QVERIFY2(why.startsWith("Line 3:") && why.contains(word), qPrintable(why));
    QVERIFY(!parseComparedTable("device,mnk,mode\n"));
}

KERNELARIUM_TEST(TestTableDevices);
#include "TestTableDevices.moc"
