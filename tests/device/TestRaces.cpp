// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/TestRaces.h"

#include "gpu/compile/NvJitLink.h"
#include "gpu/device/timing/RaceKernels.h"
#include "gpu/device/timing/Timing.h"
#include "gpu/operators/EmulatorMachine.h"
#include "gpu/protocol/schedules/ScheduleMeasurer.h"
#include "tests/TestRegistry.h"
#include "tests/device/Gpu.h"

#include <QFileInfo>
#include <QtTest>
#include <fmt/format.h>

using namespace kernelarium;
using test::bound;
using test::Gpu;

namespace {

struct CountingArguments {
    std::uint64_t one, other, bytes, counter;
};

/// Our kernels in the emulator.
struct EmulatedRace {
    EmulatedRace()
        : machine({.capacity = 64u << 20, .checks = true, .jobs = 2, .stop = {}}) {
        operators::KernelModule loaded{"sm_90", device::raceKernelsPtx(), {}, {}};
        loaded.kernels = {"kl_differ", "kl_scrub"};
        if (const Result<void> done = machine.load(loaded); !done) failure = done.error().text();
    }
    std::uint64_t place(const std::vector<std::uint8_t>& bytes) {
        const auto at = machine.allocate(bytes.size(), "bytes");
        if (!at || !machine.write(*at, std::as_bytes(std::span(bytes)))) failure = "no memory";
        return at ? *at : 0;
    }
    template <class Arguments>
    void launch(std::string_view kernel, std::uint32_t blocks, std::uint32_t sharedBytes, const Arguments& arguments) {
        const auto done =
            machine.launch({kernel, {blocks, 1, 1}, {256, 1, 1}, sharedBytes, std::as_bytes(std::span(&arguments, 1))});
        if (!done) failure = done.error().text();
        if (!machine.faults().empty()) failure = machine.faults().front().message;
    }
    operators::EmulatorMachine machine;
    std::string failure;
};

/// forward(x) with one kernel, whose body is given: x and y of n floats, from thread i.
std::string racedForward(const std::string& body, const std::string& before = {}, const std::string& launch = {}) {
    return bound(
        before + "__global__ void made(float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x;" +
        body + "}\ntorch::Tensor forward(torch::Tensor x) { auto y = torch::empty_like(x); int n = x.numel();\n" +
        (launch.empty() ? "made<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);" : launch) +
        "\nreturn y; }");
}

compile::CompiledUnit compiledRacer(const std::string& source) {
    compile::CompiledUnit unit = Gpu::instance().compiled(source);
    if (!unit.ok) qWarning("%s", unit.log.c_str());
    return unit;
}

device::CudaProgram racerOf(const compile::CompiledUnit& unit) {
    device::CudaProgram program;
    program.host.ptx = unit.ptx;
    program.cubin = unit.cubin;
    program.kernelPtx = unit.kernelPtx;
    return program;
}

Result<device::MadeBench> benchOf(const std::string& source) {
    device::TimingRequest request;
    request.arguments = [](std::uint64_t seed) {
        std::vector<float> values((1 << 16) + 3);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = float((i * 7 + seed * 13) % 101);
        return std::vector<tensor::Value>{test::floats(values)};
    };
    device::KernelTimer timer(Gpu::instance().context(), Gpu::instance().pool(), {});
    return timer.bench(racerOf(compiledRacer(source)), request);
}

const std::string doubledX = "if (i < n) y[i] = 2 * x[i];";

device::PairedCalls pairsUpTo(std::size_t wanted) {
    return {true, [wanted](std::span<const perf::TimedPair> taken) { return taken.size() < wanted; }, 0};
}

constexpr std::chrono::seconds firstCallLimit(2);

} // namespace

void TestRaces::kernelsAssemble() {
    const auto linker = compile::NvJitLink::load(compile::Toolkit::find().nvJitLink);
    if (!linker) QSKIP(linker.error().message.c_str());
    for (const char* arch : {"-arch=sm_75", "-arch=sm_90", "-arch=sm_120"}) {
        const auto linked = (*linker)->link(device::raceKernelsPtx(), {arch});
        QVERIFY2(linked.ok, (arch + linked.errors).c_str());
    }
}

void TestRaces::differencesAreCounted_data() {
    QTest::addColumn<int>("bytes");
    QTest::addColumn<QList<int>>("changed"); // bytes
    QTest::addColumn<int>("expected");
    QTest::newRow("nothing") << 4096 << QList<int>{} << 0;
    QTest::newRow("no byte") << 0 << QList<int>{} << 0;
    QTest::newRow("first and last word") << 4096 << QList<int>{0, 4093} << 2;
    QTest::newRow("two bytes of one word") << 4096 << QList<int>{40, 41} << 1;
    QTest::newRow("bytes behind the last word") << 4098 << QList<int>{4096, 4097} << 2;
    QTest::newRow("less than a word") << 3 << QList<int>{1} << 1;
    QTest::newRow("words of every thread") << 40000 << QList<int>{0, 4 * 255, 4 * 256, 4 * 768, 39999} << 5;
}

