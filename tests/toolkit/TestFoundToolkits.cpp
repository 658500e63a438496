// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolkit/TestFoundToolkits.h"

#include "core/toolkit/Bring.h"
#include "core/toolkit/FoundToolkits.h"
#include "tests/TestRegistry.h"
#include "tests/toolkit/WheelMaker.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <memory>

using namespace kernelarium;
using namespace kernelarium::toolkit;

namespace {

std::unique_ptr<QTemporaryDir> foundIn;

QString foundPath(const QString& name) {
    return foundIn->filePath(name);
}

/// A toolkit with these files, all empty.
void makeToolkit(const QString& root, const QStringList& files) {
    for (const QString& file : files) {
        const QString path = foundPath(root + "/" + file);
        QDir().mkpath(QFileInfo(path).path());
        QFile made(path);
        if (!made.open(QIODevice::WriteOnly)) qFatal("no room");
    }
}

QStringList wholeToolkit(const QString& version) {
    const QString major = version.section('.', 0, 0);
    return {"lib64/libnvrtc.so." + major,
            "lib64/libnvrtc-builtins.so." + version,
            "lib64/libnvJitLink.so." + major,
            "lib64/libcudadevrt.a",
            "include/cuda_fp16.h",
            "bin/ptxas",
            "bin/nvdisasm"};
}

QString usedPart(const Toolkits& all, Part part) {
    return QDir(foundIn->path()).relativeFilePath(QString::fromStdString(of(all.used, part)));
}

} // namespace

void TestFoundToolkits::init() {
    foundIn = std::make_unique<QTemporaryDir>();
    qputenv("KERNELARIUM_TEST_SYSTEM_ROOT", foundPath("root").toUtf8());
    qputenv("XDG_DATA_HOME", foundPath("data").toUtf8());
    qunsetenv("CUDA_PATH");
    qunsetenv("CUDA_HOME");
}

void TestFoundToolkits::cleanup() {
    foundIn.reset();
    for (const char* name : {"KERNELARIUM_TEST_SYSTEM_ROOT", "XDG_DATA_HOME", "CUDA_PATH"})
        qunsetenv(name);
}

void TestFoundToolkits::nothing() {
    const Toolkits all = findToolkits();
    QVERIFY(all.found.empty() && !all.canCompile());
    QVERIFY(missingTexts(all).size() == 2);
    QVERIFY(!all.searched.empty());
}

void TestFoundToolkits::theSystems() {
    makeToolkit("root/usr/local/cuda-13.0", wholeToolkit("13.0"));
    const Toolkits all = findToolkits();
    QCOMPARE(all.found.size(), 1U);
    QCOMPARE(all.found[0].origin, Origin::system);
    QCOMPARE(all.found[0].version, std::string("13.0"));
    QVERIFY(all.canCompile() && missingTexts(all).empty());
    QCOMPARE(usedPart(all, Part::ptxas), QString("root/usr/local/cuda-13.0/bin/ptxas"));
    const QString use = QString::fromStdString(useText(all, 0));
    for (const Part part : allParts)
        QVERIFY(use.contains(QLatin1String(partUse(part).data(), qsizetype(partUse(part).size()))));
}

void TestFoundToolkits::partsOfOnePlaceStayTogether() {
    makeToolkit("root/usr/local/cuda-13.1", {"lib64/libnvrtc.so.13", "lib64/libnvrtc-builtins.so.13.1", "bin/ptxas"});
    makeToolkit("root/usr/local/cuda-13.0", wholeToolkit("13.0"));
    const Toolkits all = findToolkits();
    QCOMPARE(all.found.size(), 2U);
    for (const Part part : allParts)
        QVERIFY2(usedPart(all, part).startsWith("root/usr/local/cuda-13.0/"), qPrintable(usedPart(all, part)));
    QVERIFY(QString::fromStdString(useText(all, 0)).startsWith("not used: it only has NVRTC"));
}

void TestFoundToolkits::tooOldIsTheLastChoice() {
    makeToolkit("root/usr/local/cuda", wholeToolkit("12.2"));
    Toolkits all = findToolkits();
    QVERIFY(all.canCompile()); // it is all there is; that is said
    QVERIFY(missingTexts(all).front().find("older than 12.8") != std::string::npos);
    makeToolkit("root/opt/cuda",
                {"lib64/libnvrtc.so.12", "lib64/libnvrtc-builtins.so.12.8.93", "lib64/libnvJitLink.so.12"});
    all = findToolkits();
    QCOMPARE(usedPart(all, Part::nvrtc), QString("root/opt/cuda/lib64/libnvrtc.so.12"));
    QCOMPARE(all.found[1].version, std::string("12.8"));
    QVERIFY(of(all.used, Part::ptxas).empty()); // another toolkit's does not do
}

