// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/TestCeilings.h"

#include "gpu/compile/NvJitLink.h"
#include "gpu/device/timing/Ceiling.h"
#include "gpu/device/timing/CeilingKernels.h"
#include "gpu/operators/EmulatorMachine.h"
#include "resources/ceilings/Arguments.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <cmath>
#include <cstring>
#include <map>

using namespace kernelarium;
using ceilings::CeilingArguments;

namespace {

const Result<std::vector<device::CeilingModule>>& hopper() {
    static const auto modules = device::compileCeilings(compile::Toolkit::find(), 9, 0);
    return modules;
}

/// The kernels of one file in the emulator.
class Emulated {
public:
    explicit Emulated(const std::string& file)
        : machine({.capacity = 64u << 20, .checks = true, .jobs = 2, .stop = {}}) {
        for (const device::CeilingModule& module : *hopper()) {
            if (module.file != file) continue;
            operators::KernelModule loaded{module.arch, module.ptx, {}, {}};
            for (const device::CeilingProbe& probe : device::ceilingProbes())
                if (probe.file == file) loaded.kernels.emplace_back(probe.kernel);
            const Result<void> done = machine.load(loaded);
            if (!done) failure = QString::fromStdString(done.error().text());
        }
    }
    template <class T>
    std::vector<T> run(std::string_view kernel, CeilingArguments a, std::uint32_t blocks, std::uint32_t threads,
                       std::size_t results) {
        auto out = machine.allocate(results * sizeof(T), "out");
        if (!out) return {};
        a.out = *out;
        const auto done = machine.launch({kernel, {blocks, 1, 1}, {threads, 1, 1}, 0, std::as_bytes(std::span(&a, 1))});
        std::vector<T> values(results);
        const auto read = machine.read(*out, std::as_writable_bytes(std::span(values)));
        if (!done || !read) failure = QString::fromStdString(done ? read.error().text() : done.error().text());
        if (!machine.faults().empty()) failure = QString::fromStdString(machine.faults().front().message);
        return values;
    }
    std::uint64_t place(const std::vector<std::uint32_t>& words) {
        auto at = machine.allocate(words.size() * 4, "in");
        if (!at || !machine.write(*at, std::as_bytes(std::span(words)))) failure = "no memory";
        return at ? *at : 0;
    }
    operators::EmulatorMachine machine;
    QString failure;
};

} // namespace

#define NEEDS_TOOLKIT()                                                                                                \
    if (!hopper() && hopper().error().code == "missing_component") QSKIP(hopper().error().message.c_str());            \
    QVERIFY2(hopper().ok(), hopper() ? "" : hopper().error().detail.c_str())

void TestCeilings::assembleEverywhere_data() {
    QTest::addColumn<int>("major");
    QTest::addColumn<int>("minor");
    QTest::addColumn<int>("files");
    for (const auto& [major, minor, files] :
         {std::array{7, 5, 2}, {8, 0, 3}, {8, 6, 3}, {8, 9, 3}, {9, 0, 4}, {10, 0, 3}, {12, 0, 3}})
        QTest::addRow("%d.%d", major, minor) << major << minor << files;
}

void TestCeilings::assembleEverywhere() {
    QFETCH(int, major);
    QFETCH(int, minor);
    QFETCH(int, files);
    const auto modules =
        major == 9 && minor == 0 ? hopper() : device::compileCeilings(compile::Toolkit::find(), major, minor);
    if (!modules && modules.error().code == "missing_component") QSKIP(modules.error().message.c_str());
    QVERIFY2(modules.ok(), modules ? "" : (modules.error().message + modules.error().detail).c_str());
    QCOMPARE(int(modules->size()), files);
    for (const device::CeilingModule& module : *modules)
        QVERIFY2(!module.cubin.empty(), module.file.c_str());
}

void TestCeilings::everyProbeHasItsKernel() {
    NEEDS_TOOLKIT();
    std::map<std::string_view, const device::CeilingModule*> modules;
    for (const device::CeilingModule& module : *hopper())
        modules[module.file] = &module;
    QVERIFY(modules.at("wgmma")->arch == "sm_90a");
    for (const device::CeilingProbe& probe : device::ceilingProbes()) {
        QVERIFY2(modules.contains(probe.file), std::string(probe.file).c_str());
        QVERIFY2(modules.at(probe.file)->ptx.find(".entry " + std::string(probe.kernel)) != std::string::npos,
                 std::string(probe.kernel).c_str());
        QVERIFY2(!perf::ceilingUnit(probe.key).empty(), std::string(probe.key).c_str());
    }
}

void TestCeilings::theWaitingKernelAssembles() {
    NEEDS_TOOLKIT();
    const auto linker = compile::NvJitLink::load(compile::Toolkit::find().nvJitLink);
    QVERIFY(linker.ok());
    for (const char* arch : {"-arch=sm_75", "-arch=sm_90", "-arch=sm_120"}) {
        const auto linked = (*linker)->link(device::waitingKernelPtx(), {arch});
        QVERIFY2(linked.ok, (arch + linked.errors).c_str());
    }
}

