// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an sm_90a GPU does asynchronously, clusters and matrix sums (hopper.json) in the emulator, bit for bit beside
// what record_hopper.py recorded of them. Sums are added exactly.
#include "gpu/emulator/async/TensorMap.h"
#include "gpu/emulator/run/Launch.h"
#include "tests/TestRegistry.h"
#include "tests/probes/ProbeFiles.h"

#include <QCryptographicHash>
#include <QTest>
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

const std::vector<json>& hopperProbes() {
    static const std::vector<json> list =
        json::parse(textOfProbeFile(probeFolder / "hopper.json")).get<std::vector<json>>();
    return list;
}

void replace(std::string& text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
}

std::filesystem::path goldenOf(std::string name) {
    replace(name, "-1", "minus");
    return goldenIn("golden_hopper", std::move(name));
}

std::string hashOf(const std::string& code) {
    return QCryptographicHash::hash(QByteArray::fromStdString(code), QCryptographicHash::Sha256)
        .toHex()
        .left(16)
        .toStdString();
}

/// Words that count from 0 in each part; where others were recorded, those.
Words inputsOf(const json& probe, const json* golden) {
    if (golden && !golden->at("inputs").get<std::string>().empty()) return wordsFrom(golden->at("inputs"));
    Words words;
    for (const json& part : probe.at("inputs"))
        for (std::uint32_t k = 0; k < part[1].get<std::uint32_t>(); ++k)
            words.push_back(k);
    return words;
}

Words beginningOf(const json& probe, const json* golden) {
    if (golden && !golden->at("begin").get<std::string>().empty()) return wordsFrom(golden->at("begin"));
    const std::string kind = probe.value("begin", "zeros");
    Words words(probe.at("out").get<std::size_t>(), kind == "ones" ? ~0u : 0u);
    for (std::uint32_t k = 0; kind == "index" && k < words.size(); ++k)
        words[k] = k;
    return words;
}

/// The map's 128 bytes, or what is wrong with it.
std::string encode(const json& m, std::uint64_t address, std::byte* to) {
    TensorMap map;
    map.type = m.at("type");
    map.rank = std::uint32_t(m.at("extent").size());
    map.address = address;
    map.swizzle = m.at("swizzle");
    map.fillsNan = m.at("nan");
    for (std::uint32_t d = 0; d < map.rank; ++d) {
        map.extent[d] = m.at("extent")[d];
        map.box[d] = m.at("box")[d];
        map.elementStride[d] = m.at("elementStride")[d];
        if (d) map.stride[d] = m.at("stride")[d - 1];
    }
    const auto bytes = encodeTensorMap(map);
    if (!bytes.ok()) return bytes.error().text();
    std::memcpy(to, bytes->data(), bytes->size());
    return {};
}

ProbeRun runHopperProbe(const json& probe, const Words& in, const Words& begin) {
    std::string ptx = textOfProbeFile(probeFolder / "hopper_frame.ptx");
    replace(ptx, "@CODE@", probe.at("code").get<std::string>());
    replace(ptx, "@DIRECTIVES@", probe.value("directives", ""));
    DeviceMemory memory(4u << 20);
    const auto program = Program::load(ptx, memory);
    if (!program) return {program.error().text(), {}};
    const auto from = memory.allocate(4 * in.size() + 256, "in", {});
    const auto to = memory.allocate(4 * begin.size() + 256, "out", {});
    if (!from || !to || !memory.write(*from, std::as_bytes(std::span(in))) ||
        !memory.write(*to, std::as_bytes(std::span(begin))))
        return {"no memory", {}};
    LaunchConfig config;
    config.function = *(*program)->functionByName("probe");
    config.grid = {probe.value("blocks", 1u), 1, 1};
    config.block = {probe.value("threads", 128u), 1, 1};
    if (const auto cluster = probe.value("cluster", 1u); cluster > 1) config.cluster = {cluster, 1, 1};
    config.parameters.resize(64 + 2 * tensorMapBytes);
    std::memcpy(config.parameters.data(), &*from, 8);
    std::memcpy(config.parameters.data() + 8, &*to, 8);
    std::size_t place = 64;
    for (const json& m : probe.value("maps", json::array())) {
        const std::string problem = encode(m, m.at("of") == "in" ? *from : *to, config.parameters.data() + place);
        if (!problem.empty()) return {problem, {}};
        place += tensorMapBytes;
    }
    RunOptions options;
    options.exactSums = true;
    const LaunchResult result = launch(**program, config, options);
    if (!result.faults.empty()) return {result.faults.front().message, {}};
    if (result.end != LaunchEnd::finished) return {result.reason, {}};
    ProbeRun ran{{}, Words(begin.size())};
    if (!memory.read(*to, std::as_writable_bytes(std::span(ran.out)))) ran.problem = "the output cannot be read";
    return ran;
}

} // namespace

class TestHopperProbes : public QObject {
    Q_OBJECT
private slots:
    void agreesWithTheRecord_data();
    void agreesWithTheRecord();
};

void TestHopperProbes::agreesWithTheRecord_data() {
    QTest::addColumn<int>("index");
    for (std::size_t k = 0; k < hopperProbes().size(); ++k)
        QTest::newRow(hopperProbes()[k].at("name").get<std::string>().c_str()) << int(k);
}

/// Without a record: that it runs.
void TestHopperProbes::agreesWithTheRecord() {
    QFETCH(int, index);
    const json& probe = hopperProbes()[std::size_t(index)];
    const std::filesystem::path path = goldenOf(probe.at("name"));
    json golden;
    const bool isRecorded = std::filesystem::exists(path);
    if (isRecorded) golden = json::parse(textOfProbeFile(path));
    const Words in = inputsOf(probe, isRecorded ? &golden : nullptr);
    const ProbeRun ran = runHopperProbe(probe, in, beginningOf(probe, isRecorded ? &golden : nullptr));
    if (const std::string refusal = probe.value("refused", ""); !refusal.empty()) {
        QVERIFY2(ran.problem.find(refusal) != std::string::npos, ran.problem.c_str());
        return;
    }
    QVERIFY2(ran.problem.empty(), ran.problem.c_str());
    if (!isRecorded) QSKIP("no GPU has recorded it yet (tests/probes/record_hopper.py)");
    if (golden.at("code").get<std::string>() != hashOf(probe.at("code")))
        QSKIP("the probe has changed since it was recorded");
    const Words expected = wordsFrom(golden.at("outputs"));
    std::size_t wrong = 0, first = 0;
    for (std::size_t word = 0; word < expected.size(); ++word)
        if (ran.out[word] != expected[word] && wrong++ == 0) first = word;
    if (const std::string differs = probe.value("differs", ""); !differs.empty())
        QEXPECT_FAIL("", differs.c_str(), Continue);
    QVERIFY2(wrong == 0,
             fmt::format("{} of {} words differ; word {} is {:08x}, but {} gave {:08x}", wrong, expected.size(), first,
                         ran.out[first], golden.at("device").get<std::string>(), expected[first])
                 .c_str());
}

namespace {
KERNELARIUM_TEST(TestHopperProbes);
}
#include "TestHopperProbes.moc"
