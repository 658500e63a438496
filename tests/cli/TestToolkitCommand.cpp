// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestToolkitCommand.h"

#include "core/toolkit/FoundToolkits.h"
#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"
#include "tests/toolkit/WheelMaker.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <memory>

namespace {

std::unique_ptr<QTemporaryDir> emptyData;
QString systemsToolkit; ///< of this machine, before it was hidden
QByteArray dataBefore, pathBefore;

} // namespace

void TestToolkitCommand::initTestCase() {
    qputenv("KERNELARIUM_HUB_RETRY_MS", "1");
    for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"})
        qunsetenv(name);
    using namespace kernelarium::toolkit;
    const Toolkits found = findToolkits();
    if (const auto from = found.usedOf[std::size_t(Part::nvrtc)])
        systemsToolkit = QString::fromStdString(found.found[*from].root);
    emptyData = std::make_unique<QTemporaryDir>();
    dataBefore = qgetenv("XDG_DATA_HOME");
    pathBefore = qgetenv("CUDA_PATH");
    qputenv("XDG_DATA_HOME", emptyData->path().toUtf8());
    qputenv("KERNELARIUM_TEST_SYSTEM_ROOT", "/nowhere");
    qunsetenv("CUDA_PATH");
    qunsetenv("CUDA_HOME");
}

void TestToolkitCommand::cleanupTestCase() {
    qunsetenv("KERNELARIUM_TEST_SYSTEM_ROOT");
    dataBefore.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", dataBefore);
    if (!pathBefore.isNull()) qputenv("CUDA_PATH", pathBefore);
    emptyData.reset();
}

void TestToolkitCommand::saysWhatIsMissing() {
    CliAnswer answer = callCli({"toolkit", "show", "--json"});
    QCOMPARE(answer.exitCode, 3);
    QVERIFY(answer.json().at("toolkits").empty());
    QCOMPARE(answer.json().at("can_compile").get<bool>(), false);
    QVERIFY(answer.json().at("brought").is_null());
    answer = callCli({"toolkit", "show"});
    QVERIFY(answer.output.contains("toolkit get"));
    answer = callCli({"compile", fixture("relu_right.cu")});
    QCOMPARE(answer.exitCode, 3);
    QVERIFY2(answer.messages.contains("kernelarium-cli toolkit get"), answer.messages.constData());
    answer = callCli({"toolkit", "remove", "--json"});
    QCOMPARE(answer.exitCode, 0);
    QCOMPARE(answer.json().at("removed_bytes").get<int>(), 0);
}

