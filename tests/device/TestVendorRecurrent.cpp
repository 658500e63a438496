// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/TestVendorRecurrent.h"

#include "gpu/device/vendor/CudnnRecurrent.h"
#include "gpu/operators/DeviceCall.h"
#include "tests/TestRegistry.h"
#include "tests/device/Gpu.h"
#include "tests/device/VendorCases.h"

#include <QtTest>
#include <limits>

using namespace kernelarium;
using operators::DeviceTensor;
using operators::RecurrentLayers;
using tensor::DType;
using tensor::List;
using tensor::Value;
using test::bound;
using test::difference;
using test::Gpu;
using test::values;

namespace {

constexpr const char* noRecurrentLayers = "cuDNN with recurrent layers is not found on this machine";
constexpr std::int64_t steps = 7, batch = 3, features = 10, hidden = 16;

struct Kind {
    const char* name;
    const char* op;
    RecurrentLayers::Cell cell;
    std::int64_t gates;
};
constexpr Kind kinds[] = {{"LSTM", "aten.lstm.input", RecurrentLayers::Cell::lstm, 4},
                          {"GRU", "aten.gru.input", RecurrentLayers::Cell::gru, 3},
                          {"tanh", "aten.rnn_tanh.input", RecurrentLayers::Cell::tanh, 1},
                          {"relu", "aten.rnn_relu.input", RecurrentLayers::Cell::relu, 1}};

/// The arguments of an operator, uploaded, and the same for the library.
struct LayerOperands {
    std::vector<operators::DeviceValue> arguments;
    std::vector<DeviceTensor> tensors; ///< input, state, memory, parameters
    RecurrentLayers layers;
};
LayerOperands layerOperandsOf(operators::Device& device, const Kind& kind, DType type, std::int64_t layers,
                              bool bidirectional, bool biased) {
    const std::int64_t directions = bidirectional ? 2 : 1;
    int seed = 1;
    LayerOperands o;
    const auto place = [&](tensor::Shape shape) {
        o.tensors.push_back(device.upload(values(type, std::move(shape), seed++)));
        return o.tensors.back();
    };
    const DeviceTensor x = place({steps, batch, features}), h = place({layers * directions, batch, hidden}),
                       c = place(h.shape);
    std::vector<DeviceTensor> parameters;
    for (std::int64_t cell = 0; cell < layers * directions; ++cell) {
        parameters.push_back(place({kind.gates * hidden, cell < directions ? features : directions * hidden}));
        parameters.push_back(place({kind.gates * hidden, hidden}));
        for (int i = 0; biased && i < 2; ++i)
            parameters.push_back(place({kind.gates * hidden}));
    }
    const bool memory = kind.cell == RecurrentLayers::Cell::lstm;
    o.arguments = {x, memory ? operators::listOf({h, c}) : operators::DeviceValue(h), operators::listOf(parameters)};
    for (Value v : {Value(biased), Value(layers), Value(0.0), Value(false), Value(bidirectional), Value(false)})
        o.arguments.emplace_back(std::move(v));
    RecurrentLayers& l = o.layers;
    l.dtype = type, l.cell = kind.cell, l.bidirectional = bidirectional, l.biased = biased;
    l.time = steps, l.batch = batch, l.features = features, l.hidden = hidden, l.layers = layers;
    l.in = x.address(), l.state = h.address(), l.memory = memory ? c.address() : 0;
    for (const DeviceTensor& p : parameters)
        l.parameters.push_back(p.address());
    return o;
}

} // namespace

void TestVendorRecurrent::layersAreThoseOfOurKernels_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("layers");
    QTest::addColumn<bool>("bidirectional");
    QTest::addColumn<bool>("biased");
    for (int kind = 0; kind < int(std::size(kinds)); ++kind)
        for (const DType type : {DType::Float32, DType::Float64})
            for (const int layers : {1, 3})
                for (const bool bidirectional : {false, true})
                    QTest::addRow("%s, %s, %d layers, %s", kinds[kind].name, tensor::name(type).data(), layers,
                                  bidirectional ? "both ways" : "one way")
                        << kind << int(type) << layers << bidirectional << (layers == 1 || bidirectional);
}

