// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/tensors/TensorTable.h"
#include "tests/TestRegistry.h"
#include "tests/host/MemoryBackend.h"
#include "tests/host/Raises.h"

#include <QtTest>

namespace kernelarium::test {

using namespace host;

/// Expected sizes, strides and messages are those that PyTorch 2 gives for the same calls.
class TestTensorViews : public QObject {
    Q_OBJECT

private:
    MemoryBackend m_device;
    HostHeap m_heap{0x10000};
    std::vector<std::string> m_unwritten;
    TensorTable m_table{m_device, m_heap,
                        [this](const std::string&, const std::string& s) { m_unwritten.push_back(s); }};

    /// Elements 0, 1, 2, ... in row-major order.
    TensorView counted(const Shape& sizes) {
        tensor::Tensor values(DType::Float32, sizes);
        for (std::int64_t i = 0; i < values.count(); ++i)
            values.set(i, double(i));
        TensorView view = m_table.allocate(DType::Float32, sizes, false, "counted");
        m_table.scatter(view, values);
        return view;
    }
    std::vector<float> elements(const TensorView& view) {
        const tensor::Tensor t = m_table.gather(view, "test");
        return {t.data<float>(), t.data<float>() + t.count()};
    }

private slots:
    void init() { m_unwritten.clear(); }

