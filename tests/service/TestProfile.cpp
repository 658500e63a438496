// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/service/TestProfile.h"

#include "gpu/compile/Compiler.h"
#include "gpu/protocol/ProfileMessages.h"
#include "gpu/service/RunService.h"
#include "tests/TestRegistry.h"

#include <QtTest>

using namespace kernelarium;
using namespace kernelarium::protocol;
using namespace kernelarium::service;
using nlohmann::json;

namespace {

constexpr const char* product = R"cuda(#include <torch/extension.h>
__global__ void multiply(const float* a, const float* b, float* c, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
    auto c = torch::empty_like(a);
    int n = a.size(0);
    multiply<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), n);
    return c;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "c = a b"); }
)cuda";

constexpr const char* scaled = R"cuda(#include <torch/extension.h>
__global__ void twice(const float* in, float* out, long n) {
    long i = blockIdx.x * long(blockDim.x) + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}
torch::Tensor forward(torch::Tensor in) {
    auto out = torch::empty_like(in);
    for (int pass = 0; pass < 3; ++pass)
        twice<<<(in.numel() + 255) / 256, 256>>>(in.data_ptr<float>(), out.data_ptr<float>(), in.numel());
    return torch::relu(out);
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "relu(2 x)"); }
)cuda";

/// A compiled unit as JSON parameters, or an empty object with `why` where there is no toolkit.
json unitOf(const char* source, QString& why) {
    static Result<std::unique_ptr<compile::Compiler>> compiler = compile::Compiler::create(compile::Toolkit::find());
    if (!compiler) {
        why = QString::fromStdString(compiler.error().text());
        return {};
    }
    auto unit = (*compiler)->compile(source, {});
    if (!unit || !unit->ok) {
        why = QString::fromStdString(unit ? unit->log : unit.error().text());
        return {};
    }
    RunParameters parameters;
    parameters.unit = std::make_shared<const compile::CompiledUnit>(std::move(*unit));
    return toJson(parameters);
}

Result<json> ask(const char* method, const json& parameters) {
    RunService service(1ull << 30);
    Request request;
    request.method = method;
    request.params = parameters;
    return service.handle(request, {[](const std::string&) {}, {}}, {});
}

} // namespace

#define UNIT_OR_SKIP(variable, source)                                                                                 \
    QString why;                                                                                                       \
    json variable = unitOf(source, why);                                                                               \
    if (variable.empty()) QSKIP(qPrintable(why))

void TestProfile::runsCarryCountersOnRequest() {
    UNIT_OR_SKIP(p, scaled);
    p["arguments"] = {"float32[1000]"};
    QVERIFY(!ask("run", p)->contains("counters"));
    p["counters"] = true;
    const auto summary = runSummaryFromJson(*ask("run", p));
    QVERIFY(summary.ok());
    QCOMPARE(summary->counters.size(), std::size_t(3));
    const perf::LaunchCounters& c = summary->counters[0];
    QCOMPARE(c.kernel, std::string("twice"));
    QCOMPARE(c.totals.flopsFp32, 1000.0);
    // 1000 floats are 125 sectors, 32 warps of which the last has 8 lanes on.
    QCOMPARE(c.totals.globalLoadSectors, 125.0);
    QCOMPARE(c.totals.globalLoadRequests, 32.0);
    QCOMPARE(c.uniqueReadBytes, 4000.0);
    QVERIFY(c.registers > 0);
    // Of the loads and stores the source has one line.
    double sectors = 0;
    for (const perf::LineCounters& line : c.lines)
        if (line.line == 4) sectors = line.globalLoadSectors + line.globalStoreSectors;
    QCOMPARE(sectors, 250.0);
}

void TestProfile::verificationsCarryCounters() {
    UNIT_OR_SKIP(p, scaled);
    p["arguments"] = {"float32[1000]"};
    p["reference_unit"] = p["unit"];
    p["reference_name"] = "itself";
    p["counters"] = true;
    const auto verdict = ask("verify", p);
    QVERIFY(verdict.ok());
    QCOMPARE(perf::launchesFromJson(verdict->at("counters"))->size(), std::size_t(3));
}

void TestProfile::verdictsSayHowTheKernelWasCompiled() {
    UNIT_OR_SKIP(p, scaled);
    p["arguments"] = {"float32[1000]"};
    p["unit"]["seconds"]["total"] = 0.125;
    p["unit"]["fast_math"] = true;
    const auto verdict = ask("verify", p);
    QVERIFY(verdict.ok());
    QCOMPARE(verdict->at("seconds").at("compile").get<double>(), 0.125);
    QVERIFY(verdict->at("fast_math").get<bool>());
}

void TestProfile::aProductDoesItsOperations() {
    UNIT_OR_SKIP(p, product);
    p["arguments"] = {"float32[64,64]", "float32[64,64]"};
    p["counters"] = true;
    const auto summary = runSummaryFromJson(*ask("run", p));
    QVERIFY(summary.ok());
    const perf::LineCounters& t = summary->counters.at(0).totals;
    QCOMPARE(t.flopsFp32, 2.0 * 64 * 64 * 64);
    // A warp reads one element of a (a sector) and 32 of b (4 sectors) for each k.
    const double warps = 64 * 64 / 32;
    QCOMPARE(t.globalLoadRequests, 2 * 64 * warps);
    QCOMPARE(t.globalLoadSectors, 5 * 64 * warps);
    QCOMPARE(t.globalLoadIdealSectors, 5 * 64 * warps);
    QCOMPARE(summary->counters[0].uniqueBytes, 3.0 * 64 * 64 * 4);
}