void TestRaces::differencesAreCounted() {
    QFETCH(int, bytes);
    QFETCH(QList<int>, changed);
    QFETCH(int, expected);
    EmulatedRace emulated;
    std::vector<std::uint8_t> one(std::size_t(bytes) + 4);
    for (std::size_t i = 0; i < one.size(); ++i)
        one[i] = std::uint8_t(i * 31);
    std::vector<std::uint8_t> other = one;
    for (const int at : changed)
        other[std::size_t(at)] ^= 0x10;
    other[std::size_t(bytes)] ^= 0xff; // is no longer compared
    const std::uint64_t counter = emulated.place(std::vector<std::uint8_t>(4));
    const CountingArguments arguments{emulated.place(one), emulated.place(other), std::uint64_t(bytes), counter};
    emulated.launch("kl_differ", 3, 0, arguments);
    std::uint32_t counted = 99;
    QVERIFY(emulated.machine.read(counter, std::as_writable_bytes(std::span(&counted, 1))));
    QVERIFY2(emulated.failure.empty(), emulated.failure.c_str());
    QCOMPARE(int(counted), expected);
}

void TestRaces::scrubbingEnds() {
    EmulatedRace emulated;
    const std::uint64_t word = emulated.place({0xff, 0x7f, 0xff, 0x7f});
    emulated.launch("kl_scrub", 2, 48 << 10, word);
    QVERIFY2(emulated.failure.empty(), emulated.failure.c_str());
    std::uint32_t left = 0;
    QVERIFY(emulated.machine.read(word, std::as_writable_bytes(std::span(&left, 1))));
    QCOMPARE(left, 0x7fff7fffu);
}

void TestRaces::anOriginalIsItsOwnEqual() {
    NEEDS_GPU();
    const std::string source = racedForward(doubledX);
    const auto made = benchOf(source);
    QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
    QVERIFY(made->bench);
    QVERIFY2(made->bench->whyNot().empty(), made->bench->whyNot().c_str());
    const compile::CompiledUnit unit = compiledRacer(source);
    for (int time = 0; time < 3; ++time) {
        const auto raced = made->bench->race(unit.cubin, pairsUpTo(12), firstCallLimit, {});
        QVERIFY2(raced.ok(), raced ? "" : raced.error().text().c_str());
        QCOMPARE(raced->difference, std::string());
        QCOMPARE(raced->pairs.size(), std::size_t(12));
        for (const perf::TimedPair& pair : raced->pairs)
            QVERIFY(pair.first > 0 && pair.second > 0);
    }
}

void TestRaces::otherResultsAreNoticed_data() {
    QTest::addColumn<QString>("body");
    QTest::newRow("another value") << "if (i < n) y[i] = i == 77 ? 3 * x[i] : 2 * x[i];";
    QTest::newRow("one that is not written") << "if (i < n && i != n - 1) y[i] = 2 * x[i];";
    QTest::newRow("nothing written") << "if (i < n && x[i] < 0) y[i] = 0;";
}

void TestRaces::otherResultsAreNoticed() {
    NEEDS_GPU();
    QFETCH(QString, body);
    const auto made = benchOf(racedForward(doubledX));
    QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
    const compile::CompiledUnit other = compiledRacer(racedForward(body.toStdString()));
    const auto raced = made->bench->race(other.cubin, pairsUpTo(4), firstCallLimit, {});
    QVERIFY2(raced.ok(), raced ? "" : raced.error().text().c_str());
    QVERIFY2(raced->difference.starts_with("output 0 differs after its first call"), raced->difference.c_str());
    QVERIFY(raced->pairs.empty());
    const auto again = made->bench->race(compiledRacer(racedForward(doubledX)).cubin, pairsUpTo(4), firstCallLimit, {});
    QVERIFY2(again.ok() && again->difference.empty(), "the bench is as it was");
}

