// SPDX-License-Identifier: GPL-3.0-or-later
//
// One-instruction PTX kernels (probes.json) in the emulator, beside what record.py recorded of them on a GPU.
#include "gpu/emulator/run/Launch.h"
#include "tests/TestRegistry.h"
#include "tests/probes/ProbeFiles.h"

#include <QTest>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace kernelarium;
using namespace kernelarium::emulator;
using namespace kernelarium::test;
using nlohmann::json;

namespace {

constexpr std::uint32_t threads = 64;

const std::vector<json>& probes() {
    static const std::vector<json> list =
        json::parse(textOfProbeFile(probeFolder / "probes.json")).get<std::vector<json>>();
    return list;
}

/// Inputs where nothing is recorded: only that the probe runs is looked at then.
Words plainInputs() {
    Words words(4 * threads);
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = std::bit_cast<std::uint32_t>(float(i) / 64 - 1);
    return words;
}

ProbeRun runProbe(const json& probe, const Words& in) {
    std::string ptx = textOfProbeFile(probeFolder / "frame.ptx");
    ptx.replace(ptx.find("@CODE@"), 6, probe.at("code").get<std::string>());
    DeviceMemory memory(1u << 20);
    const auto program = Program::load(ptx, memory);
    if (!program) return {program.error().text(), {}};
    const auto from = memory.allocate(16 * threads, "in", {}), to = memory.allocate(16 * threads, "out", {});
    if (!from || !to || !memory.write(*from, std::as_bytes(std::span(in)))) return {"no memory", {}};
    LaunchConfig config;
    config.function = *(*program)->functionByName("probe");
    config.block = {threads, 1, 1};
    config.parameters.resize(16);
    std::memcpy(config.parameters.data(), &*from, 8);
    std::memcpy(config.parameters.data() + 8, &*to, 8);
    const LaunchResult result = launch(**program, config, {});
    if (result.end != LaunchEnd::finished) return {result.reason, {}};
    if (!result.faults.empty()) return {result.faults.front().message, {}};
    ProbeRun ran{{}, Words(4 * threads)};
    if (!memory.read(*to, std::as_writable_bytes(std::span(ran.out)))) ran.problem = "the output cannot be read";
    return ran;
}

/// Distance in units in the last place; numbers are ordered through their bits.
template <class Bits> std::uint64_t steps(Bits a, Bits b) {
    constexpr unsigned top = sizeof(Bits) * 8 - 1;
    const auto ordered = [](Bits x) {
        const auto magnitude = std::int64_t(x & Bits(~(Bits(1) << top)));
        return x >> top ? -magnitude : magnitude;
    };
    const std::int64_t x = ordered(a), y = ordered(b);
    return x > y ? std::uint64_t(x) - std::uint64_t(y) : std::uint64_t(y) - std::uint64_t(x);
}

template <class Number, class Bits> bool isNear(Bits got, Bits expected, const json& probe) {
    const auto x = double(std::bit_cast<Number>(got)), y = double(std::bit_cast<Number>(expected));
    if (x != x || y != y) return (x != x) == (y != y);
    if (got == expected || std::fabs(x - y) <= probe.value("absolute", 0.0)) return true;
    // Signs of zero count where everything else must be right.
    return probe.value("ulp", std::uint64_t(0)) > 0 && steps(got, expected) <= probe.value("ulp", std::uint64_t(0));
}

bool agrees(const Words& got, const Words& expected, std::size_t word, const json& probe) {
    const std::string how = probe.at("compare");
    if (how == "bits") return got[word] == expected[word];
    if (how == "f32") return isNear<float>(got[word], expected[word], probe);
    if (how == "f16") {
        const auto low = [](std::uint32_t x) { return std::uint16_t(x); };
        const auto high = [](std::uint32_t x) { return std::uint16_t(x >> 16); };
        return isNear<_Float16>(low(got[word]), low(expected[word]), probe) &&
               isNear<_Float16>(high(got[word]), high(expected[word]), probe);
    }
    const auto both = [&](const Words& w) { return std::uint64_t(w[word | 1]) << 32 | w[word & ~std::size_t(1)]; };
    return isNear<double>(both(got), both(expected), probe);
}

} // namespace

class TestRecordedProbes : public QObject {
    Q_OBJECT
private slots:
    void enoughProbes() { QVERIFY(probes().size() >= 60); }
    void runs_data() { rows(); }
    void runs();
    void agreesWithTheRecord_data() { rows(); }
    void agreesWithTheRecord();

private:
    static void rows() {
        QTest::addColumn<int>("index");
        for (std::size_t k = 0; k < probes().size(); ++k)
            QTest::newRow(probes()[k].at("name").get<std::string>().c_str()) << int(k);
    }
};

void TestRecordedProbes::runs() {
    QFETCH(int, index);
    const ProbeRun ran = runProbe(probes()[std::size_t(index)], plainInputs());
    QVERIFY2(ran.problem.empty(), ran.problem.c_str());
}

void TestRecordedProbes::agreesWithTheRecord() {
    QFETCH(int, index);
    const json& probe = probes()[std::size_t(index)];
    const std::filesystem::path path = goldenIn("golden", probe.at("name"));
    if (!std::filesystem::exists(path))
        QSKIP(("no GPU has recorded " + path.filename().string() + " yet (tests/probes/record.py)").c_str());
    const json golden = json::parse(textOfProbeFile(path));
    if (golden.at("code") != probe.at("code")) QSKIP("the probe has changed since it was recorded");
    const Words in = wordsFrom(golden.at("inputs")), expected = wordsFrom(golden.at("outputs"));
    QCOMPARE(in.size(), std::size_t(4 * threads));
    QCOMPARE(expected.size(), in.size());
    const ProbeRun ran = runProbe(probe, in);
    QVERIFY2(ran.problem.empty(), ran.problem.c_str());
    for (std::size_t word = 0; word < expected.size(); ++word) {
        const std::size_t t = word / 4 * 4;
        QVERIFY2(agrees(ran.out, expected, word, probe),
                 fmt::format("thread {}, word {}: {:08x}, but {} gave {:08x}; inputs {:08x} {:08x} {:08x} {:08x}",
                             word / 4, word % 4, ran.out[word], golden.at("device").get<std::string>(), expected[word],
                             in[t], in[t + 1], in[t + 2], in[t + 3])
                     .c_str());
    }
}

KERNELARIUM_TEST(TestRecordedProbes);
#include "TestRecordedProbes.moc"
