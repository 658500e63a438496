// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/lowering/Lowering.h"
#include "core/kernelgen/Emit.h"
#include "core/kernelgen/levels/HostNumbers.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::kernelgen {

namespace {

constexpr std::size_t largeGraph = 60; ///< tensors

std::string withoutSpaces(const std::string& text) {
    std::string out;
    for (const char c : text)
        if (!std::isspace(static_cast<unsigned char>(c))) out += c;
    return out;
}

/// What of the levels is not as the text has it; empty where all is.
std::string strayFrom(const Emitted& file) {
    const std::string text = withoutSpaces(file.text);
    for (const Launch& l : file.levels.launches) {
        const std::string name =
            l.kernel.substr(l.kernel.rfind(':') == std::string::npos ? 0 : l.kernel.rfind(':') + 1);
        if (text.find(withoutSpaces(fmt::format("{}<<<{},{}", name, l.gridText, l.blockText))) == std::string::npos)
            return fmt::format("{}<<<{}, {}>>> is not launched", name, l.gridText, l.blockText);
        for (const Amount& a : l.grid)
            if (a.formula != "1" && text.find(withoutSpaces(a.formula)) == std::string::npos)
                return fmt::format("{}: the grid's {} is not in the text", name, a.formula);
        if (l.label.empty() || l.blockDoes.empty() || l.threadDoes.empty()) return name + " is not described";
        if (l.operators.empty()) return name + " has no operators";
        if (l.counters.kernel != l.kernel) return name + " has no counters";
        for (std::size_t k = 0; k < 3; ++k)
            if (l.counters.grid[k] != l.grid[k].value || l.counters.block[k] != l.block[k].value)
                return name + ": the counters are of another grid";
    }
    return {};
}

/// Of a naive file: a launch for each formula, a thread or a block for each element, or a thread for each row.
std::string strayFromGraph(const Levels& levels, const algebra::Graph& graph) {
    std::size_t at = 0;
    for (const algebra::Tensor& t : graph.tensors) {
        if (t.recurrence()) return {}; // launches of its body, checked by their text
        if (!t.definition()) continue;
        if (at >= levels.launches.size()) return "there are too few launches";
        const std::int64_t elements = algebra::pointCount(t.extents), blocks = levels.launches[at].grid[0].value;
        const int scan = algebra::scanAxis(t);
        const std::int64_t rows = scan >= 0 ? elements / t.extents[std::size_t(scan)] : elements;
        if (blocks != (elements + 255) / 256 && blocks != elements &&
            blocks != std::max<std::int64_t>(1, (rows + 255) / 256))
            return fmt::format("{} elements of {} have {} blocks", elements, t.name, blocks);
        ++at;
    }
    return at == levels.launches.size() ? std::string() : "there are too many launches";
}

} // namespace

class TestLevels : public QObject {
    Q_OBJECT

private slots:
    void theyComeBackFromJson_data() {
        QTest::addColumn<QString>("emitter");
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("number");
        QTest::newRow("naive") << "naive" << 1 << 1;
        QTest::newRow("recurrence") << "naive" << 3 << 35;
        QTest::newRow("rows") << "fused" << 1 << 23;
        QTest::newRow("split rows") << "fused" << 1 << 37;
        QTest::newRow("convolution") << "convolution" << 2 << 50;
        QTest::newRow("convolution with a norm") << "convolution" << 2 << 60;
    }
    void theyComeBackFromJson() {
        QFETCH(QString, emitter);
        QFETCH(int, level);
        QFETCH(int, number);
        const auto card = task::loadCard(level, number);
        for (const Emitter& e : emitters()) {
            if (e.name != emitter.toStdString()) continue;
            const Result<Emitted> file = e.write(*card, {});
            QVERIFY2(file.ok(), file ? "" : file.error().message.c_str());
            const nlohmann::json written = toJson(file->levels);
            const Result<Levels> read = levelsFromJson(nlohmann::json::parse(written.dump()));
            QVERIFY2(read.ok(), read ? "" : read.error().message.c_str());
            QCOMPARE(toJson(*read).dump(), written.dump());
            QVERIFY(toText(*read) == toText(file->levels));
            for (const Launch& l : read->launches)
                QVERIFY(toText(*read).find(l.kernel) != std::string::npos);
        }
    }

