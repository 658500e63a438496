// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/TestVendorConvolutions.h"

#include "gpu/operators/DeviceCall.h"
#include "tests/TestRegistry.h"
#include "tests/device/Gpu.h"
#include "tests/device/VendorCases.h"

#include <QtTest>

using namespace kernelarium;
using operators::DeviceTensor;
using tensor::DType;
using tensor::Tensor;
using test::bound;
using test::difference;
using test::Gpu;
using test::values;

namespace {

constexpr const char* noConvolutions = "cuDNN is not found on this machine";

/// [2, 6, ...] by weights of 6 to 8 channels, as aten.convolution has its arguments.
struct Case {
    const char* name;
    int dimensions;
    bool transposed;
    std::int64_t groups, stride, padding, dilation, outputPadding;
};
constexpr Case cases[] = {
    {"one dimension", 1, false, 1, 1, 0, 1, 0},
    {"two dimensions", 2, false, 1, 1, 1, 1, 0},
    {"two, strides", 2, false, 1, 2, 1, 1, 0},
    {"two, dilation", 2, false, 1, 1, 2, 2, 0},
    {"two, groups", 2, false, 2, 1, 1, 1, 0},
    {"three dimensions", 3, false, 1, 1, 0, 1, 0},
    {"transposed, one dimension", 1, true, 1, 2, 1, 1, 0},
    {"transposed", 2, true, 1, 2, 1, 1, 1},
    {"transposed, groups", 2, true, 2, 1, 0, 1, 0},
    {"transposed, three", 3, true, 1, 2, 1, 1, 1},
};

struct ConvolutionOperands {
    DeviceTensor input, weight, bias, expected;
    operators::ConvolutionShape shape;
};

/// By our own kernels, which this machine, having no library, takes.
ConvolutionOperands convolutionOperandsOf(operators::Device& device, const Case& c, DType type) {
    const std::size_t n = std::size_t(c.dimensions);
    const std::int64_t in = 6, out = 8, side = 9, kernel = 3;
    tensor::Shape input{2, in},
        weight = c.transposed ? tensor::Shape{in, out / c.groups} : tensor::Shape{out, in / c.groups};
    input.insert(input.end(), n, side), weight.insert(weight.end(), n, kernel);
    ConvolutionOperands o;
    o.input = device.upload(values(type, input, 1)), o.weight = device.upload(values(type, weight, 2)),
    o.bias = device.upload(values(type, {out}, 3));
    const auto list = [n](std::int64_t value) { return tensor::Value(tensor::List(n, tensor::Value(value))); };
    const std::vector<operators::DeviceValue> arguments{o.input,
                                                        o.weight,
                                                        o.bias,
                                                        list(c.stride),
                                                        list(c.padding),
                                                        list(c.dilation),
                                                        tensor::Value(c.transposed),
                                                        list(c.outputPadding),
                                                        tensor::Value(c.groups)};
    o.expected = operators::runOperator(device, "aten.convolution.default", arguments, {}).at(0).tensors.at(0);
    o.shape.dtype = type, o.shape.dimensions = c.dimensions, o.shape.transposed = c.transposed, o.shape.biased = true;
    o.shape.batch = 2, o.shape.channelsIn = in, o.shape.channelsOut = out, o.shape.groups = c.groups;
    for (std::size_t d = 3 - n; d < 3; ++d) {
        o.shape.size[d] = side, o.shape.kernel[d] = kernel, o.shape.outSize[d] = o.expected.shape[d + n - 1];
        o.shape.stride[d] = c.stride, o.shape.padding[d] = c.padding, o.shape.dilation[d] = c.dilation;
    }
    return o;
}

} // namespace

void TestVendorConvolutions::aLibraryThatIsNotThereIsNamed() {
    NEEDS_GPU();
    const auto none = device::Cudnn::open(Gpu::instance().context(), Gpu::instance().pool(), "libcudnn-of-nobody.so");
    QVERIFY(!none.ok());
    QCOMPARE(none.error().code, std::string("missing_component"));
    QVERIFY(none.error().detail.find("libcudnn-of-nobody.so") != std::string::npos);
}

void TestVendorConvolutions::convolutionsAreThoseOfOurKernels_data() {
    QTest::addColumn<int>("index");
    QTest::addColumn<int>("type");
    for (const DType type : {DType::Float32, DType::Float64, DType::Float16})
        for (int i = 0; i < int(std::size(cases)); ++i)
            QTest::addRow("%s, %s", cases[i].name, tensor::name(type).data()) << i << int(type);
}

void TestVendorConvolutions::convolutionsAreThoseOfOurKernels() {
    NEEDS_GPU();
    QFETCH(int, index);
    QFETCH(int, type);
    const device::OperatorParts& parts = Gpu::instance().operatorParts();
    if (!parts.vendors->cudnn()) QSKIP(noConvolutions);
    operators::Device device(*parts.machine, parts.library);
    const ConvolutionOperands o = convolutionOperandsOf(device, cases[index], DType(type));
    QVERIFY(device::Cudnn::takes(o.shape));
    const auto plan = device::Cudnn::prepare(parts.vendors->cudnn(), o.shape);
    if (!plan && DType(type) == DType::Float16 && plan.error().code == "unsupported")
        QSKIP(plan.error().message.c_str());
    QVERIFY2(plan.ok(), plan ? "" : plan.error().text().c_str());
    const DeviceTensor out = device.make(DType(type), o.expected.shape);
    const Result<void> queued =
        (*plan)->queue({o.shape, o.input.address(), o.weight.address(), o.bias.address(), out.address()});
    QVERIFY2(queued.ok(), queued ? "" : queued.error().text().c_str());
    const double allowed = DType(type) == DType::Float64 ? 1e-13 : DType(type) == DType::Float32 ? 1e-6 : 1e-2;
    const double off = difference(device, out, o.expected);
    QVERIFY2(off <= allowed, qPrintable(QString("off by %1").arg(off)));
}