/// y through a tensor between two kernels: what the original left there is no candidate's.
void TestRaces::whatLiesBetweenKernelsIsPoisoned() {
    NEEDS_GPU();
    const auto source = [](const std::string& first) {
        return bound(
            "__global__ void before(const float* x, float* t, int n) { int i = blockIdx.x * blockDim.x + "
            "threadIdx.x; " +
            first +
            " }\n__global__ void after(const float* t, float* y, int n) { int i = blockIdx.x * blockDim.x + "
            "threadIdx.x; if (i < n) y[i] = t[i] + 1; }\n"
            "torch::Tensor forward(torch::Tensor x) { auto t = torch::empty_like(x), y = torch::empty_like(x);\n"
            "int n = x.numel(), blocks = (n + 255) / 256;\n"
            "before<<<blocks, 256>>>(x.data_ptr<float>(), t.data_ptr<float>(), n);\n"
            "after<<<blocks, 256>>>(t.data_ptr<float>(), y.data_ptr<float>(), n);\nreturn y; }");
    };
    const std::string right = source("if (i < n) t[i] = 2 * x[i];");
    const auto made = benchOf(right);
    QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
    QVERIFY2(made->bench->whyNot().empty(), made->bench->whyNot().c_str());
    const auto same = made->bench->race(compiledRacer(right).cubin, pairsUpTo(2), firstCallLimit, {});
    QVERIFY2(same.ok() && same->difference.empty(), same ? same->difference.c_str() : same.error().text().c_str());
    const auto idle = made->bench->race(compiledRacer(source("if (i < n && x[i] < -1e30f) t[i] = 2 * x[i];")).cubin,
                                        pairsUpTo(2), firstCallLimit, {});
    QVERIFY2(idle.ok() && !idle->difference.empty(), "it has written nothing");
}

void TestRaces::anEndlessCandidateCostsItsChildOnly() {
    NEEDS_GPU();
    if (!QFileInfo::exists(test::cliProgram())) QSKIP("no kernelarium-cli to be the run child");
    protocol::RunParameters p;
    const auto original = std::make_shared<const compile::CompiledUnit>(compiledRacer(racedForward(doubledX)));
    p.unit = original;
    p.backend = "cuda";
    p.arguments = {"float32[1000]"};
    p.timeLimit = std::chrono::minutes(2);
    protocol::ScheduleMeasurer measurer(p, "cold", [] {
        return std::make_unique<protocol::WorkerClient>(
            std::vector<std::string>{test::cliProgram().toStdString(), "worker", "run"});
    });
    const auto cubinOf = [](const compile::CompiledUnit& unit) { return *sass::Cubin::read(unit.cubin); };
    const auto alone = measurer.measure(cubinOf(*original), {}, 1, {});
    QVERIFY2(alone.ok(), alone ? "" : alone.error().text().c_str());
    QVERIFY2(alone->fault.empty() && alone->failure.empty(), (alone->fault + alone->failure).c_str());
    QVERIFY(alone->pairs >= schedule::Race::first);
    const compile::CompiledUnit endless =
        compiledRacer(racedForward("while (((volatile float*)x)[0] < 1e30f) {} if (i < n) y[i] = 2 * x[i];"));
    const auto hung = measurer.measure(cubinOf(endless), {}, 1, {});
    QVERIFY2(hung.ok(), hung ? "" : hung.error().text().c_str());
    QVERIFY2(!hung->fault.empty(), hung->failure.c_str()); // both times, and the original beside itself ran
    QVERIFY2(hung->fault.find("still running") != std::string::npos, hung->fault.c_str());
    const auto after = measurer.measure(cubinOf(*original), {}, 1, {});
    QVERIFY2(after.ok(), after ? "" : after.error().text().c_str());
    QVERIFY(after->fault.empty() && after->failure.empty() && after->pairs > 0);
}

void TestRaces::someForwardsAreRunApart_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("why");
    const auto row = [](const char* name, const std::string& source, const char* why) {
        QTest::newRow(name) << QString::fromStdString(source) << QString::fromLatin1(why);
    };
    row("variables", racedForward("if (i < n) y[i] = 2 * x[i]; if (i == 0) calls += 1;", "__device__ int calls;\n"),
        "variables");
    row("in place",
        bound(
            "__global__ void made(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }\n"
            "torch::Tensor forward(torch::Tensor x) { int n = x.numel();\n"
            "made<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), n);\nreturn x; }"),
        "where an argument lies");
    row("changes", racedForward("if (i < n) { y[i] = 2 * x[i]; x[i] += 1; }"), "change from call to call");
}

void TestRaces::someForwardsAreRunApart() {
    NEEDS_GPU();
    QFETCH(QString, source);
    QFETCH(QString, why);
    const auto made = benchOf(source.toStdString());
    QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
    QVERIFY(made->bench);
    QVERIFY2(QString::fromStdString(made->bench->whyNot()).contains(why), made->bench->whyNot().c_str());
}

KERNELARIUM_TEST(TestRaces);
