// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/census/TestCensus.h"

#include "tests/TestRegistry.h"
#include "tests/census/Refusals.h"

#include <QDir>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

namespace kernelarium::test {

namespace {

QDir usesFolder() {
    return QDir(QStringLiteral(KERNELARIUM_SOURCE_DIR "/tests/census/uses"), QStringLiteral("*.uses"));
}

/// A census entry as .uses files write it.
std::string written(const std::string& section, const std::string& name) {
    return section == "methods" ? "." + name : name;
}

std::set<std::string> coveredNames() {
    std::set<std::string> names;
    for (const QFileInfo& file : usesFolder().entryInfoList())
        for (const Use& use : readUses(file.filePath().toStdString()))
            if (use.refuses.empty()) names.insert(use.names.begin(), use.names.end());
    return names;
}

} // namespace

void TestCensus::initTestCase() {
    m_unavailable = m_runner.unavailable();
}

void TestCensus::files() {
    QTest::addColumn<QString>("path");
    const auto list = usesFolder().entryInfoList();
    QVERIFY(!list.empty());
    for (const QFileInfo& file : list)
        QTest::newRow(qPrintable(file.completeBaseName())) << file.filePath();
}

void TestCensus::usesHoldTheirNames() {
    QFETCH(QString, path);
    for (const Use& use : readUses(path.toStdString()))
        for (const std::string& name : namesNotUsed(use))
            QFAIL(("line " + std::to_string(use.line) + " does not use " + name).c_str());
}

void TestCensus::usesWork() {
    QFETCH(QString, path);
    if (!m_unavailable.empty()) QSKIP(m_unavailable.c_str());
    const auto complaints = m_runner.complaints(readUses(path.toStdString()));
    for (const std::string& complaint : complaints)
        qWarning("%s", complaint.c_str()); // a failure's text has a limit
    QVERIFY2(complaints.empty(), complaints.empty() ? "" : complaints[0].c_str());
}

/// Every header of the shim, as the only one of a file.
void TestCensus::headersStandAlone() {
    if (!m_unavailable.empty()) QSKIP(m_unavailable.c_str());
    std::ifstream file(KERNELARIUM_SOURCE_DIR "/resources/shim/headers.txt");
    int count = 0;
    for (std::string line; std::getline(file, line);) {
        const std::string name = line.substr(0, line.find(':'));
        if (name.empty() || name[0] == '#') continue;
        ++count;
        const std::string errors =
            m_runner.errorsOf("#include <" + name + ">\n__global__ void k(float* x) { *x = 1; }\n");
        QVERIFY2(errors.empty(), (name + errors).c_str());
    }
    QVERIFY(count > 100);
}

void TestCensus::everyNameOfTheCensusIsUsedOrRefused() {
    std::ifstream file(KERNELARIUM_SHARED_DIR "/facts/archive_api_census.json");
    if (!file) QSKIP("facts/archive_api_census.json of the shared folder is absent");
    const std::set<std::string> covered = coveredNames();
    std::map<std::string, std::string> refused;
    for (const Refusal& refusal : refusals()) {
        refused[refusal.name] = refusal.reason;
        QVERIFY2(!refusal.reason.empty(), refusal.name.c_str());
        QVERIFY2(!covered.contains(refusal.name), ("used and refused: " + refusal.name).c_str());
    }
    const auto census = nlohmann::json::parse(file);
    std::string missing;
    std::size_t count = 0;
    for (const auto& [section, names] : census.items()) {
        if (!names.is_object()) continue;
        for (const auto& [name, kernels] : names.items()) {
            ++count;
            const std::string key = written(section, name);
            if (!covered.contains(key) && !refused.contains(key)) missing += " " + key;
        }
    }
    QVERIFY(count > 300);
    QVERIFY2(missing.empty(), ("neither used nor refused:" + missing).c_str());
}

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestCensus);