void TestVendorRecurrent::layersAreThoseOfOurKernels() {
    NEEDS_GPU();
    QFETCH(int, kind);
    QFETCH(int, type);
    QFETCH(int, layers);
    QFETCH(bool, bidirectional);
    QFETCH(bool, biased);
    const device::OperatorParts& parts = Gpu::instance().operatorParts();
    if (!parts.vendors->cudnn() || !parts.vendors->cudnn()->hasRecurrentLayers()) QSKIP(noRecurrentLayers);
    operators::Device device(*parts.machine, parts.library);
    LayerOperands o = layerOperandsOf(device, kinds[kind], DType(type), layers, bidirectional, biased);
    const operators::DeviceResults expected = operators::runOperator(device, kinds[kind].op, o.arguments, {}, 1);
    std::vector<DeviceTensor> got;
    for (const operators::DeviceValue& e : expected)
        got.push_back(device.make(DType(type), e.tensors.at(0).shape));
    o.layers.out = got.at(0).address(), o.layers.lastState = got.at(1).address();
    if (got.size() > 2) o.layers.lastMemory = got[2].address();
    const auto plan = device::CudnnRecurrent::prepare(parts.vendors->cudnn(), o.layers);
    QVERIFY2(plan.ok(), plan ? "" : plan.error().text().c_str());
    const double allowed = DType(type) == DType::Float64 ? 1e-12 : 1e-4; // of numbers that relu lets grow
    for (int again = 0; again < 2; ++again) {
        const Result<void> queued = (*plan)->queue();
        QVERIFY2(queued.ok(), queued ? "" : queued.error().text().c_str());
        for (std::size_t i = 0; i < got.size(); ++i) {
            const double off = difference(device, got[i], expected[i].tensors[0]);
            QVERIFY2(off <= allowed, qPrintable(QString("result %1 is off by %2").arg(i).arg(off)));
            operators::fill(device, got[i], 0);
        }
    }
}

void TestVendorRecurrent::sizesThatItDoesNotTakeAreLeftToOurKernels() {
    RecurrentLayers l;
    QVERIFY(device::CudnnRecurrent::takes(l));
    for (std::int64_t RecurrentLayers::*size :
         {&RecurrentLayers::time, &RecurrentLayers::batch, &RecurrentLayers::features, &RecurrentLayers::hidden,
          &RecurrentLayers::layers})
        for (const std::int64_t wrong : {std::int64_t(0), std::int64_t(std::numeric_limits<int>::max()) + 1}) {
            RecurrentLayers other = l;
            other.*size = wrong;
            QVERIFY(!device::CudnnRecurrent::takes(other));
        }
    l.time = 1 << 16, l.batch = 1 << 16;
    QVERIFY(!device::CudnnRecurrent::takes(l));
    l.time = 1, l.dtype = DType::Int32;
    QVERIFY(!device::CudnnRecurrent::takes(l));
}

void TestVendorRecurrent::hostCodeRuns_data() {
    QTest::addColumn<QString>("expression");
    const char* weights = "w.view({48, 16}), w.view({48, 16}).flip(0)";
    for (const QString& expression :
         {QString("std::get<0>(torch::gru(x.view({8, 4, 16}), torch::zeros({1, 4, 16}, x.options()), {%1, b, "
                  "b * 2}, true, 1, 0.0, false, false, false))"),
          QString("std::get<1>(torch::gru(x.view({8, 4, 16}), x.slice(0, 0, 128).view({1, 8, 16}), {%1}, "
                  "false, 1, 0.0, false, false, true))"),
          QString("std::get<0>(torch::gru(x.view({8, 4, 16}).transpose(1, 2).reshape({4, 8, 16}), torch::ones({1, 4, "
                  "16}, x.options()), {%1, b, b}, true, 1, 0.0, false, false, true)).transpose(0, 1)"),
          QString("std::get<0>(torch::gru(x.view({32, 16}), torch::zeros({1, 16}, x.options()), {%1, b, b}, "
                  "true, 1, 0.0, false, false, false))")})
        QTest::newRow(qPrintable(expression)) << expression.arg(weights);
}

void TestVendorRecurrent::hostCodeRuns() {
    NEEDS_GPU();
    QFETCH(QString, expression);
    const std::string source =
        bound("torch::Tensor forward(torch::Tensor x, torch::Tensor w, torch::Tensor b) { return " +
              expression.toStdString() + "; }");
    const std::vector<Value> arguments{values(DType::Float32, {512}, 4), values(DType::Float32, {768}, 5),
                                       values(DType::Float32, {48}, 6)};
    const QByteArray wrong = test::notAsEmulated(source, arguments, 1e-4);
    QVERIFY2(wrong.isEmpty(), wrong.constData());
}

KERNELARIUM_TEST(TestVendorRecurrent);
