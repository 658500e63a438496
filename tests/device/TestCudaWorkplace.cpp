// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/TestCudaWorkplace.h"

#include "core/verify/CardSubject.h"
#include "core/verify/Verifier.h"
#include "gpu/device/memory/WorkplaceKeeper.h"
#include "gpu/operators/DeviceReference.h"
#include "gpu/operators/DeviceWorkplace.h"
#include "tests/TestRegistry.h"
#include "tests/device/Gpu.h"
#include "tests/device/PlacedKernels.h"

#include <QFile>
#include <QtTest>
#include <cstring>

using namespace kernelarium;
using tensor::DType;
using tensor::Tensor;
using test::Gpu;

namespace {

/// A workplace on the GPU, whose pool knows it for as long as it lives, with as much memory as is said beside what is
/// lent already; 0: all.
struct GpuWorkplace {
    explicit GpuWorkplace(std::uint64_t bytes = 0)
        : place(*Gpu::instance().operatorParts().machine, *Gpu::instance().operatorParts().library)
        , keeper(place.tensors()) {
        device::DevicePool& pool = *Gpu::instance().pool();
        pool.trim(0);
        pool.setLimit(bytes ? pool.lent() + bytes : 0);
        pool.setMakeRoom([this](std::uint64_t wanted) { return place.tensors().makeRoom(wanted); });
    }
    ~GpuWorkplace() {
        Gpu::instance().pool()->setMakeRoom({});
        Gpu::instance().pool()->setLimit(0);
    }
    operators::DeviceWorkplace place;
    device::WorkplaceKeeper keeper;
};

struct GpuVerdict {
    Result<verify::Verdict> verdict = Error{"internal", "nothing was verified"};
    std::uint64_t putAway = 0;
};

/// A kernel for task 1/1 at a side; `bytes` of device memory, 0 for all.
GpuVerdict verdictOnGpu(const std::string& text, std::int64_t side, bool placed, std::uint64_t bytes = 0) {
    GpuVerdict out;
    const compile::CompiledUnit unit = Gpu::instance().compiled(text);
    if (!unit.ok) {
        out.verdict = Error{"internal", unit.log};
        return out;
    }
    GpuWorkplace there(bytes);
    device::CudaProgram program;
    program.host.ptx = unit.ptx;
    program.cubin = unit.cubin;
    program.kernelPtx = unit.kernelPtx;
    device::CudaSettings settings;
    settings.operators = Gpu::instance().operatorParts();
    settings.keeper = &there.keeper;
    device::CudaRunner runner(Gpu::instance().context(), Gpu::instance().pool(), std::move(program), settings);
    const task::Card card = test::productOfSide(side);
    operators::ReferenceSettings how;
    if (placed) how.place = &there.place;
    const auto reference = operators::DeviceReference::create(there.place.tensors().machine(),
                                                              *settings.operators.library, card, "small", how);
    const auto plan = verify::planOf(card, "small");
    verify::VerifyOptions options;
    if (placed) options.place = &there.place;
    out.verdict = verify::verify(runner, reference->get(), *plan, options);
    out.putAway = there.place.tensors().putAway();
    return out;
}

std::string rightKernel() {
    return test::placedKernels().front().text;
}

/// A line of /proc/self/status, which is in kilobytes.
std::int64_t statusBytes(const char* key) {
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly)) return 0;
    for (const QByteArray& line : status.readAll().split('\n'))
        if (line.startsWith(key))
            return line.mid(line.indexOf(':') + 1).trimmed().split(' ').front().toLongLong() * 1024;
    return 0;
}

QByteArray textOfError(const GpuVerdict& v) {
    return v.verdict ? QByteArray() : QByteArray::fromStdString(v.verdict.error().text());
}

} // namespace

void TestCudaWorkplace::everyDistributionIsDrawnAsHere_data() {
    QTest::addColumn<int>("kind");
    for (int kind = 0; kind <= int(verify::Distribution::Kind::values); ++kind)
        QTest::addRow("%d", kind) << kind;
}