    void viewRegroupsContiguousRuns() {
        const TensorView x = counted({2, 3, 4});
        QCOMPARE(view(x, {6, 4}).strides, (Shape{4, 1}));
        QCOMPARE(view(x, {-1}).shape, (Shape{24}));
        QCOMPARE(view(x, {2, 1, 12}).strides, (Shape{12, 12, 1}));
        QCOMPARE(view(transpose(x, 1, 2), {2, 2, 2, 3}).strides, (Shape{12, 2, 1, 4}));
    }
    void elementsOfAnyViewCome_data() {
        QTest::addColumn<int>("which");
        for (int which = 0; which < 6; ++which)
            QTest::newRow(std::to_string(which).c_str()) << which;
    }
    void elementsOfAnyViewCome() {
        QFETCH(int, which);
        const TensorView x = counted({5, 37, 18});
        const std::vector<TensorView> views = {transpose(x, 1, 2),
                                               permute(x, {2, 1, 0}),
                                               permute(x, {1, 0, 2}),
                                               slice(x, 2, 1, {}, 3),
                                               expand(unsqueeze(select(x, 0, 2), 1), {37, 4, 18}),
                                               transpose(slice(x, 1, 3, 30, 2), 0, 2)};
        const TensorView& v = views[std::size_t(which)];
        std::vector<float> expected;
        for (std::int64_t a = 0; a < v.shape[0]; ++a)
            for (std::int64_t b = 0; b < v.shape[1]; ++b)
                for (std::int64_t c = 0; c < v.shape[2]; ++c)
                    expected.push_back(float(v.offset + a * v.strides[0] + b * v.strides[1] + c * v.strides[2]));
        QCOMPARE(elements(v), expected);
    }
    void viewThatNeedsACopyIsRaised() {
        const TensorView x = transpose(counted({2, 3}), 0, 1);
        QVERIFY(raisedBy([&] {
                    (void)view(x, {6});
                }).find("view size is not compatible with input tensor's size and stride") != std::string::npos);
        QCOMPARE(raisedBy([&] {
                     (void)view(counted({5}), {2, 3});
                 }),
                 std::string("RuntimeError: shape '[2, 3]' is invalid for input of size 5"));
        QCOMPARE(raisedBy([&] {
                     (void)view(counted({6}), {-1, -1});
                 }),
                 std::string("RuntimeError: only one dimension can be inferred"));
    }
    void permutedElementsComeInTheirNewOrder() {
        const TensorView x = permute(counted({2, 3}), {1, 0});
        QVERIFY(!x.isContiguous());
        QVERIFY(x.isPacked());
        QCOMPARE(elements(x), (std::vector<float>{0, 3, 1, 4, 2, 5}));
        QCOMPARE(raisedBy([&] {
                     (void)permute(x, {0, 0});
                 }),
                 std::string("RuntimeError: permute(): duplicate dims are not allowed."));
    }
    void transposedMatricesOfAllSizes() {
        for (const Shape& sizes :
             {Shape{16, 16}, Shape{17, 40}, Shape{33, 16}, Shape{3, 50}, Shape{50, 15}, Shape{2, 20, 31}}) {
            const TensorView x = counted(sizes);
            const auto last = std::int64_t(sizes.size()) - 1;
            const TensorView turned = transpose(x, last - 1, last);
            const std::int64_t rows = sizes[sizes.size() - 2], columns = sizes.back();
            const std::vector<float> found = elements(turned);
            QCOMPARE(std::int64_t(found.size()), x.count());
            for (std::int64_t i = 0; i < x.count(); ++i) {
                const std::int64_t plane = i / (rows * columns), column = i % (rows * columns) / rows, row = i % rows;
                QCOMPARE(found[std::size_t(i)], float((plane * rows + row) * columns + column));
            }
        }
    }
    void slicesStepAndClamp() {
        const TensorView x = counted({10});
        QCOMPARE(elements(slice(x, 0, 1, 8, 3)), (std::vector<float>{1, 4, 7}));
        QCOMPARE(elements(slice(x, 0, -3, {}, 1)), (std::vector<float>{7, 8, 9}));
        QCOMPARE(slice(x, 0, 8, 100, 1).shape, (Shape{2}));
        QCOMPARE(slice(x, 0, 5, 2, 1).shape, (Shape{0}));
    }
    void selectAndNarrowCheckTheirBounds() {
        const TensorView x = counted({3, 4});
        QCOMPARE(elements(select(x, 1, -1)), (std::vector<float>{3, 7, 11}));
        QVERIFY(raisedBy([&] { (void)select(x, 0, 3); }).starts_with("IndexError: select(): index 3 out of range"));
        QCOMPARE(raisedBy([&] { (void)narrow(x, 1, 2, 3); }),
                 std::string("RuntimeError: start (2) + length (3) exceeds dimension size (4)."));
        QCOMPARE(raisedBy([&] { (void)transpose(x, 0, 2); }),
                 std::string("IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)"));
    }
    void expandRepeatsWithStrideZero() {
        const TensorView x = expand(counted({3, 1}), {2, 3, 4});
        QCOMPARE(x.strides, (Shape{0, 1, 0}));
        QCOMPARE(elements(x)[5], 1.f);
        QVERIFY(raisedBy([&] {
                    (void)expand(counted({3}), {4});
                }).find("The expanded size of the tensor (4) must match the existing size (3)") != std::string::npos);
    }
    void squeezeAndUnsqueeze() {
        const TensorView x = counted({1, 3, 1, 2});
        QCOMPARE(squeeze(x).shape, (Shape{3, 2}));
        QCOMPARE(squeeze(x, {0, 1}).shape, (Shape{3, 1, 2}));
        QCOMPARE(unsqueeze(x, -1).shape, (Shape{1, 3, 1, 2, 1}));
        QCOMPARE(unsqueeze(squeeze(x), 1).strides, (Shape{2, 2, 1}));
    }
    void splitsCoverTheWhole() {
        const TensorView x = counted({7, 2});
        const auto parts = chunk(x, 3, 0);
        QCOMPARE(parts.size(), std::size_t(3));
        QCOMPARE(parts[2].shape, (Shape{1, 2}));
        QCOMPARE(elements(parts[2]), (std::vector<float>{12, 13}));
        QCOMPARE(splitEvery(x, 4, 0)[1].shape, (Shape{3, 2}));
        QCOMPARE(unbind(x, 1)[1].shape, (Shape{7}));
        QVERIFY(raisedBy([&] {
                    (void)split(x, {3, 3}, 0);
                }).find("split_with_sizes expects split_sizes to sum exactly to 7") != std::string::npos);
    }
    void diagonalUnfoldAndMoveDim() {
        const TensorView x = counted({3, 4});
        QCOMPARE(elements(diagonal(x, 1, 0, 1)), (std::vector<float>{1, 6, 11}));
        QCOMPARE(elements(diagonal(x, -1, 0, 1)), (std::vector<float>{4, 9}));
        QCOMPARE(unfold(counted({7}), 0, 3, 2).shape, (Shape{3, 3}));
        QCOMPARE(elements(unfold(counted({5}), 0, 3, 2)), (std::vector<float>{0, 1, 2, 2, 3, 4}));
        QCOMPARE(moveDim(counted({2, 3, 4}), {0}, {2}).shape, (Shape{3, 4, 2}));
    }
    void movesAndExpandsOnlyToWhatThereIs() {
        const TensorView x = counted({2, 3, 4});
        QCOMPARE(raisedBy([&] {
                     (void)moveDim(x, {0, 1}, {2, 2});
                 }),
                 std::string("RuntimeError: movedim: repeated dim in `destination`"));
        QCOMPARE(raisedBy([&] { (void)expand(counted({1}), {-2}); }),
                 std::string("RuntimeError: Trying to create tensor with negative dimension -2: [-2]"));
        QCOMPARE(raisedBy([&] { (void)unfold(x, 0, -1, 1); }),
                 std::string("RuntimeError: size is -1 but must be >= 0"));
        QCOMPARE(raisedBy([&] { (void)narrow(x, 1, 4, 0); }),
                 std::string("IndexError: start out of range (expected to be in range of [-3, 3], but got 4)"));
    }
    void asStridedStaysInItsStorage() {
        const TensorView x = counted({6});
        QCOMPARE(elements(asStrided(x, {2, 2}, {3, 1}, 1)), (std::vector<float>{1, 2, 4, 5}));
        QVERIFY(raisedBy([&] {
                    (void)asStrided(x, {3, 3}, {3, 1}, 0);
                }).find("out of bounds for storage of size 24") != std::string::npos);
    }
    void channelsLastLaysChannelsSideBySide() {
        QCOMPARE(formatStrides({2, 3, 4, 5}, MemoryFormat::channelsLast), (Shape{60, 1, 15, 3}));
        QVERIFY(!raisedBy([] { (void)formatStrides({2, 3}, MemoryFormat::channelsLast); }).empty());
    }
    void scatterIntoAViewWritesOnlyItsElements() {
        const TensorView x = counted({2, 3});
        tensor::Tensor column(DType::Float32, {2});
        column.set(0, 10);
        column.set(1, 20);
        m_table.scatter(select(x, 1, 1), column);
        QCOMPARE(elements(x), (std::vector<float>{0, 10, 2, 3, 20, 5}));
    }
    void unwrittenElementsAreNamed() {
        const TensorView x = m_table.allocate(DType::Float32, {2, 3}, false, "output of aten.empty");
        m_table.scatter(select(x, 0, 0), tensor::Tensor(DType::Float32, {3}));
        QCOMPARE(m_table.firstUnwritten(x), std::optional<std::int64_t>(3));
        QCOMPARE(m_table.firstUnwritten(transpose(x, 0, 1)), std::optional<std::int64_t>(1));
        QVERIFY(!m_table.firstUnwritten(select(x, 0, 0)));
        (void)m_table.gather(x, "aten.relu.default");
        QCOMPARE(m_unwritten.size(), std::size_t(1));
        QVERIFY(m_unwritten[0].find("aten.relu.default reads element 3 of output of aten.empty") != std::string::npos);
    }
    void copiesCarryTheMarksOfUnwrittenElements() {
        const TensorView x = m_table.allocate(DType::Float32, {2, 2}, false, "half written");
        m_table.scatter(select(x, 0, 0), tensor::Tensor(DType::Float32, {2}));
        const TensorView copy = m_table.contiguous(transpose(x, 0, 1));
        QCOMPARE(m_table.firstUnwritten(copy), std::optional<std::int64_t>(1));
        QVERIFY(m_unwritten.empty());
    }
    void memoryRunsOutInTorchsWords() {
        const std::string text = raisedBy([&] { (void)m_table.allocate(DType::Float32, {1 << 26}, false, "large"); });
        QVERIFY2(text.starts_with("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 256.00 MiB."),
                 text.c_str());
        QVERIFY(raisedBy([&] {
                    (void)m_table.allocate(DType::Float32, {1ll << 40, 1ll << 40}, false, "huge");
                }).find("Storage size calculation overflowed") != std::string::npos);
    }
};

KERNELARIUM_TEST(TestTensorViews);

} // namespace kernelarium::test

#include "TestTensorViews.moc"
