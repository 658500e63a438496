// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/explain/Explanation.h"
#include "core/perf/DeviceSpec.h"
#include "tests/TestRegistry.h"

#include <fstream>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::algebra {
namespace {

using nlohmann::json;

/// A time of somebody's kernel on an H200, in seconds.
struct Measured {
    std::string what;
    double seconds = 0;
    Arithmetic arithmetic = Arithmetic::own;
};
using MeasuredTimes = std::multimap<std::string, Measured>; ///< by task, "2/50"

void add(MeasuredTimes& times, const std::string& task, const json& row, const std::string& what, const char* field,
         Arithmetic arithmetic = Arithmetic::own, double unit = 1e-3) {
    if (row.contains(field) && row.at(field).is_number())
        times.emplace(task, Measured{what + " " + field, row.at(field).get<double>() * unit, arithmetic});
}

MeasuredTimes starterTimes() {
    MeasuredTimes times;
    std::ifstream file(KERNELARIUM_SOURCE_DIR "/archive_data/starter_times.json");
    const json all = json::parse(file);
    for (const auto& [path, row] : all.at("kernels").items()) {
        const std::string task = fmt::format("{}/{}", path.substr(6, 1), std::stoi(path.substr(8, 3)));
        for (const char* field : {"runtime_ms", "native_ms", "compile_ms"})
            add(times, task, row, path, field);
    }
    return times;
}

MeasuredTimes baselines() {
    MeasuredTimes times;
    std::ifstream file(KERNELARIUM_SHARED_DIR "/facts/h200_baselines.jsonl");
    for (std::string line; std::getline(file, line);) {
        const json row = json::parse(line);
        if (!row.contains("task")) continue;
        const std::string name = row.at("task");
        const std::string task = name.substr(0, name.find(' '));
        for (const char* field : {"eager", "eager_benchmark", "compile_benchmark"})
            add(times, task, row, "PyTorch", field);
        for (const char* field : {"eager_tf32", "eager_benchmark_tf32"})
            add(times, task, row, "PyTorch", field, Arithmetic::tf32);
    }
    return times;
}

/// Bounds of the cards that were measured, against their times: none is faster.
std::string fasterThanBound(const MeasuredTimes& times, std::size_t& compared) {
    const perf::DeviceSpec& device = *perf::findDeviceSpec("h200");
    std::string faster;
    for (auto at = times.begin(); at != times.end();) {
        const auto end = times.upper_bound(at->first);
        const auto key = task::parseTaskKey(at->first);
        const auto card = task::loadCard(key->level, key->task);
        const Result<Explanation> e = card ? explain(*card, "full", device) : Result<Explanation>(card.error());
        for (; at != end; ++at) {
            if (!e) continue;
            const Bound bound = boundOf(e->derivation.after, device, at->second.arithmetic);
            ++compared;
            if (at->second.seconds < bound.seconds)
                faster += fmt::format("  {} {}: {:.3g} s, bound {:.3g} s\n", at->first, at->second.what,
                                      at->second.seconds, bound.seconds);
        }
    }
    return faster;
}

class TestBounds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noStarterKernelIsFasterThanItsBound() {
        std::size_t compared = 0;
        const std::string faster = fasterThanBound(starterTimes(), compared);
        QVERIFY2(compared >= 150, std::to_string(compared).c_str());
        QVERIFY2(faster.empty(), faster.c_str());
    }

    void noBaselineIsFasterThanItsBound() {
        if (!std::ifstream(KERNELARIUM_SHARED_DIR "/facts/h200_baselines.jsonl"))
            QSKIP("The measured baselines are not part of this checkout.");
        std::size_t compared = 0;
        const std::string faster = fasterThanBound(baselines(), compared);
        QVERIFY(compared >= 50);
        QVERIFY2(faster.empty(), faster.c_str());
    }

    /// What is known of single tasks.
    void whatTheTasksNeed_data() {
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("number");
        QTest::addColumn<double>("least"); ///< FLOPs before over after
        QTest::addColumn<QString>("rule");
        QTest::newRow("diagonal") << 1 << 12 << 8191.0 << "diagonal";
        QTest::newRow("upper triangle") << 1 << 14 << 5.9 << "stated_structure";
        QTest::newRow("pool of a transposed convolution") << 2 << 50 << 3.0 << "linear_maps_compose";
        QTest::newRow("sum of a product") << 2 << 14 << 15.0 << "linear_maps_compose";
        QTest::newRow("mean of a product") << 2 << 51 << 100.0 << "linear_maps_compose";
        QTest::newRow("mean of a transposed convolution") << 2 << 44 << 5.0 << "linear_maps_compose";
        QTest::newRow("pool of a 1x1 convolution") << 3 << 13 << 3.0 << "linear_maps_compose";
        QTest::newRow("two poolings") << 2 << 6 << 1.3 << "extremum_of_extrema";
        QTest::newRow("causal attention") << 3 << 43 << 1.01 << "skip_masked";
    }
    void whatTheTasksNeed() {
        QFETCH(int, level);
        QFETCH(int, number);
        QFETCH(double, least);
        QFETCH(QString, rule);
        const auto card = task::loadCard(level, number);
        const Result<Explanation> e = explain(*card, "full", *perf::findDeviceSpec("h200"));
        QVERIFY2(e.ok(), e.ok() ? "" : e.error().message.c_str());
        const double ratio = e->derivation.before.flops / e->derivation.after.flops;
        QVERIFY2(ratio >= least, fmt::format("{:.4g}", ratio).c_str());
        const auto& steps = e->derivation.steps;
        QVERIFY(std::any_of(steps.begin(), steps.end(),
                            [&](const Rewrite& s) { return s.rule->name == rule.toStdString(); }));
    }

    /// Tasks whose output is the same numbers for all inputs are called so.
    void constantsAreDegenerate() {
        for (const char* key : {"2/13", "2/66", "2/80", "2/83"}) {
            const task::TaskKey k = *task::parseTaskKey(key);
            const Result<Explanation> e =
                explain(*task::loadCard(k.level, k.task), "full", *perf::findDeviceSpec("h200"));
            QVERIFY2(e.ok(), e.ok() ? "" : e.error().message.c_str());
            QVERIFY2(e->collapses, key);
            QVERIFY(conclusion(*e).find("degenerate") != std::string::npos);
        }
    }
};

KERNELARIUM_TEST(TestBounds);

} // namespace
} // namespace kernelarium::algebra

#include "TestBounds.moc"