void TestCudaWorkplace::everyDistributionIsDrawnAsHere() {
    NEEDS_GPU();
    QFETCH(int, kind);
    GpuWorkplace there;
    for (const DType type :
         {DType::Float32, DType::Float64, DType::Int64, DType::Bool, DType::Float16, DType::BFloat16})
        for (const tensor::Shape& shape : {tensor::Shape{17, 311, 311}, tensor::Shape{100'003}})
            for (const std::uint32_t stream : {0u, 3u}) {
                verify::TensorPlan plan{
                    "x", type, shape, {verify::Distribution::Kind(kind), 0.25, 3.0, {1.5, -2.0, 7.0}}, false};
                if (plan.distribution.kind == verify::Distribution::Kind::boolean) plan.distribution.a = 0.5;
                if (tensor::isFloating(type) && stream == 3)
                    plan.distribution.ramp = {1.5, 0.5, 2.5, verify::Signs::stretches};
                const Tensor here = verify::drawTensor(plan, 5, 0xfedcba9876543210ull, stream);
                const Result<Tensor> drawn = there.place.draw(plan, 5, 0xfedcba9876543210ull, stream);
                QVERIFY2(drawn.ok(), drawn ? "" : drawn.error().message.c_str());
                const Tensor back = there.place.tensors().here(*drawn);
                QVERIFY2(std::memcmp(back.bytes().data(), here.bytes().data(), here.byteCount()) == 0,
                         (std::string(tensor::name(type)) + " " + tensor::toString(shape)).c_str());
                QVERIFY(*there.place.sameBits(*drawn, here));
            }
}

void TestCudaWorkplace::theSameVerdict_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("verdict");
    for (const test::PlacedKernel& kernel : test::placedKernels())
        QTest::newRow(kernel.name) << QString::fromStdString(kernel.text) << QString::fromLatin1(kernel.verdict);
}

void TestCudaWorkplace::theSameVerdict() {
    NEEDS_GPU();
    QFETCH(QString, text);
    QFETCH(QString, verdict);
    const GpuVerdict here = verdictOnGpu(text.toStdString(), 301, false),
                     there = verdictOnGpu(text.toStdString(), 301, true);
    QVERIFY2(here.verdict.ok() && there.verdict.ok(), textOfError(here) + textOfError(there));
    QCOMPARE(QString::fromStdString(std::string(verify::name(there.verdict->kind))), verdict);
    QCOMPARE(test::comparable(*there.verdict), test::comparable(*here.verdict));
}

/// Tensors of 85 MB, each in a slab of its own, some 26 of them in all: with less memory than that, how much less being
/// the allocator's matter, tensors are put away and come back, and the verdict is the same.
void TestCudaWorkplace::aSmallCardSuffices() {
    NEEDS_GPU();
    constexpr std::int64_t side = 4608;
    const GpuVerdict roomy = verdictOnGpu(rightKernel(), side, true);
    QVERIFY2(roomy.verdict.ok(), textOfError(roomy));
    QCOMPARE(roomy.putAway, std::uint64_t(0));
    constexpr std::uint64_t step = 2ull * side * side * sizeof(float);
    std::uint64_t allowed = 4 * step;
    GpuVerdict tight = verdictOnGpu(rightKernel(), side, true, allowed);
    while (allowed < 12 * step && !(tight.verdict && tight.verdict->kind == verify::VerdictKind::verified)) {
        allowed += step;
        tight = verdictOnGpu(rightKernel(), side, true, allowed);
    }
    QVERIFY2(tight.verdict.ok(), textOfError(tight));
    QVERIFY2(tight.verdict->kind == verify::VerdictKind::verified, tight.verdict->message.c_str());
    qInfo("%d MB suffice, with %d tensors put away", int(allowed >> 20), int(tight.putAway));
    QVERIFY(tight.putAway > 0);
    QCOMPARE(roomy.verdict->kind, tight.verdict->kind);
}

/// Less than the three tensors of one call, 16 MB each: nothing that is put away helps.
void TestCudaWorkplace::tooSmallACardIsSaid() {
    NEEDS_GPU();
    const GpuVerdict none = verdictOnGpu(rightKernel(), 2048, true, 48ull << 20);
    if (none.verdict) {
        QCOMPARE(QString::fromStdString(std::string(verify::name(none.verdict->kind))), QStringLiteral("unsupported"));
        QVERIFY2(none.verdict->message.find("memory") != std::string::npos, none.verdict->message.c_str());
    } else {
        QCOMPARE(none.verdict.error().code, std::string("out_of_memory"));
    }
}

/// 150 MB for each of inputs, outputs and float32 answers, twice that for a reference: none of it comes here.
void TestCudaWorkplace::hostMemoryStaysSmall() {
    NEEDS_GPU();
    (void)verdictOnGpu(rightKernel(), 512, true); // libraries and kernels are loaded
    QFile marks(QStringLiteral("/proc/self/clear_refs"));
    if (!marks.open(QIODevice::WriteOnly) || marks.write("5") != 1 || !marks.flush())
        QSKIP("The system does not reset a process's peak of memory.");
    const std::int64_t before = statusBytes("VmRSS");
    const GpuVerdict found = verdictOnGpu(rightKernel(), 6144, true);
    QVERIFY2(found.verdict.ok(), textOfError(found));
    QCOMPARE(QString::fromStdString(std::string(verify::name(found.verdict->kind))), QStringLiteral("verified"));
    const std::int64_t more = statusBytes("VmHWM") - before;
    QVERIFY2(more < 100ll << 20, QByteArray::number(qlonglong(more >> 20)) + " MB more");
}

void TestCudaWorkplace::memoryGoesBack() {
    NEEDS_GPU();
    (void)verdictOnGpu(rightKernel(), 512, true);
    const std::uint64_t lent = Gpu::instance().pool()->lent();
    (void)verdictOnGpu(rightKernel(), 512, true);
    QCOMPARE(Gpu::instance().pool()->lent(), lent);
}

KERNELARIUM_TEST(TestCudaWorkplace);