void TestFoundToolkits::broughtGoesBeforeTheSystems() {
    makeToolkit("root/usr/local/cuda-13.0", wholeToolkit("13.0"));
    const QTemporaryDir wheels;
    writeWheels(smallWheels(), QDir(wheels.path()));
    const auto offer = askSource({{}, wheels.path().toStdString()});
    QVERIFY(offer.ok());
    QVERIFY(bring({*offer, toolkitFolder(), true, {}}).ok());
    const Toolkits all = findToolkits();
    QCOMPARE(all.found.size(), 2U);
    QCOMPARE(all.found[0].origin, Origin::brought);
    QCOMPARE(all.found[0].version, std::string("13.0"));
    for (const Part part : allParts)
        QCOMPARE(usedPart(all, part).startsWith("data/kernelarium/toolkit/13.0.2/"), part != Part::nvdisasm);
    QCOMPARE(useText(all, 1), std::string("SASS listings"));
    QVERIFY(removeToolkit(toolkitFolder()).ok());
    QCOMPARE(findToolkits().found.size(), 1U);
}

void TestFoundToolkits::theEnvironmentGoesBeforeBrought() {
    makeToolkit("mine", wholeToolkit("12.9"));
    makeToolkit("root/usr/local/cuda-13.0", wholeToolkit("13.0"));
    qputenv("CUDA_PATH", foundPath("mine").toUtf8());
    const Toolkits all = findToolkits();
    QCOMPARE(all.found[0].origin, Origin::variable);
    QCOMPARE(usedPart(all, Part::nvrtc), QString("mine/lib64/libnvrtc.so.12"));
    QCOMPARE(useText(all, 1), std::string("not used: another one comes first"));
}

void TestFoundToolkits::aNamedOneAlone() {
    makeToolkit("root/usr/local/cuda-13.0", wholeToolkit("13.0"));
    const Toolkits all = findToolkits(foundPath("nowhere").toStdString());
    QVERIFY(all.found.empty());
    QCOMPARE(all.searched.size(), 4U);
}

void TestFoundToolkits::onePlaceUnderTwoNames() {
    makeToolkit("root/usr/local/cuda-13.0", wholeToolkit("13.0"));
    QVERIFY(QFile::link(foundPath("root/usr/local/cuda-13.0"), foundPath("root/usr/local/cuda")));
    QCOMPARE(findToolkits().found.size(), 1U);
}

void TestFoundToolkits::pythonPackages() {
    // Of before CUDA 13 a folder for each package; headers without those that they include are none.
    const QString site = "root/usr/lib/python3.11/site-packages/nvidia/";
    makeToolkit(site + "cuda_nvrtc", {"lib/libnvrtc.so.12", "lib/libnvrtc-builtins.so.12.8"});
    makeToolkit(site + "nvjitlink", {"lib/libnvJitLink.so.12"});
    makeToolkit(site + "cuda_runtime", {"include/cuda_fp16.h", "lib/libcudart.so.12"});
    Toolkits all = findToolkits();
    QCOMPARE(all.found.size(), 1U);
    QCOMPARE(all.found[0].origin, Origin::wheels);
    QCOMPARE(all.found[0].version, std::string("12.8"));
    QVERIFY(all.canCompile());
    QCOMPARE(usedPart(all, Part::nvJitLink), site + "nvjitlink/lib/libnvJitLink.so.12");
    QVERIFY(of(all.used, Part::headers).empty());
    makeToolkit(site + "cu13", {"lib/libnvrtc.so.13", "lib/libnvrtc-builtins.so.13.0", "lib/libnvJitLink.so.13",
                                "include/cuda_fp16.h", "include/crt/host_defines.h", "bin/ptxas"});
    all = findToolkits();
    QCOMPARE(all.found.size(), 2U);
    QCOMPARE(usedPart(all, Part::nvrtc), site + "cu13/lib/libnvrtc.so.13");
    QCOMPARE(usedPart(all, Part::headers), site + "cu13/include");
}

KERNELARIUM_TEST(TestFoundToolkits);