void TestVendorConvolutions::everyAlgorithmGivesTheSame() {
    NEEDS_GPU();
    const device::OperatorParts& parts = Gpu::instance().operatorParts();
    if (!parts.vendors->cudnn()) QSKIP(noConvolutions);
    operators::Device device(*parts.machine, parts.library);
    for (const int index : {1, 7}) {
        const ConvolutionOperands o = convolutionOperandsOf(device, cases[index], DType::Float32);
        const DeviceTensor out = device.make(DType::Float32, o.expected.shape);
        for (const auto precision : {device::CudnnPrecision::float32, device::CudnnPrecision::tf32}) {
            const auto plan = device::Cudnn::prepare(parts.vendors->cudnn(), o.shape, precision);
            QVERIFY2(plan.ok(), plan ? "" : plan.error().text().c_str());
            qInfo("%s: %d algorithms of cuDNN %s", cases[index].name, int((*plan)->algorithms()),
                  parts.vendors->cudnn()->version().c_str());
            const double allowed =
                precision == device::CudnnPrecision::tf32 ? 5e-3 : 1e-5; // FFT and Winograd sum otherwise
            for (std::size_t i = 0; i < (*plan)->algorithms(); ++i) {
                operators::fill(device, out, 0);
                const Result<void> queued = (*plan)->queue(
                    {o.shape, o.input.address(), o.weight.address(), o.bias.address(), out.address()}, i);
                QVERIFY2(queued.ok(), queued ? "" : queued.error().text().c_str());
                const double off = difference(device, out, o.expected);
                QVERIFY2(off <= allowed, qPrintable(QString("algorithm %1 is off by %2").arg(i).arg(off)));
            }
        }
    }
}

void TestVendorConvolutions::hostCodeConvolves_data() {
    QTest::addColumn<QString>("expression");
    for (const char* expression :
         {"torch::conv2d(x.view({2, 8, 16, 16}), w.view({4, 8, 3, 3}), b, {1, 1}, {1, 1})",
          "torch::conv2d(x.view({2, 16, 8, 16}).transpose(1, 2).slice(1, 0, 8), w.view({4, 8, 3, 3}))",
          "torch::conv1d(x.view({8, 8, 64}), w.view({4, 8, 9}), b, 2)",
          "torch::conv3d(x.view({2, 2, 4, 16, 16}), w.view({4, 2, 4, 3, 3}).contiguous(), b)",
          "torch::conv_transpose2d(x.view({2, 8, 16, 16}), w.view({8, 4, 3, 3}), b, 2, 1, 1)",
          "torch::relu(torch::conv_transpose3d(x.view({2, 8, 4, 8, 8}), w.view({8, 4, 1, 3, 3}), b, 2))",
          "torch::conv2d(x.view({8, 32, 16}), w.view({4, 8, 3, 3}), b)", // without a batch
          "torch::conv2d(x.view({2, 8, 16, 16}), w.slice(0, 0, 72).view({8, 1, 3, 3}), {}, 1, 1, 1, 8)", // depthwise:
                                                                                                         // kernels of
                                                                                                         // ours
          "torch::conv2d(x.view({2, 8, 16, 16}).to(torch::kHalf), w.view({4, 8, 3, "
          "3}).to(torch::kHalf)).to(torch::kFloat)",
          "torch::batch_norm(torch::conv2d(x.view({2, 8, 16, 16}), w.view({4, 8, 3, 3})), {}, {}, {}, {}, true, 0.1, "
          "1e-5, false)",
          "torch::batch_norm(x.view({16, 4, 8, 8}), b, b + 1, {}, {}, true, 0.1, 1e-5, true)",
          "torch::batch_norm(x.view({16, 4, 8, 8}), b, b + 1, b * 2, b.abs() + 1, false, 0.1, 1e-5, true)",
          "[&] { auto m = b * 2, v = b.abs() + 1; auto y = torch::batch_norm(x.view({16, 4, 64}), b, b + 1, m, v, "
          "true, 0.3, 1e-5, true); return y + m.view({1, 4, 1}) * 3 + v.view({1, 4, 1}); }()",
          "torch::batch_norm(x.view({16, 4, 8, 8}).transpose(2, 3), b, b, {}, {}, true, 0.1, 1e-3, true)"})
        QTest::newRow(expression) << QString::fromLatin1(expression);
}

void TestVendorConvolutions::hostCodeConvolves() {
    NEEDS_GPU();
    QFETCH(QString, expression);
    const std::string source =
        bound("torch::Tensor forward(torch::Tensor x, torch::Tensor w, torch::Tensor b) { return " +
              expression.toStdString() + "; }");
    const std::vector<tensor::Value> arguments{values(DType::Float32, {4096}, 4), values(DType::Float32, {288}, 5),
                                               values(DType::Float32, {4}, 6)};
    const QByteArray wrong = test::notAsEmulated(source, arguments, 1e-2);
    QVERIFY2(wrong.isEmpty(), wrong.constData());
}

KERNELARIUM_TEST(TestVendorConvolutions);
