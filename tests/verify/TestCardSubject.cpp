// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/verify/TestCardSubject.h"

#include "core/verify/CardSubject.h"
#include "core/verify/Comparison.h"
#include "tests/TestRegistry.h"

#include <QtTest>

using namespace kernelarium;
using namespace kernelarium::verify;

namespace {

/// relu(x @ w) with a nested call: forward(scale, (w, x), rows).
task::Card sampleCard() {
    using task::Argument;
    using task::SizeExpression;
    task::Card card;
    card.level = 1;
    card.task = 999;
    card.sizes = {{"full", {{"N", 64}, {"K", 32}}}, {"small", {{"N", 8}, {"K", 4}}}};
    task::CardTensor x;
    x.name = "x";
    x.shape = {SizeExpression("N"), SizeExpression("K")};
    task::CardTensor w;
    w.name = "w";
    w.isParameter = true;
    w.shape = {SizeExpression("K"), SizeExpression("N*2")};
    w.fill = {task::Fill::Kind::uniform, -1, 1};
    card.tensors = {x, w};
    const Argument xRef{task::CardTensorRef{0}};
    const Argument wRef{task::CardTensorRef{1}};
    card.call = {{"scale", Argument{2.5}},
                 {"pair", Argument{task::ArgumentList{wRef, xRef}}},
                 {"rows", Argument{SizeExpression("N")}}};
    card.graph = {{"product", "aten.matmul.default", {xRef, wRef}, {}},
                  {"relu", "aten.relu.default", {Argument{task::NodeRef{"product"}}}, {}}};
    card.output = Argument{task::NodeRef{"relu"}};
    return card;
}

} // namespace

void TestCardSubject::thePlanFollowsTheCall() {
    const auto plan = planOf(sampleCard(), "small");
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().message.c_str());
    QCOMPARE(plan->tensors[1].shape, (tensor::Shape{4, 16}));
    CallInputs inputs;
    inputs.tensors = drawTensors(*plan, 1);
    inputs.arguments = argumentsOf(*plan, inputs.tensors);
    QCOMPARE(*inputs.arguments[0].as<double>(), 2.5);
    QCOMPARE(inputs.arguments[1].as<tensor::List>()->at(0).as<tensor::Tensor>()->shape(), (tensor::Shape{4, 16}));
    QCOMPARE(*inputs.arguments[2].as<std::int64_t>(), 8);
    auto reference = CardReference::create(sampleCard(), "small", 1);
    QVERIFY(reference.ok());
    const auto value = (*reference)->evaluate(inputs, {});
    QVERIFY2(value.ok(), value.ok() ? "" : value.error().message.c_str());
    const tensor::Tensor& y = *value->as<tensor::Tensor>();
    QCOMPARE(y.dtype(), tensor::DType::Float64);
    double expected = 0;
    for (std::int64_t k = 0; k < 4; ++k)
        expected += inputs.tensors[0].at(4 * 3 + k) * inputs.tensors[1].at(16 * k + 5);
    QVERIFY(std::abs(y.at(16 * 3 + 5) - std::max(expected, 0.0)) < 1e-12);
    QCOMPARE((*reference)->outputTypes(), std::vector<tensor::DType>{tensor::DType::Float32});
    const auto plain = (*reference)->evaluateFloat32(inputs, {});
    QVERIFY(plain.ok() && plain->has_value());
    const Comparison c = compare(**plain, *value, (*reference)->outputTypes(), Tolerance{});
    QVERIFY(c.rightStrictly());
    QVERIFY(c.rmsError > 0);
}

void TestCardSubject::everyBuiltInCardCanBePlannedAndEvaluated_data() {
    QTest::addColumn<int>("level");
    QTest::addColumn<int>("task");
    const auto keys = task::builtInCards();
    if (keys.empty()) QSKIP("The build has no cards.");
    for (const task::TaskKey& key : keys)
        QTest::newRow((std::to_string(key.level) + "/" + std::to_string(key.task)).c_str()) << key.level << key.task;
}

void TestCardSubject::everyBuiltInCardCanBePlannedAndEvaluated() {
    QFETCH(int, level);
    QFETCH(int, task);
    auto card = task::loadCard(level, task);
    QVERIFY2(card.ok(), card.ok() ? "" : card.error().message.c_str());
    const auto plan = planOf(*card, "small");
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().message.c_str());
    CallInputs inputs;
    inputs.tensors = drawTensors(*plan, 1);
    inputs.arguments = argumentsOf(*plan, inputs.tensors);
    auto reference = CardReference::create(*card, "small", 1);
    QVERIFY(reference.ok());
    const auto value = (*reference)->evaluate(inputs, {});
    QVERIFY2(value.ok(), value.ok() ? "" : value.error().message.c_str());
    for (const tensor::Tensor& output : flatten(*value))
        for (std::int64_t i = 0; i < output.count(); ++i)
            QVERIFY(std::isfinite(output.at(i)));
}

void TestCardSubject::anUnknownSizeIsRefused() {
    const auto plan = planOf(sampleCard(), "enormous");
    QVERIFY(!plan.ok());
    QCOMPARE(plan.error().code, std::string("bad_input"));
}

KERNELARIUM_TEST(TestCardSubject);