void TestToolkitCommand::showsSizesAndLicenceFirst() {
    HubServer server(indexOf(smallWheels()));
    const QString index = server.host() + "/simple/";
    CliAnswer answer = callCli({"toolkit", "get", "--index", index, "--list", "--json"});
    QCOMPARE(answer.exitCode, 0);
    const auto offer = answer.json();
    QCOMPARE(offer.at("wheels").size(), kernelarium::toolkit::pinnedWheels().size());
    QVERIFY(offer.at("bytes").get<int>() > 100'000);
    QVERIFY(offer.at("licence").at("address").get<std::string>().starts_with("https://docs.nvidia.com"));
    answer = callCli({"toolkit", "get", "--index", index, "--licence", "--json"});
    QCOMPARE(answer.exitCode, 0);
    QCOMPARE(answer.json().at("licence").get<std::string>(), std::string("Terms\n"));
    QCOMPARE(server.contentRequests().size(), 1); // the smallest wheel's
    server.forgetRequests();
    // Nobody accepted anything: nothing is fetched.
    answer = callCli({"toolkit", "get", "--index", index, "--json"});
    QCOMPARE(answer.exitCode, 2);
    QCOMPARE(answer.json().at("error").at("code").get<std::string>(), std::string("not_accepted"));
    QVERIFY(answer.messages.contains("End User License Agreement"));
    QVERIFY(answer.messages.contains("nvidia-cuda-nvrtc"));
    QVERIFY(server.contentRequests().isEmpty());
}

void TestToolkitCommand::getsGoesOnCompilesAndIsRemoved() {
    if (systemsToolkit.isEmpty()) QSKIP("There is no toolkit here to make wheels of.");
    const auto wheels = wheelsOf(systemsToolkit);
    if (wheels.isEmpty()) QSKIP("The toolkit here is another release than the one that is brought.");
    HubBehaviour behaviour = indexOf(wheels);
    behaviour.pieceBytes = 1 << 20; // some seconds in all
    HubServer server(behaviour);
    const QStringList get{"toolkit", "get", "--index", server.host() + "/simple", "--yes", "--json"};
    const QDir downloads(emptyData->filePath("kernelarium/toolkit/downloads"));
    const CliAnswer killed = callCli(get, {}, [&downloads](qint64 pid) {
        for (const QFileInfo& part : downloads.entryInfoList({"*.part"}))
            if (part.size() > 0) ::kill(pid_t(pid), SIGKILL);
    });
    QVERIFY(killed.crashed);
    QCOMPARE(callCli({"toolkit", "show"}).exitCode, 3);
    behaviour.pieceBytes = 0;
    server.behave(behaviour);
    server.forgetRequests();
    CliAnswer answer = callCli(get);
    QVERIFY2(answer.exitCode == 0, answer.messages + answer.output);
    QVERIFY(server.contentRequests().first().range.startsWith("bytes="));
    const QString root = QString::fromStdString(answer.json().at("folder").get<std::string>());
    QVERIFY(root.startsWith(emptyData->path()));
    QCOMPARE(answer.json().at("was_there").get<bool>(), false);

    answer = callCli({"toolkit", "show", "--json"});
    QCOMPARE(answer.exitCode, 0);
    const auto shown = answer.json();
    QCOMPARE(shown.at("toolkits").size(), 1U);
    QCOMPARE(shown.at("toolkits")[0].at("found").get<std::string>(), std::string("brought"));
    for (const char* part : {"nvrtc", "nvjitlink", "ptxas", "headers", "device_runtime"})
        QVERIFY(QString::fromStdString(shown.at("used").at(part).get<std::string>()).startsWith(root));

    answer = callCli({"verify", fixture("relu_right.cu"), "--task", "1/19", "--json"});
    QVERIFY2(answer.exitCode == 0, answer.messages + answer.output);
    QCOMPARE(answer.json().at("verdict").get<std::string>(), std::string("verified"));
    QFile headers(emptyData->filePath("headers.cu"));
    QVERIFY(headers.open(QIODevice::WriteOnly));
    headers.write("#include <cuda/atomic>\n#include <cuda_fp16.h>\n#include <mma.h>\n#include <cooperative_groups.h>\n"
                  "__global__ void inner(int* x) { *x = 1; }\n"
                  "__global__ void outer(int* x) { inner<<<1, 1>>>(x); }\n");
    headers.close();
    answer = callCli({"compile", headers.fileName(), "--json"});
    QVERIFY2(answer.exitCode == 0, answer.messages + answer.output);

    answer = callCli(get);
    QCOMPARE(answer.exitCode, 0);
    QCOMPARE(answer.json().at("was_there").get<bool>(), true);
    answer = callCli({"toolkit", "remove", "--json"});
    QCOMPARE(answer.exitCode, 0);
    QVERIFY(answer.json().at("removed_bytes").get<qint64>() > 200'000'000);
    QVERIFY(!QFile::exists(root));
    QCOMPARE(callCli({"compile", fixture("relu_right.cu")}).exitCode, 3);
}

void TestToolkitCommand::refusals() {
    CliAnswer answer = callCli({"toolkit", "get", "--index", "http://127.0.0.1:1/simple", "--yes", "--json"});
    QCOMPARE(answer.exitCode, 1);
    QCOMPARE(answer.json().at("error").at("code").get<std::string>(), std::string("no_network"));
    answer = callCli({"toolkit", "get", "--index", "ftp://example.org/simple", "--yes", "--json"});
    QCOMPARE(answer.exitCode, 2);
    answer = callCli({"toolkit", "get", "--from", "/nowhere", "--yes", "--json"});
    QCOMPARE(answer.exitCode, 2);
    QCOMPARE(answer.json().at("error").at("code").get<std::string>(), std::string("unreadable_folder"));
    QCOMPARE(callCli({"toolkit", "get", "--from", "/nowhere", "--index", "http://127.0.0.1:1"}).exitCode, 2);
    QCOMPARE(callCli({"toolkit"}).exitCode, 2);
}

KERNELARIUM_TEST(TestToolkitCommand);
