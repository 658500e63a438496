// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/PreludeCache.h"
#include "gpu/compile/Toolkit.h"
#include "tests/TestRegistry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <memory>

using namespace kernelarium::compile;

/// Preludes that are precompiled in the process that uses them.
class PreludeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void everyOneHasAFileOfItsOwn();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QByteArray m_before;
};

void PreludeTest::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_before = qgetenv("TMPDIR");
    qputenv("TMPDIR", m_folder->path().toUtf8());
}

void PreludeTest::cleanup() {
    m_before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", m_before);
    m_folder.reset();
}

/// The sets of options that a warm compile child goes through: NVRTC silently passes by a header of another set.
void PreludeTest::everyOneHasAFileOfItsOwn() {
    const Toolkit toolkit = Toolkit::find();
    if (!toolkit.check()) QSKIP("there is no CUDA toolkit");
    auto nvrtc = Nvrtc::load(toolkit.nvrtc);
    QVERIFY2(nvrtc.ok(), nvrtc ? "" : nvrtc.error().text().c_str());
    const std::vector<std::string> whole{"-arch=compute_90", "-std=c++17", "-default-device", "-rdc=true"};
    std::vector<std::string> checked = whole;
    checked.emplace_back("--fdevice-syntax-only");
    const auto filesIn = [this] {
        QStringList files;
        QDir folder(m_folder->path());
        for (const QString& name : folder.entryList({QStringLiteral("kernelarium-pch-*")}, QDir::Dirs))
            files << QDir(folder.filePath(name)).entryList({QStringLiteral("*.pch")}, QDir::Files);
        return files;
    };
    {
        PreludeCache cache;
        const auto compile = [&](const std::vector<std::string>& options, PreludeCache::Prelude prelude) {
            const Nvrtc::Output out =
                cache.compile(**nvrtc, "__global__ void k(float* x) { x[0] = 1; }\n", options, prelude);
            if (!out.ok) qWarning("%s", out.log.c_str());
            return out.ptx;
        };
        std::vector<std::string> first;
        for (int round = 0; round < 3; ++round) {
            std::vector<std::string> ptx;
            for (const auto prelude : {PreludeCache::Prelude::plain, PreludeCache::Prelude::program})
                for (const auto& options : {checked, whole})
                    ptx.push_back(compile(options, prelude));
            if (round == 0) {
                first = ptx;
                QVERIFY(first[1].find(".entry") != std::string::npos && filesIn().isEmpty());
            }
            QCOMPARE(ptx, first); // with a precompiled header and without
        }
        QCOMPARE(filesIn().size(), qsizetype(4));
        PreludeCache expecting;
        expecting.expectMany(); // there with the first source
        const Nvrtc::Output out = expecting.compile(**nvrtc, "__global__ void k(float* x) { x[0] = 1; }\n", whole,
                                                    PreludeCache::Prelude::plain);
        QVERIFY2(out.ok, out.log.c_str());
        QCOMPARE(out.ptx, first[1]);
        QCOMPARE(filesIn().size(), qsizetype(5));
    }
    QVERIFY(filesIn().isEmpty());
}

KERNELARIUM_TEST(PreludeTest);
#include "PreludeTest.moc"