void TestProfile::fullSizesAreSampled() {
    UNIT_OR_SKIP(p, product);
    p["arguments"] = {"float32[4096,4096]", "float32[4096,4096]"};
    p["instruction_budget"] = 400000;
    const auto answer = ask("profile", p);
    QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().text().c_str());
    const auto profile = profileSummaryFromJson(*answer);
    QVERIFY(profile.ok());
    QCOMPARE(profile->end, std::string("finished"));
    const perf::LaunchCounters& c = profile->counters.at(0);
    QVERIFY(c.sampling.executed >= 6 && c.sampling.executed < 100);
    QCOMPARE(c.sampling.blocks, 128.0 * 512);
    // Every block does the same: the scaled figure is the exact one.
    QVERIFY(std::abs(c.totals.flopsFp32 / (2.0 * 4096 * 4096 * 4096) - 1) < 1e-9);
    QCOMPARE(profile->inputs, std::string("pattern"));
    QCOMPARE(profile->time.device, std::string("h200"));
    const perf::DeviceSpec& h200 = *perf::findDeviceSpec("h200");
    QVERIFY(profile->time.seconds > 2.0 * 4096 * 4096 * 4096 / h200.fp32);
    QVERIFY(!profile->time.why.empty());
    p["device"] = "t4";
    QVERIFY(profileSummaryFromJson(*ask("profile", p))->time.seconds > profile->time.seconds);
}

void TestProfile::libraryCallsAreCostedNotComputed() {
    UNIT_OR_SKIP(p, scaled);
    p["arguments"] = {"float32[64,1048576]"};
    const auto profile = profileSummaryFromJson(*ask("profile", p));
    QVERIFY(profile.ok());
    QCOMPARE(profile->libraryCalls.size(), std::size_t(1));
    const perf::LibraryCall& relu = profile->libraryCalls[0];
    QCOMPARE(relu.name, std::string("aten.relu.default"));
    QCOMPARE(relu.bytes, 2.0 * 64 * 1048576 * 4);
    QCOMPARE(relu.launchesBefore, 3u);
    QVERIFY(profile->time.librarySeconds >= relu.bytes / perf::findDeviceSpec("h200")->memoryBandwidth);
    // A streaming kernel reads and writes all of both tensors, though only some blocks ran.
    const perf::LaunchCounters& c = profile->counters.at(0);
    QVERIFY(std::abs(c.uniqueBytes / (2.0 * 64 * 1048576 * 4) - 1) < 0.01);
    QCOMPARE(profile->time.launches.at(0).limiter, std::string("device_memory"));
}

void TestProfile::repeatedLaunchesAreCountedOnce() {
    UNIT_OR_SKIP(p, scaled);
    p["arguments"] = {"float32[100000]"};
    const auto profile = profileSummaryFromJson(*ask("profile", p));
    QVERIFY(profile.ok());
    QCOMPARE(profile->counters.size(), std::size_t(3));
    QVERIFY(!profile->counters[0].sampling.repeated);
    QVERIFY(profile->counters[1].sampling.repeated && profile->counters[2].sampling.repeated);
    QCOMPARE(profile->counters[2].totals.warpInstructions, profile->counters[0].totals.warpInstructions);
}

void TestProfile::unknownDevicesAreRefused() {
    UNIT_OR_SKIP(p, scaled);
    p["arguments"] = {"float32[1000]"};
    p["device"] = "abacus";
    const auto answer = ask("profile", p);
    QVERIFY(!answer.ok());
    QCOMPARE(answer.error().code, std::string("bad_input"));
    QVERIFY(answer.error().message.find("abacus") != std::string::npos);
}

void TestProfile::parametersAndSummariesComeBack() {
    ProfileParameters parameters;
    parameters.run.unit = std::make_shared<const compile::CompiledUnit>();
    parameters.device = "l40s";
    parameters.waves = 3;
    parameters.instructionBudget = 1234;
    parameters.run.size = "full";
    parameters.run.counters = true;
    const auto again = profileParametersFromJson(toJson(parameters));
    QVERIFY(again.ok());
    QVERIFY(toJson(*again) == toJson(parameters));
    QCOMPARE(profileParametersFromJson({{"unit", 3}}).error().code, std::string("bad_request"));
    ProfileSummary summary;
    summary.end = "timeout";
    summary.notes = {"one", "two"};
    summary.libraryCalls = {{"copy", 0, 64, 2}};
    const auto back = profileSummaryFromJson(toJson(summary));
    QVERIFY(back.ok());
    QVERIFY(toJson(*back) == toJson(summary));
    QCOMPARE(profileSummaryFromJson(json::object()).error().code, std::string("bad_request"));
    summary.counters.resize(1); // a launch that has no time
    QCOMPARE(profileSummaryFromJson(toJson(summary)).error().code, std::string("bad_request"));
    summary.time.launches.resize(1);
    QVERIFY(profileSummaryFromJson(toJson(summary)).ok());
    const std::vector<std::pair<const char*, std::uint32_t>> lies = {{"/counters/0/grid/0", 0},
                                                                     {"/counters/0/block/1", 0},
                                                                     {"/counters/0/block/0", 1025},
                                                                     {"/counters/0/registers", 4000000000u}};
    for (const auto& [where, value] : lies) {
        json lie = toJson(summary);
        lie[json::json_pointer(where)] = value;
        QVERIFY2(!profileSummaryFromJson(lie).ok(), where);
    }
}

KERNELARIUM_TEST(TestProfile);