    void whatIsUnsoundIsRefused() {
        const Result<Emitted> file = emitNaive(*task::loadCard(1, 23));
        QVERIFY(file);
        const auto refused = [&](auto&& spoil) {
            Levels levels = file->levels;
            spoil(levels);
            const Result<Levels> read = levelsFromJson(toJson(levels));
            return !read && read.error().code == "bad_input";
        };
        QVERIFY(!refused([](Levels&) {}));
        QVERIFY(refused([](Levels& l) { l.launches[0].grid[0].value = 0; }));
        QVERIFY(refused([](Levels& l) { l.launches[0].edges[0].to = "nowhere"; }));
        QVERIFY(refused([](Levels& l) { l.launches[0].operators[0].loop = "no loop"; }));
        QVERIFY(refused([](Levels& l) { l.tensors[1].id = l.tensors[0].id; }));
        QVERIFY(refused([](Levels& l) { l.launches.clear(); }));
        QVERIFY(!levelsFromJson(nlohmann::json::object()));
    }

    /// Every card that a file is written for: what the levels say is what the text does.
    void theyAreOfTheText_data() {
        QTest::addColumn<int>("level");
        for (const int level : {1, 2, 3})
            QTest::addRow("level %d", level) << level;
    }
    void theyAreOfTheText() {
        QFETCH(int, level);
        std::size_t files = 0;
        for (const task::TaskKey& key : task::builtInCards()) {
            if (key.level != level) continue;
            const auto card = task::loadCard(key.level, key.task);
            const Result<task::Symbols> full = card->size("full");
            const Result<algebra::Graph> graph = full ? algebra::lower(*card, *full) : full.error();
            for (const Emitter& e : emitters()) {
                // Large networks have products, which the others refuse after a minute.
                if (e.name != "naive" && graph && graph->tensors.size() > largeGraph) continue;
                const Result<Emitted> file = e.write(*card, {});
                if (!file) continue;
                ++files;
                const auto about = [&](const std::string& what) {
                    return fmt::format("{} of {}: {}", e.name, card->key(), what);
                };
                const std::string flaw = flawOf(file->levels);
                QVERIFY2(flaw.empty(), about(flaw).c_str());
                const std::string stray = strayFrom(*file);
                QVERIFY2(stray.empty(), about(stray).c_str());
                if (e.name != "naive" || file->levels.size != "full") continue; // or shown beside it
                const std::string other = strayFromGraph(file->levels, *graph);
                QVERIFY2(other.empty(), about(other).c_str());
            }
        }
        qInfo("%zu files", files);
        QVERIFY(files > (level == 3 ? 40u : 140u));
    }

    void hostNumbersAreWhatTheTextSays() {
        HostNumbers n;
        n.set("B", 3);
        n.declare("constexpr int rowThreads = 64; // tune: pow2 64..1024");
        n.declare("constexpr int rowsPerBlock = rowThreads == 32 ? 4 : 1; // a block's rows");
        n.declare("const int64_t rows = B * (4 + 1), length = rows / 2 % 4;");
        n.declare("const auto y = torch::empty({B, 16, rows}, options.dtype(torch::kFloat32));");
        QCOMPARE(n.of("rowsPerBlock"), std::optional<std::int64_t>(1));
        QCOMPARE(n.of("length"), std::optional<std::int64_t>(3));
        QCOMPARE(n.of("y.numel()"), std::optional<std::int64_t>(720));
        QCOMPARE(n.of("blocks(y.numel(), 4 * rowThreads)"), std::optional<std::int64_t>(3));
        QCOMPARE(n.of("std::max<int64_t>(1, B - 7)"), std::optional<std::int64_t>(1));
        QVERIFY(!n.of("unknown + 1"));
        QVERIFY(!n.of("B / (B - 3)"));
        QVERIFY(!n.of("B +"));
        QCOMPARE(HostNumbers::partsOfDim3("dim3(blocks(a, b), 2)"), (std::vector<std::string>{"blocks(a, b)", "2"}));
    }
};

} // namespace kernelarium::kernelgen

KERNELARIUM_TEST(kernelarium::kernelgen::TestLevels);
#include "TestLevels.moc"
