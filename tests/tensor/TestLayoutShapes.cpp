// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/tensor/LayoutCases.h"

#include <QtTest>

#include <algorithm>

namespace kernelarium::test {

/// Dimensions put in and taken out, broadcasting, and other shapes of the same elements.
class TestLayoutShapes : public QObject {
    Q_OBJECT

    /// Every shape of this many elements with up to three dimensions, or four with ones among them.
    static std::vector<Shape> shapesOf(std::int64_t count) {
        std::vector<Shape> all;
        if (count == 1) all.push_back({});
        if (count == 0) return {{0}, {0, 3}, {2, 0, 3}, {3, 0, 2}};
        for (std::int64_t a = 1; a <= count; ++a)
            for (std::int64_t b = 1; count % a == 0 && b <= count / a; ++b)
                if (count / a % b == 0)
                    all.insert(all.end(), {{a, b, count / a / b}, {a, 1, b, count / a / b}, {a, b, count / a / b, 1}});
        for (std::int64_t a = 1; a <= count; ++a)
            if (count % a == 0) all.push_back({a, count / a});
        all.push_back({count});
        return all;
    }
    /// Strides that show these places in this order under a shape, if there are any.
    static bool canBeSeenAs(const std::vector<std::int64_t>& places, const Shape& shape) {
        const Shape dense = tensor::denseStrides(shape);
        Shape strides;
        for (std::size_t d = 0; d < shape.size(); ++d)
            strides.push_back(shape[d] > 1 ? places[std::size_t(dense[d])] - places[0] : 0);
        return placesOf(Layout(shape, strides, places[0])) == places;
    }

private slots:
    void squeezesAndUnsqueezes() {
        for (const Layout& x : layouts()) {
            for (std::int64_t dim = -x.dim() - 1; dim <= x.dim(); ++dim) {
                const auto d = std::size_t(dim < 0 ? dim + x.dim() + 1 : dim);
                const auto from = [&](const Shape& index) { return without(index, d); };
                const Layout made = x.unsqueezed(dim);
                QVERIFY2(shows(made, inserted(x.shape, d, 1), x, from), said(x).c_str());
                QCOMPARE(made.squeezed({dim}), x);
            }
            for (const std::int64_t dim : dimsOf(x)) {
                const std::size_t d = fromFront(dim, x);
                if (x.shape[d] != 1)
                    QCOMPARE(x.squeezed({dim}), x);
                else
                    QCOMPARE(x.squeezed({dim}), x.selected(dim, 0));
            }
            Shape rest = x.shape;
            std::erase(rest, 1);
            QCOMPARE(x.squeezed().shape, rest);
            QCOMPARE(placesOf(x.squeezed()), placesOf(x));
        }
        QCOMPARE(Layout(Shape{3, 4}).unsqueezed(1).strides, (Shape{4, 4, 1})); // as PyTorch
        QCOMPARE(Layout(Shape{}).squeezed({0, -1}), Layout(Shape{}));
    }
    void expands() {
        for (const Layout& x : layouts())
            for (const Shape& lead : {Shape{}, Shape{2}, Shape{3, 0}, Shape{1, 2}})
                for (const std::int64_t repeated : {0, 1, 3, -1}) {
                    Shape asked = lead, shape = lead;
                    for (const std::int64_t size : x.shape) {
                        asked.push_back(size == 1 ? repeated : size == 4 ? -1 : size);
                        shape.push_back(size == 1 && repeated >= 0 ? repeated : size);
                    }
                    const auto from = [&](const Shape& index) {
                        Shape own(index.begin() + std::ptrdiff_t(lead.size()), index.end());
                        for (std::size_t d = 0; d < own.size(); ++d)
                            if (x.shape[d] == 1) own[d] = 0;
                        return own;
                    };
                    QVERIFY2(shows(x.expanded(asked), shape, x, from), said(x).c_str());
                }
    }
    void repeats() {
        for (const Layout& x : layouts()) {
            Shape times{2};
            for (std::size_t d = 0; d < x.shape.size(); ++d)
                times.push_back(std::int64_t(d) + 1);
            Shape pairs;
            const Shape whole = inserted(x.shape, 0, 1);
            for (std::size_t d = 0; d < whole.size(); ++d)
                pairs.insert(pairs.end(), {times[d], whole[d]});
            const auto from = [](const Shape& index) {
                Shape own;
                for (std::size_t d = 3; d < index.size(); d += 2)
                    own.push_back(index[d]);
                return own;
            };
            QVERIFY2(shows(x.repeated(times), pairs, x, from), said(x).c_str());
            QCOMPARE(tensor::elementCount(tensor::repeatedShape(x.shape, times)), tensor::elementCount(pairs));
            for (const std::int64_t dim : dimsOf(x)) {
                const std::size_t d = fromFront(dim, x);
                const auto single = [&](const Shape& index) { return without(index, d + 1); };
                for (const std::int64_t n : {0, 1, 3})
                    QVERIFY2(shows(x.interleaved(dim, n), inserted(x.shape, d + 1, n), x, single), said(x).c_str());
            }
        }
        QCOMPARE(Layout(Shape{2, 3}).repeated({0, 1}).shape, (Shape{0, 2, 1, 3}));
        QCOMPARE(tensor::repeatedShape({2, 3}, {4, 1, 2}), (Shape{4, 2, 6}));
    }
    void viewsWhatStridesCanSay() {
        for (const Layout& x : layouts()) {
            const std::vector<std::int64_t> places = placesOf(x);
            for (const Shape& shape : shapesOf(x.count())) {
                const std::optional<Layout> view = x.viewed(shape);
                if (places.empty()) {
                    QVERIFY(view && view->shape == shape);
                    continue;
                }
                QVERIFY2(view.has_value() == canBeSeenAs(places, shape),
                         (said(x) + " as " + tensor::toString(shape)).c_str());
                if (!view) continue;
                QCOMPARE(view->shape, shape);
                QCOMPARE(placesOf(*view), places);
            }
        }
        QCOMPARE(Layout(Shape{2, 3}).viewed({-1})->shape, (Shape{6}));
        QCOMPARE(Layout(Shape{}).viewed({1, 1})->shape, (Shape{1, 1}));
    }
    void infersAnOpenSize() {
        QCOMPARE(tensor::inferredShape({2, -1, 3}, 24), (Shape{2, 4, 3}));
        QCOMPARE(tensor::inferredShape({-1, 3}, 0), (Shape{0, 3}));
        QCOMPARE(tensor::inferredShape({0, 7}, 0), (Shape{0, 7}));
        QCOMPARE(tensor::inferredShape({}, 1), Shape{});
        QCOMPARE(tensor::inferredShape({-1}, 1), (Shape{1}));
    }
    void flattensAndUnflattens() {
        const Shape shape{2, 3, 1, 4};
        for (std::size_t from = 0; from < 4; ++from)
            for (std::size_t to = from; to < 4; ++to) {
                Shape expected(shape.begin(), shape.begin() + std::ptrdiff_t(from));
                expected.push_back(std::accumulate(shape.begin() + std::ptrdiff_t(from),
                                                   shape.begin() + std::ptrdiff_t(to) + 1, std::int64_t(1),
                                                   std::multiplies<>()));
                expected.insert(expected.end(), shape.begin() + std::ptrdiff_t(to) + 1, shape.end());
                QCOMPARE(tensor::flattenedShape(shape, std::int64_t(from), std::int64_t(to)), expected);
                QCOMPARE(tensor::flattenedShape(shape, std::int64_t(from) - 4, std::int64_t(to) - 4), expected);
            }
        QCOMPARE(tensor::flattenedShape({}, 0, -1), (Shape{1}));
        QCOMPARE(tensor::flattenedShape({3, 0}, 0, -1), (Shape{0}));
        QCOMPARE(tensor::unflattenedShape({2, 12}, -1, {3, -1}), (Shape{2, 3, 4}));
        QCOMPARE(tensor::unflattenedShape({6}, 0, {2, 3}), (Shape{2, 3}));
    }
    void broadcasts() {
        const std::vector<Shape> shapes{{}, {1}, {3}, {0}, {2, 1}, {2, 3}, {4, 1, 3}, {1, 1, 1}};
        for (const Shape& a : shapes)
            for (const Shape& b : shapes) {
                Shape expected;
                bool fits = true;
                for (std::size_t d = 0; d < std::max(a.size(), b.size()); ++d) { // from the end
                    const std::int64_t i = d < a.size() ? a[a.size() - 1 - d] : 1;
                    const std::int64_t j = d < b.size() ? b[b.size() - 1 - d] : 1;
                    fits &= i == j || i == 1 || j == 1;
                    expected.insert(expected.begin(), i == 1 ? j : i);
                }
                try {
                    const Shape common = tensor::broadcastShape(std::array{a, b});
                    QVERIFY(fits);
                    QCOMPARE(common, expected);
                } catch (const tensor::LayoutError&) {
                    QVERIFY(!fits);
                }
            }
        QCOMPARE(tensor::broadcastShape({}), Shape{});
    }
    void mergedWalksPassTheSameElements() {
        for (const Layout& x : layouts()) {
            const Shape dense = tensor::denseStrides(x.shape);
            const tensor::Walk<2> walk = tensor::mergeDimensions<2>(x.shape, {x.strides, dense});
            QVERIFY(!walk.shape.empty());
            QCOMPARE(placesOf(Layout(walk.shape, walk.strides[0], x.offset)), placesOf(x));
            QCOMPARE(placesOf(Layout(walk.shape, walk.strides[1])), placesOf(Layout(x.shape)));
        }
        QCOMPARE(tensor::mergeDimensions<1>({2, 3, 4}, {Shape{12, 4, 1}}).shape, (Shape{24}));
    }
};

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestLayoutShapes);
#include "TestLayoutShapes.moc"
