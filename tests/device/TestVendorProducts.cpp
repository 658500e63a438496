// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/TestVendorProducts.h"

#include "gpu/operators/DeviceCall.h"
#include "tests/TestRegistry.h"
#include "tests/device/Gpu.h"
#include "tests/device/VendorCases.h"

#include <QtTest>

using namespace kernelarium;
using operators::DeviceTensor;
using operators::MatrixProduct;
using tensor::DType;
using tensor::Tensor;
using test::bound;
using test::difference;
using test::Gpu;
using test::values;

namespace {

constexpr const char* noCublas = "cuBLAS is not found on this machine";

MatrixProduct productOf(const DeviceTensor& a, const DeviceTensor& b, const DeviceTensor& c) {
    MatrixProduct p;
    p.dtype = a.dtype;
    p.batches = a.shape[0], p.m = a.shape[1], p.k = a.shape[2], p.n = b.shape[2];
    p.a = a.address(), p.b = b.address(), p.c = c.address();
    p.aBatch = a.strides[0], p.aRow = a.strides[1], p.aColumn = a.strides[2];
    p.bBatch = b.strides[0], p.bRow = b.strides[1], p.bColumn = b.strides[2];
    p.cBatch = c.strides[0], p.cRow = c.strides[1];
    return p;
}

} // namespace

void TestVendorProducts::aLibraryThatIsNotThereIsNamed() {
    NEEDS_GPU();
    const auto none = device::Cublas::open(Gpu::instance().context(), Gpu::instance().pool(), "libcublas-of-nobody.so");
    QVERIFY(!none.ok());
    QCOMPARE(none.error().code, std::string("missing_component"));
    QVERIFY(none.error().detail.find("libcublas-of-nobody.so") != std::string::npos);
}

void TestVendorProducts::productsAreThoseOfOurKernels_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<bool>("turnA");
    QTest::addColumn<bool>("turnB");
    QTest::addColumn<int>("batches");
    for (const DType type : {DType::Float32, DType::Float64, DType::Float16, DType::BFloat16})
        for (const int which : {0, 1, 2, 3})
            QTest::addRow("%s, %d", tensor::name(type).data(), which)
                << int(type) << bool(which & 1) << bool(which & 2) << (which == 3 ? 3 : 1);
}

void TestVendorProducts::productsAreThoseOfOurKernels() {
    NEEDS_GPU();
    QFETCH(int, type);
    QFETCH(bool, turnA);
    QFETCH(bool, turnB);
    QFETCH(int, batches);
    const device::OperatorParts& parts = Gpu::instance().operatorParts();
    if (!parts.vendors->cublas()) QSKIP(noCublas);
    operators::Device device(*parts.machine, parts.library);
    const std::int64_t m = 33, k = 70, n = 48;
    DeviceTensor a =
        device.upload(values(DType(type), turnA ? tensor::Shape{batches, k, m} : tensor::Shape{batches, m, k}, 1));
    DeviceTensor b =
        device.upload(values(DType(type), turnB ? tensor::Shape{batches, n, k} : tensor::Shape{batches, k, n}, 2));
    if (turnA) a = operators::swapped(a, 1, 2);
    if (turnB) b = operators::swapped(b, 1, 2);
    const double allowed = DType(type) == DType::Float64 ? 1e-13 : DType(type) == DType::Float32 ? 1e-6 : 1e-2;
    const DeviceTensor expected = operators::multiplied(device, a, b);
    const DeviceTensor c = device.make(DType(type), {batches, m, n});
    MatrixProduct p = productOf(a, b, c);
    QVERIFY(device::Cublas::takes(p));
    const Result<void> done = parts.vendors->cublas()->multiply(p);
    QVERIFY2(done.ok(), done ? "" : done.error().text().c_str());
    const double off = difference(device, c, expected);
    QVERIFY2(off <= allowed, qPrintable(QString("off by %1").arg(off)));

    if (!parts.vendors->cublasLt()) QSKIP("cuBLASLt is not found on this machine");
    const DeviceTensor bias = device.upload(values(DType(type), {n}, 3));
    const DeviceTensor biased = operators::multiplied(device, a, b, bias);
    p.bias = bias.address();
    const auto plan = device::CublasLt::prepare(parts.vendors->cublasLt(), p, 1);
    QVERIFY2(plan.ok(), plan ? "" : plan.error().text().c_str());
    const Result<void> queued = (*plan)->queue();
    QVERIFY2(queued.ok(), queued ? "" : queued.error().text().c_str());
    const double biasedOff = difference(device, c, biased);
    QVERIFY2(biasedOff <= allowed, qPrintable(QString("with a bias, off by %1").arg(biasedOff)));
}

void TestVendorProducts::everyAlgorithmGivesTheSame() {
    NEEDS_GPU();
    const device::OperatorParts& parts = Gpu::instance().operatorParts();
    if (!parts.vendors->cublasLt()) QSKIP("cuBLASLt is not found on this machine");
    operators::Device device(*parts.machine, parts.library);
    const DeviceTensor a = device.upload(values(DType::Float32, {1, 256, 512}, 1)),
                       b = device.upload(values(DType::Float32, {1, 512, 128}, 2));
    const DeviceTensor expected = operators::multiplied(device, a, b), c = device.make(DType::Float32, {1, 256, 128});
    const auto plan =
        device::CublasLt::prepare(parts.vendors->cublasLt(), productOf(a, b, c), device::CublasLt::mostAlgorithms);
    QVERIFY2(plan.ok(), plan ? "" : plan.error().text().c_str());
    qInfo("%d algorithms of cuBLASLt %s", int((*plan)->algorithms()), parts.vendors->cublasLt()->version().c_str());
    for (std::size_t i = 0; i < (*plan)->algorithms(); ++i) {
        operators::fill(device, c, 0);
        const Result<void> queued = (*plan)->queue(i);
        QVERIFY2(queued.ok(), queued ? "" : queued.error().text().c_str());
        const double off = difference(device, c, expected);
        QVERIFY2(off <= 1e-5, qPrintable(QString("algorithm %1 is off by %2").arg(i).arg(off)));
    }
}

void TestVendorProducts::operatorsStayOnTheGpu_data() {
    QTest::addColumn<QString>("expression");
    for (const char* expression :
         {"torch::mm(m, m.t())", "torch::linear(m, m, m.sum(0))", "torch::relu(m).add_(m).mul(2.0)",
          "torch::bmm(x.view({4, 8, 8}), x.view({4, 8, 8}).transpose(1, 2))", "torch::softmax(m, 1)",
          "torch::conv2d(x.view({1, 1, 16, 16}), x.slice(0, 0, 18).contiguous().view({2, 1, 3, 3}))",
          "m.t().contiguous() + m.to(torch::kHalf).to(torch::kFloat)",
          "torch::mm(m.to(torch::kHalf), m.to(torch::kHalf)).to(torch::kFloat)"})
        QTest::newRow(expression) << QString::fromLatin1(expression);
}

void TestVendorProducts::operatorsStayOnTheGpu() {
    NEEDS_GPU();
    QFETCH(QString, expression);
    const std::string source = bound("torch::Tensor forward(torch::Tensor x) { auto m = x.view({16, 16}); return " +
                                     expression.toStdString() + "; }");
    const std::vector<tensor::Value> arguments{values(DType::Float32, {256}, 4)};
    const QByteArray wrong = test::notAsEmulated(source, arguments, 2e-3);
    QVERIFY2(wrong.isEmpty(), wrong.constData());
}

KERNELARIUM_TEST(TestVendorProducts);
