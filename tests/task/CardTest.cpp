// SPDX-License-Identifier: GPL-3.0-or-later
#include "CardTest.h"

#include "Cards.h"
#include "core/task/Binding.h"
#include "core/task/Cost.h"
#include "core/task/Evaluator.h"
#include "core/task/MemoryNeed.h"
#include "core/task/ShapeInference.h"
#include "tests/TestRegistry.h"

#include <QTest>

#include <fstream>
#include <map>

#include <nlohmann/json.hpp>

namespace kernelarium {

using namespace task;

namespace {

std::map<std::string, nlohmann::json> facts() {
    std::map<std::string, nlohmann::json> rows;
    const QString folder = qEnvironmentVariable("KERNELARIUM_SHARED", KERNELARIUM_SHARED_DIR);
    std::ifstream file(folder.toStdString() + "/facts/kernelbench_tasks.jsonl");
    for (std::string line; std::getline(file, line);) {
        auto row = nlohmann::json::parse(line);
        const std::string key = std::to_string(row["level"].get<int>()) + "/" + std::to_string(row["task"].get<int>());
        rows[key] = std::move(row);
    }
    return rows;
}

} // namespace

void CardTest::everyCardLoadsAndReadsBack() {
    const auto cards = builtInCards();
    QCOMPARE(std::count_if(cards.begin(), cards.end(), [](const TaskKey& key) { return key.level <= 3; }), 250);
    QCOMPARE(cards.size(), std::size_t(258)); // and the fused chains beside KernelBench's
    for (const TaskKey& key : builtInCards()) {
        const Card card = load(key.level, key.task);
        QVERIFY2(card.size("full") && card.size("small"), card.key().c_str());
        QVERIFY2(!card.summary.empty() && !card.family.empty(), card.key().c_str());
        const std::string text = writeCard(card);
        const auto again = parseCard(text);
        QVERIFY2(bool(again), card.key().c_str());
        QCOMPARE(writeCard(*again), text);
        const auto fromFile = loadCard(key.level, key.task, KERNELARIUM_SOURCE_DIR "/archive_data/tasks");
        QVERIFY2(bool(fromFile), card.key().c_str());
        QCOMPARE(writeCard(*fromFile), text);
    }
}

void CardTest::everyCardKnowsItsOperators() {
    for (const TaskKey& key : builtInCards()) {
        const Card card = load(key.level, key.task);
        for (const Node& node : card.graph)
            QVERIFY2(knowsOperator(node.op), (card.key() + " " + node.op).c_str());
    }
}

void CardTest::shapesAgreeWithTheFacts() {
    const auto rows = facts();
    if (rows.empty()) QSKIP("shared/facts/kernelbench_tasks.jsonl is not here");
    for (const TaskKey& key : builtInCards()) {
        const Card card = load(key.level, key.task);
        if (key.level > 3) continue; // no task of KernelBench's
        const auto& row = rows.at(card.key());
        const auto symbols = card.size("full");
        const auto shapes = tensorShapes(card, *symbols);
        QVERIFY2(bool(shapes), card.key().c_str());
        for (std::size_t i = 0; row.contains("tensors") && i < card.tensors.size(); ++i)
            QVERIFY2((*shapes)[i] == row["tensors"][i]["shape"].get<Shape>(),
                     (card.key() + " " + card.tensors[i].name).c_str());
        const auto nodes = inferShapes(card, *symbols, DType::Float32);
        QVERIFY2(bool(nodes), nodes ? "" : nodes.error().message.c_str());
        // Every node that the facts know by name has the shape PyTorch gave it.
        const auto& graph = row.contains("graph") ? row["graph"] : row["module_graph"]["nodes"];
        std::map<std::string, nlohmann::json> known;
        for (const auto& node : graph)
            if (node.contains("out") && node["out"].is_object())
                known[node["name"].get<std::string>()] = node["out"]["shape"];
        for (std::size_t i = 0; i < card.graph.size(); ++i) {
            const auto it = known.find(card.graph[i].name);
            if (it == known.end()) continue;
            const Tensor* t = (*nodes)[i].results.at(0).as<Tensor>();
            Shape theirs = it->second.get<Shape>(), ours = t ? t->shape() : Shape{-1};
            if (card.graph[i].op ==
                "<built-in function getitem>") { // the exporter's last LSTM states have a 1 too many
                std::erase(theirs, 1);
                std::erase(ours, 1);
            }
            QVERIFY2(ours == theirs, (card.key() + " " + card.graph[i].name).c_str());
        }
    }
}

void CardTest::flopsAgreeWithPyTorchsCounter() {
    int counted = 0;
    for (const TaskKey& key : builtInCards()) {
        const Card card = load(key.level, key.task);
        if (!card.torchFlops) continue;
        const auto cost = costOf(card, *card.size("full"));
        QVERIFY2(bool(cost), cost ? "" : cost.error().message.c_str());
        if (cost->torchFlops != *card.torchFlops)
            QFAIL(qPrintable(QString("%1: %2, PyTorch counts %3")
                                 .arg(card.key().c_str())
                                 .arg(cost->torchFlops, 0, 'f', 0)
                                 .arg(*card.torchFlops, 0, 'f', 0)));
        ++counted;
    }
    QVERIFY(counted >= 200);
}

void CardTest::everySmallCardEvaluates() {
    for (const TaskKey& key : builtInCards()) {
        const Card card = load(key.level, key.task);
        const Symbols symbols = *card.size("small");
        const auto cost = costOf(card, symbols);
        QVERIFY2(bool(cost), cost ? "" : cost.error().message.c_str());
        if (cost->flops > 3e8) continue; // some networks have no small size; crosscheck.py runs them
        EvaluationOptions options;
        double share = 0;
        options.progress = [&](double done, std::string_view) { share = done; };
        const auto result = evaluate(card, symbols, drawn(card, symbols), options);
        QVERIFY2(bool(result), result ? "" : result.error().message.c_str());
        std::vector<Tensor> outputs;
        collectTensors(*result, outputs);
        QVERIFY2(!outputs.empty(), card.key().c_str());
        for (const Tensor& t : outputs)
            for (std::int64_t i = 0; i < t.count(); ++i)
                QVERIFY2(std::isfinite(t.at(i)), card.key().c_str());
        QVERIFY(std::abs(share - 1) < 1e-9);
    }
}

void CardTest::evaluatesByHand() {
    // 1/47: sum over dimension 1, kept.
    const Card sum = load(1, 47);
    const Symbols size{{"B", 1}, {"M", 2}, {"N", 2}};
    const auto result = evaluate(sum, size, std::vector<Tensor>{make({1, 2, 2}, {1, 2, 3, 4}, DType::Float32)}, {});
    QVERIFY(bool(result));
    QCOMPARE(distance(*result->as<Tensor>(), make({1, 1, 2}, {4, 6})), 0.0);
    QCOMPARE(result->as<Tensor>()->dtype(), DType::Float64);
    // 3/1: three linear layers with ReLU between them, here against plain loops.
    const Card mlp = load(3, 1);
    const Symbols one = *mlp.size("small");
    const std::vector<Tensor> tensors = drawn(mlp, one);
    const auto out = evaluate(mlp, one, tensors, {});
    QVERIFY(bool(out));
    std::vector<double> layer;
    for (std::int64_t i = 0; i < 1000; ++i)
        layer.push_back(tensors[0].at(i));
    for (std::size_t l = 0; l < 3; ++l) {
        const Tensor &w = tensors[1 + l], &b = tensors[4 + l];
        std::vector<double> next;
        for (std::int64_t o = 0; o < w.shape()[0]; ++o) {
            double s = b.at(o);
            for (std::int64_t k = 0; k < w.shape()[1]; ++k)
                s += w.at(o * w.shape()[1] + k) * layer[std::size_t(k)];
            next.push_back(l < 2 ? std::max(s, 0.0) : s);
        }
        layer = next;
    }
    for (std::int64_t i = 0; i < 500; ++i)
        QVERIFY(std::abs(out->as<Tensor>()->at(i) - layer[std::size_t(i)]) < 1e-12);
}

void CardTest::costsByHand() {
    const Card matmul = load(1, 1);
    const auto cost = costOf(matmul, {{"N", 100}});
    QVERIFY(bool(cost));
    QCOMPARE(cost->flops, 2e6);
    QCOMPARE(cost->compulsoryBytes, 3 * 4e4);
    QCOMPARE(cost->unfusedBytes, 3 * 4e4);
    QCOMPARE(cost->flopsByType, (std::vector<std::pair<DType, double>>{{DType::Float32, 2e6}}));
    QCOMPARE(cost->fusedIntensity(), 2e6 / 12e4);
    const Card fused = load(2, 1); // convolution, ReLU, bias
    const auto chain = costOf(fused, *fused.size("full"));
    QVERIFY(chain->unfusedBytes > 2 * chain->compulsoryBytes);
    QVERIFY(chain->fusedIntensity() > 2 * chain->unfusedIntensity());
    QCOMPARE(chain->operators[0].intensity(), chain->operators[0].flops / chain->operators[0].bytes);
    Card half = load(1, 1); // the same product in half precision: half the bytes
    half.tensors[0].dtype = half.tensors[1].dtype = DType::Float16;
    const auto halved = costOf(half, {{"N", 100}});
    QCOMPARE(halved->flopsByType, (std::vector<std::pair<DType, double>>{{DType::Float16, 2e6}}));
    QCOMPARE(halved->compulsoryBytes, 3 * 2e4);
    QCOMPARE(chain->operators.size(), fused.graph.size());
}

void CardTest::refusesWhatDoesNotFit() {
    const Card card = load(1, 1);
    const Symbols symbols{{"N", 64}};
    const std::vector<Tensor> tensors{noise({64, 64}, 1, DType::Float32), noise({64, 64}, 2, DType::Float32)};
    EvaluationOptions small;
    small.memoryLimit = 1000;
    auto result = evaluate(card, symbols, tensors, small);
    QVERIFY(!result);
    QCOMPARE(result.error().code, std::string("out_of_memory"));
    std::stop_source source;
    source.request_stop();
    EvaluationOptions stopped;
    stopped.stop = source.get_token();
    result = evaluate(card, symbols, tensors, stopped);
    QVERIFY(!result);
    QCOMPARE(result.error().code, std::string("cancelled"));
    result = evaluate(card, symbols, std::vector<Tensor>{tensors[0]}, {});
    QVERIFY(!result);
    QCOMPARE(result.error().code, std::string("bad_argument"));
    const auto needed = memoryNeeded(card, {{"N", 2048}}, DType::Float64);
    QVERIFY(*needed >= 3ull * 2048 * 2048 * 8);
}

void CardTest::fixedValuesAreReadBack() {
    const Card swin = load(3, 30);
    const auto heads = std::find_if(swin.tensors.begin(), swin.tensors.end(),
                                    [](const CardTensor& t) { return t.name == "buffer_dict.num_heads"; });
    QVERIFY(heads != swin.tensors.end());
    QCOMPARE(heads->fill.kind, Fill::Kind::values);
    QCOMPARE(heads->fill.values, (std::vector<double>{3, 6, 12, 24}));
    QVERIFY(!load(2, 80).degenerate.empty() && load(2, 1).degenerate.empty());
    std::string text = writeCard(swin);
    const std::string fill = "\"values\",";
    const std::size_t at = text.find(fill);
    QVERIFY(at != std::string::npos);
    text.replace(at, fill.size(), "\"values\"],\"was\":[");
    QCOMPARE(parseCard(text).error().code, std::string("bad_card")); // a list without a number
}

void CardTest::evaluatesSizes() {
    const Symbols symbols{{"B", 16}, {"H", 7}};
    QCOMPARE(*SizeExpression("B*8 + (H-2)/2").evaluate(symbols), std::int64_t(130));
    QCOMPARE(*SizeExpression("-1").evaluate(symbols), std::int64_t(-1));
    QVERIFY(!SizeExpression("B*").evaluate(symbols));
    QVERIFY(!SizeExpression("Q").evaluate(symbols));
    QVERIFY(!SizeExpression("B/(H-7)").evaluate(symbols));
    for (const char sign : {'(', '-'}) // they took the stack
        QVERIFY(!SizeExpression(std::string(1000000, sign) + "1").evaluate(symbols));
    QVERIFY(SizeExpression(12).isNumber() && !SizeExpression("B").isNumber());
}

void CardTest::bindsNestedCalls() {
    const Card card = load(3, 1);
    const Symbols symbols = *card.size("small");
    const auto values = callArguments(card, symbols, drawn(card, symbols));
    QVERIFY(bool(values));
    QCOMPARE(values->size(), std::size_t(3));
    QVERIFY(values->at(0).as<Tensor>());
    QCOMPARE(values->at(1).as<List>()->size(), std::size_t(3));
    QCOMPARE(values->at(2).as<List>()->at(0).as<Tensor>()->shape(), Shape({400}));
}

void CardTest::refusesBadCards() {
    QCOMPARE(loadCard(1, 999).error().code, std::string("unknown_task"));
    QCOMPARE(parseCard("{").error().code, std::string("bad_card"));
    QCOMPARE(parseCard("{\"format\": 2}").error().code, std::string("bad_card"));
    QVERIFY(!load(1, 1).size("enormous"));
    QVERIFY(parseTaskKey("1/16") && parseTaskKey("level_2/3"));
    for (const char* text : {"", "1", "1/", "a/b", "1/2/3", "1/-"})
        QVERIFY2(!parseTaskKey(text), text);
}

void CardTest::refusesReferencesThatLeadNowhere_data() {
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("json");
    const auto row = [](const char* name, const char* where, const QString& json) {
        QTest::newRow(name) << where << json;
    };
    row("a tensor that is not there", "/call/0/1", "\"%7\"");
    row("a tensor before the first", "/call/0/1", "\"%-1\"");
    row("the largest number", "/call/0/1", "\"%18446744073709551615\"");
    row("more than 64 bits", "/call/0/1", "\"%18446744073709551616\"");
    row("no number", "/call/0/1", "\"%1x\"");
    row("inside a list", "/call/0/1", "[[\"%0\", \"%9\"]]");
    row("inside a dict", "/call/0/1", R"({"dict": {"a": "%9"}})");
    row("no tensors", "/tensors", "[]");
    row("a node in the call", "/call/0/1", "\"@softmax\"");
    row("a tensor of an operator", "/graph/0/2/0", "\"%3\"");
    row("a later node", "/graph/0/2/0", "\"@softmax\"");
    row("a tensor of the output", "/output", "\"%3\"");
    row("a node that is not there", "/output", "[\"@nothing\"]");
    row("a keyword's node", "/graph/0/3", R"({"out": "@nothing"})");
    row("two nodes of one name", "/graph",
        R"([["a", "aten.relu.default", ["%0"]], ["a", "aten.relu.default", ["@a"]], ["softmax", "aten.relu.default", ["@a"]]])");
    row("integers from more to fewer", "/tensors/0/fill", R"(["integers", 5, 1])");
    row("integers that no double has", "/tensors/0/fill", R"(["integers", 0, 1e300])");
    row("a negative tolerance", "/tolerance/strict", "-1");
    row("more dimensions than PyTorch has", "/tensors/0/shape", "[" + QString("1,").repeated(99) + "1]");
    row("nested lists", "/call/0/1", QString("[").repeated(10000) + QString("]").repeated(10000));
    row("a long size", "/tensors/0/shape/0", "\"" + QString("1+").repeated(100000) + "1\"");
}

void CardTest::refusesReferencesThatLeadNowhere() {
    QFETCH(QString, where);
    QFETCH(QString, json);
    const std::string good = writeCard(load(1, 23));
    QVERIFY(bool(parseCard(good)));
    auto card = nlohmann::ordered_json::parse(good);
    const std::string mark = "\"what is not there\"";
    card[nlohmann::ordered_json::json_pointer(where.toStdString())] = nlohmann::ordered_json::parse(mark);
    std::string text = card.dump();
    text.replace(text.find(mark), mark.size(), json.toStdString());
    const auto refused = parseCard(text);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, std::string("bad_card"));
    QVERIFY(!refused.error().message.empty());
}

} // namespace kernelarium

KERNELARIUM_TEST(kernelarium::CardTest);