void TestCeilings::memoryKernelsMoveEveryByte() {
    NEEDS_TOOLKIT();
    Emulated memory("memory");
    constexpr std::uint32_t blocks = 2, threads = 512, count = 9001; // in 16 bytes: no multiple of anything
    std::vector<std::uint32_t> words(4 * count);
    std::uint32_t all = 0;
    for (std::size_t i = 0; i < words.size(); ++i)
        all ^= words[i] = std::uint32_t(i * 2654435761u);
    CeilingArguments a;
    a.in = memory.place(words);
    a.count = count;
    std::uint32_t sum = 0;
    for (const std::uint32_t word : memory.run<std::uint32_t>("readMemory", a, blocks, threads, 4 * blocks * threads))
        sum ^= word;
    QCOMPARE(sum, all);
    QCOMPARE(memory.run<std::uint32_t>("copyMemory", a, blocks, threads, words.size()), words);
    a.seed = 0xabcd;
    QCOMPARE(memory.run<std::uint32_t>("writeMemory", a, blocks, threads, words.size()),
             std::vector<std::uint32_t>(words.size(), 0xabcd));
    a.count = 2 * 4 * blocks * threads; // whole rounds, an odd number of times
    a.iterations = 3;
    all = sum = 0;
    for (std::size_t i = 0; i < 4 * a.count; ++i)
        all ^= words[i];
    for (const std::uint32_t word : memory.run<std::uint32_t>("readCache", a, blocks, threads, 4 * blocks * threads))
        sum ^= word;
    QCOMPARE(sum, all);
    // Thread t reads elements t, t + 256, ..., t + 7 * 256; element e holds words 4 e to 4 e + 3.
    const auto shared = memory.run<std::uint32_t>("readShared", a, 1, 256, 4 * 256);
    for (std::uint32_t t = 0; t < 256; ++t)
        for (std::uint32_t w = 0; w < 4; ++w) {
            std::uint32_t expected = 0;
            for (std::uint32_t k = 0; k < 8; ++k)
                expected ^= 4 * (t + 256 * k) + w;
            QCOMPARE(shared.at(4 * t + w), expected);
        }
    QVERIFY2(memory.failure.isEmpty(), qPrintable(memory.failure));
}

void TestCeilings::chainsTakeEveryStep() {
    NEEDS_TOOLKIT();
    Emulated rates("rates");
    CeilingArguments a;
    a.iterations = 2;
    a.factor = 0.75f;
    a.term = 0.5f;
    const auto floats = rates.run<float>("rateFloat", a, 1, 256, 256);
    const auto doubles = rates.run<double>("rateDouble", a, 1, 256, 256);
    for (int t = 0; t < 256; ++t) {
        float single = 0;
        double twice = 0;
        for (int k = 0; k < 8; ++k) {
            float x = float(t % 32 + k);
            double y = x;
            for (int step = 0; step < 32; ++step) {
                x = std::fma(x, 0.75f, 0.5f);
                y = std::fma(y, 0.75, 0.5);
            }
            single += x;
            twice += y;
        }
        QCOMPARE(floats.at(std::size_t(t)), single);
        QCOMPARE(doubles.at(std::size_t(t)), twice);
    }
    a.seed = 0x38003800u; // one half: x = x / 2 + 1 / 2 tends to 1
    a.iterations = 4;
    QCOMPARE(rates.run<std::uint32_t>("rateHalf", a, 1, 256, 256), std::vector<std::uint32_t>(256, 0x3c003c00u));
    a.seed = 0x3f003f00u;
    QCOMPARE(rates.run<std::uint32_t>("rateBfloat", a, 1, 256, 256), std::vector<std::uint32_t>(256, 0x3f803f80u));
    a.iterations = 3; // 2^-x tends to the number that is its own image, 0.6411857
    for (const float sum : rates.run<float>("rateSpecial", a, 1, 256, 256))
        QVERIFY2(std::abs(sum - 8 * 0.6411857f) < 1e-3f, qPrintable(QString::number(sum)));
    QVERIFY2(rates.failure.isEmpty(), qPrintable(rates.failure));
}

void TestCeilings::productsOfOnes_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<int>("elements"); // of a thread
    QTest::addColumn<int>("inner");
    QTest::addColumn<QString>("type");
    QTest::newRow("float16") << "mmaHalf" << 32 << 16 << "float";
    QTest::newRow("bfloat16") << "mmaBfloat" << 32 << 16 << "float";
    QTest::newRow("TF32") << "mmaTfloat" << 32 << 8 << "float";
    QTest::newRow("float8") << "mmaFloatEight" << 32 << 32 << "float";
    QTest::newRow("int8") << "mmaByte" << 32 << 32 << "int";
    QTest::newRow("float64") << "mmaDouble" << 16 << 4 << "double";
    QTest::newRow("float64, wide") << "mmaDoubleWide" << 16 << 16 << "double";
}

void TestCeilings::productsOfOnes() {
    NEEDS_TOOLKIT();
    QFETCH(QString, kernel);
    QFETCH(int, elements);
    QFETCH(int, inner);
    QFETCH(QString, type);
    Emulated tensor("tensor");
    if (!tensor.failure.isEmpty()) QSKIP(qPrintable("the emulator does not take these: " + tensor.failure));
    CeilingArguments a;
    a.iterations = 3;
    const double expected = elements * inner * 3;
    std::vector<double> got(256);
    const std::string name = kernel.toStdString();
    const auto into = [&](const auto& values) { std::copy(values.begin(), values.end(), got.begin()); };
    if (type == "int")
        into(tensor.run<int>(name, a, 1, 256, 256));
    else if (type == "float")
        into(tensor.run<float>(name, a, 1, 256, 256));
    else
        into(tensor.run<double>(name, a, 1, 256, 256));
    QVERIFY2(tensor.failure.isEmpty(), qPrintable(tensor.failure));
    QCOMPARE(got, std::vector<double>(256, expected));
}

KERNELARIUM_TEST(TestCeilings);
