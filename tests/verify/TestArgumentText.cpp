// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/verify/TestArgumentText.h"

#include "core/verify/inputs/ArgumentText.h"
#include "core/verify/inputs/GuessedArguments.h"
#include "tests/TestRegistry.h"

#include <QtTest>

using namespace kernelarium;
using namespace kernelarium::verify;
using tensor::DType;
using tensor::Tensor;

void TestArgumentText::outputsAreToldFromInputs() {
    const auto plan =
        parseArguments({"float32[4]~out", "float32[2,3]", "int32[5]~constant(0)~out", "float16[2] ~ out"});
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().message.c_str());
    QCOMPARE(plan->arguments.size(), std::size_t(2));
    QCOMPARE(plan->tensors.size(), std::size_t(2));
    QCOMPARE(plan->outputs.places, (std::vector<std::size_t>{0, 3}));
    QCOMPARE(plan->outputs.updated, (std::vector<std::size_t>{2}));
    QCOMPARE(plan->outputs.fresh.at(1).dtype, DType::Float16);
    QCOMPARE(outputsOf(*plan).fresh.at(0).shape(), (tensor::Shape{4}));
    QCOMPARE(drawTensors(*plan, 1).at(1).at(4), 0.0);
}

void TestArgumentText::everyKindIsRead() {
    const auto plan = parseArguments(
        {"float32[2,3]", " 3 ", "-0.5", "true", "none", "\"mean\"", "(float16[4], 2, (1, 1e-5), ())", "int64[]"});
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().message.c_str());
    const auto arguments = argumentsOf(*plan, drawTensors(*plan, 1));
    QCOMPARE(arguments.size(), std::size_t(8));
    QCOMPARE(arguments[0].as<Tensor>()->shape(), (tensor::Shape{2, 3}));
    QCOMPARE(*arguments[1].as<std::int64_t>(), 3);
    QCOMPARE(*arguments[2].as<double>(), -0.5);
    QCOMPARE(*arguments[3].as<bool>(), true);
    QVERIFY(arguments[4].isNone());
    QCOMPARE(*arguments[5].as<std::string>(), std::string("mean"));
    const tensor::List& list = *arguments[6].as<tensor::List>();
    QCOMPARE(list.size(), std::size_t(4));
    QCOMPARE(list[0].as<Tensor>()->dtype(), DType::Float16);
    QCOMPARE(*(*list[2].as<tensor::List>())[1].as<double>(), 1e-5);
    QCOMPARE(arguments[7].as<Tensor>()->dim(), 0);
}

void TestArgumentText::distributionsAreRead() {
    const auto plan = parseArguments({"float32[1000]~uniform(2,3)", "int32[1000]~integer(-2,1)",
                                      "float32[5]~constant(7)", "bool[1000]", "float64[1000]~normal(100,0.1)"});
    QVERIFY(plan.ok());
    const auto tensors = drawTensors(*plan, 1);
    for (std::int64_t i = 0; i < 1000; ++i) {
        QVERIFY(tensors[0].at(i) >= 2 && tensors[0].at(i) < 3);
        QVERIFY(tensors[1].at(i) >= -2 && tensors[1].at(i) < 2);
        QVERIFY(tensors[3].at(i) == 0 || tensors[3].at(i) == 1);
        QVERIFY(std::abs(tensors[4].at(i) - 100) < 1);
    }
    QCOMPARE(tensors[2].at(4), 7.0);
}

void TestArgumentText::nonsenseIsRefused_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "float32", "float32[", "float32[2,]", "float32[-1]", "float33[2]", "(1, 2", "1 2",
                             "float32[2]~gamma(1,2)", "float32[2]~uniform(1)", "float32[2]~uniform(2,1)", "\"open",
                             "float32[9999999999,9999999999]", "((((((((((((((((((1))))))))))))))))))", "3x"})
        QTest::newRow(text) << text;
}

void TestArgumentText::nonsenseIsRefused() {
    QFETCH(QString, text);
    const auto plan = parseArguments({text.toStdString()});
    QVERIFY(!plan.ok());
    QCOMPARE(plan.error().code, std::string("bad_input"));
    QVERIFY(plan.error().message.find(QString("`%1`").arg(text).toStdString()) != std::string::npos);
}

void TestArgumentText::guessedFromAText_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("arguments");
    const QString tensor = QStringLiteral("float32[64,96]");
    QTest::newRow("tensors") << "torch::Tensor forward(torch::Tensor x, const at::Tensor& y) {}"
                             << QStringList{tensor, tensor};
    QTest::newRow("all kinds")
        << "// forward(int)\nat::Tensor forward(at::Tensor x, int64_t n = 3, double eps = 1e-5, bool f,\n"
           "  c10::optional<at::Tensor> bias, const std::vector<int64_t>& size, unsigned int u) {}"
        << QStringList{tensor, "1", "1.0", "true", "none", "(1, 1)", "1"};
    QTest::newRow("by its name in the module")
        << "std::vector<torch::Tensor> launch(torch::Tensor x);\nint f() { return launch(1); }\n"
           "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &launch, \"scales\"); }"
        << QStringList{tensor};
    QTest::newRow("without a name") << "torch::Tensor forward(torch::Tensor);" << QStringList{tensor};
    QTest::newRow("none") << "torch::Tensor forward() {}" << QStringList();
    QTest::newRow("a type of its own") << "torch::Tensor forward(torch::Tensor x, Shape s) {}" << QStringList();
    QTest::newRow("nothing called so") << "torch::Tensor backward(torch::Tensor x) {}" << QStringList();
}

void TestArgumentText::guessedFromAText() {
    QFETCH(QString, text);
    QFETCH(QStringList, arguments);
    const std::vector<std::string> guessed = guessedArguments(text.toStdString());
    QStringList found;
    for (const std::string& argument : guessed)
        found << QString::fromStdString(argument);
    QCOMPARE(found, arguments);
    QVERIFY(parseArguments(guessed).ok());
}

KERNELARIUM_TEST(TestArgumentText);
