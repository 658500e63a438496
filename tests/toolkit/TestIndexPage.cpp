// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolkit/TestIndexPage.h"

#include "core/toolkit/IndexPage.h"
#include "core/toolkit/PinnedWheels.h"
#include "tests/TestRegistry.h"

#include <QtTest>

using namespace kernelarium::toolkit;

namespace {
const std::string sumText(64, 'a');
constexpr const char* pageAddress = "https://index.example/simple/thing/";
} // namespace

void TestIndexPage::readsJson() {
    const auto files = readIndexPage(R"({"meta":{"api-version":"1.1"},"files":[
        {"filename":"thing-1-py3-none-any.whl","url":"../../packages/thing-1-py3-none-any.whl","hashes":{"sha256":")" +
                                         sumText + R"("},"size":12},
        {"filename":"thing-1.tar.gz","url":"//files.example/thing-1.tar.gz","hashes":{}}]})",
                                     "application/vnd.pypi.simple.v1+json", pageAddress);
    QVERIFY2(files.ok(), files.ok() ? "" : files.error().text().c_str());
    QCOMPARE(files->size(), 2U);
    QCOMPARE((*files)[0].address, std::string("https://index.example/packages/thing-1-py3-none-any.whl"));
    QCOMPARE((*files)[0].sha256, sumText);
    QVERIFY((*files)[0].bytes == std::optional<std::uint64_t>(12));
    QCOMPARE((*files)[1].address, std::string("https://files.example/thing-1.tar.gz"));
    QVERIFY((*files)[1].sha256.empty() && !(*files)[1].bytes);
}

void TestIndexPage::readsHtml() {
    const auto files = readIndexPage(
        "<!-- <a href=\"hidden-1.whl\"> --><A data-x='>' HREF = '/w/a%2Bb-1.whl?x=1&amp;y=2#sha256=" + sumText +
            "'>a</A><a href=thing.tar.gz>s</a><abbr href=\"no-1.whl\"></abbr>",
        "text/html; charset=utf-8", pageAddress);
    QVERIFY2(files.ok(), files.ok() ? "" : files.error().text().c_str());
    QCOMPARE(files->size(), 1U);
    QCOMPARE((*files)[0].name, std::string("a+b-1.whl"));
    QCOMPARE((*files)[0].address, std::string("https://index.example/w/a%2Bb-1.whl?x=1&y=2"));
    QCOMPARE((*files)[0].sha256, sumText);
}

void TestIndexPage::refusesWhatIsWrong_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("text");
    const QString json = QStringLiteral("application/vnd.pypi.simple.v1+json"), html = QStringLiteral("text/html");
    const auto entry = [](const QString& name, const QString& url, const QString& rest) {
        return QStringLiteral("{\"files\":[{\"filename\":\"%1\",\"url\":\"%2\"%3}]}").arg(name, url, rest);
    };
    const QString fine = QStringLiteral("x-1.whl");
    QTest::newRow("no JSON") << json << "garbage \x01 {";
    QTest::newRow("nested for ever") << json << QString(100'000, u'[');
    QTest::newRow("no list") << json << "{\"files\":7}";
    QTest::newRow("a number as name") << json << "{\"files\":[{\"filename\":7,\"url\":\"x\"}]}";
    QTest::newRow("a path as name") << json << entry("../../.bashrc", "x-1.whl", {});
    QTest::newRow("a folder's name") << json << entry("..", "x-1.whl", {});
    QTest::newRow("an insecure address") << json << entry(fine, "http://index.example/x-1.whl", {});
    QTest::newRow("a file's address") << json << entry(fine, "file:///etc/passwd", {});
    QTest::newRow("a size below zero") << json << entry(fine, fine, ",\"size\":-1");
    QTest::newRow("a size in words") << json << entry(fine, fine, ",\"size\":\"12\"");
    QTest::newRow("a short checksum") << json << entry(fine, fine, ",\"hashes\":{\"sha256\":\"abc\"}");
    QTest::newRow("a checksum in capitals")
        << json << entry(fine, fine, ",\"hashes\":{\"sha256\":\"" + QString(64, u'A') + "\"}");
    QTest::newRow("a number as checksum") << json << entry(fine, fine, ",\"hashes\":{\"sha256\":7}");
    QTest::newRow("a page without files") << html << "<html><body>Sign in</body></html>";
    QTest::newRow("a path as name in HTML") << html << "<a href=\"x/..%2Fy.whl\">y</a>";
    QTest::newRow("neither") << "image/png"
                             << "x";
    QTest::newRow("nothing") << ""
                             << "";
}

void TestIndexPage::refusesWhatIsWrong() {
    QFETCH(QString, kind);
    QFETCH(QString, text);
    const auto files = readIndexPage(text.toStdString(), kind.toStdString(), pageAddress);
    QVERIFY(!files.ok());
    QCOMPARE(files.error().code, std::string("bad_answer"));
}

void TestIndexPage::knowsFilesOfAWheel_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("fits");
    QTest::newRow("as published") << QString::fromStdString(pinnedWheels()[0].file) << true;
    QTest::newRow("plain linux") << "nvidia_cuda_nvrtc-13.0.88-py3-none-linux_x86_64.whl" << true;
    QTest::newRow("with a build") << "Nvidia.Cuda_NVRTC-13.0.88-2-py3-none-manylinux_2_28_x86_64.whl" << true;
    QTest::newRow("another version") << "nvidia_cuda_nvrtc-13.0.8-py3-none-linux_x86_64.whl" << false;
    QTest::newRow("another machine") << "nvidia_cuda_nvrtc-13.0.88-py3-none-manylinux_2_28_aarch64.whl" << false;
    QTest::newRow("Windows") << "nvidia_cuda_nvrtc-13.0.88-py3-none-win_amd64.whl" << false;
    QTest::newRow("another project") << "nvidia_cuda_nvcc-13.0.88-py3-none-linux_x86_64.whl" << false;
    QTest::newRow("no wheel") << "nvidia_cuda_nvrtc-13.0.88.tar.gz" << false;
}

void TestIndexPage::knowsFilesOfAWheel() {
    QFETCH(QString, file);
    QFETCH(bool, fits);
    QCOMPARE(isFileOf(pinnedWheels()[0], file.toStdString()), fits);
}

KERNELARIUM_TEST(TestIndexPage);
