// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/tensor/LayoutCases.h"

#include <QtTest>

#include <algorithm>
#include <set>

namespace kernelarium::test {

/// Orders, parts and repetitions of layouts of every kind, each element against the one it has to be.
class TestLayout : public QObject {
    Q_OBJECT

private slots:
    void denseOnesHaveNoGaps() {
        for (const Shape& shape : {Shape{}, {4}, {2, 3}, {2, 1, 3}, {3, 4, 5, 2}}) {
            std::vector<std::int64_t> expected(indicesOf(shape).size());
            std::iota(expected.begin(), expected.end(), 0);
            QCOMPARE(placesOf(Layout(shape)), expected);
        }
        QCOMPARE(tensor::denseStrides({2, 0, 3}), (Shape{3, 3, 1}));
        QCOMPARE(tensor::denseStrides({}), Shape{});
    }
    void channelsLieSideBySide() {
        for (const Shape& shape : {Shape{2, 3, 4, 5}, {2, 3, 2, 2, 4}}) {
            const Layout layout(shape, tensor::channelsLastStrides(shape));
            QVERIFY(layout.isPacked());
            QCOMPARE(layout.strides[1], std::int64_t(1));
            const Layout channelsBehind = layout.moved({1}, {-1});
            QVERIFY(channelsBehind.isContiguous());
        }
    }
    void whatFillsItsRangeIsFound() {
        for (const Layout& x : layouts()) {
            const std::vector<std::int64_t> places = placesOf(x);
            bool inOrder = true;
            for (std::size_t i = 1; i < places.size(); ++i)
                inOrder &= places[i] == places[i - 1] + 1;
            QVERIFY2(x.isContiguous() == inOrder, said(x).c_str());
            if (places.empty()) continue;
            const std::set<std::int64_t> different(places.begin(), places.end());
            const bool upwards = *different.begin() == x.offset; // as one that nobody runs through backwards
            const bool fills = different.size() == places.size() &&
                               *different.rbegin() - *different.begin() + 1 == std::int64_t(places.size());
            QVERIFY2(x.isPacked() == (fills && upwards), said(x).c_str());
            QCOMPARE(x.reach(), (std::pair(*different.begin(), *different.rbegin() + 1)));
        }
    }
    void permutes() {
        for (const Layout& x : layouts()) {
            Shape order(x.shape.size());
            std::iota(order.begin(), order.end(), 0);
            do {
                Shape shape, fromEnd;
                for (const std::int64_t d : order) {
                    shape.push_back(x.shape[std::size_t(d)]);
                    fromEnd.push_back(d - x.dim());
                }
                const auto from = [&](const Shape& index) {
                    Shape own(index.size());
                    for (std::size_t i = 0; i < index.size(); ++i)
                        own[std::size_t(order[i])] = index[i];
                    return own;
                };
                QVERIFY2(shows(x.permuted(order), shape, x, from), said(x).c_str());
                QCOMPARE(x.permuted(fromEnd), x.permuted(order));
            } while (std::next_permutation(order.begin(), order.end()));
        }
    }
    void transposesAndReverses() {
        for (const Layout& x : layouts()) {
            for (const std::int64_t a : dimsOf(x))
                for (const std::int64_t b : dimsOf(x)) {
                    const std::size_t i = fromFront(a, x), j = fromFront(b, x);
                    const auto swapped = [&](Shape index) {
                        std::swap(index[i], index[j]);
                        return index;
                    };
                    QVERIFY2(shows(x.transposed(a, b), swapped(x.shape), x, swapped), said(x).c_str());
                }
            const auto backwards = [](Shape index) {
                std::reverse(index.begin(), index.end());
                return index;
            };
            QVERIFY2(shows(x.reversed(), backwards(x.shape), x, backwards), said(x).c_str());
        }
        const Layout scalar{Shape{}};
        QCOMPARE(scalar.transposed(0, -1), scalar);
    }
    void movesDimensions() {
        for (const Layout& x : layouts())
            for (const std::int64_t from : dimsOf(x))
                for (const std::int64_t to : dimsOf(x)) {
                    const std::size_t i = fromFront(from, x), j = fromFront(to, x);
                    const auto there = [&](Shape s) { return inserted(without(s, i), j, s[i]); };
                    const auto back = [&](Shape s) { return inserted(without(s, j), i, s[j]); };
                    QVERIFY2(shows(x.moved({from}, {to}), there(x.shape), x, back), said(x).c_str());
                }
        const Layout x(Shape{2, 3, 4, 5});
        QCOMPARE(x.moved({0, 1}, {-1, -2}), x.permuted({2, 3, 1, 0}));
        QCOMPARE(x.moved({3, 0}, {1, 2}), x.permuted({1, 3, 0, 2}));
        QCOMPARE(x.moved({}, {}), x);
        QCOMPARE(Layout(Shape{}).moved({0}, {-1}), Layout(Shape{}));
    }
    void selects() {
        for (const Layout& x : layouts())
            for (const std::int64_t dim : dimsOf(x)) {
                const std::size_t d = fromFront(dim, x);
                for (std::int64_t i = -x.shape[d]; i < x.shape[d]; ++i) {
                    const std::int64_t own = i < 0 ? i + x.shape[d] : i;
                    const auto from = [&](const Shape& index) { return inserted(index, d, own); };
                    QVERIFY2(shows(x.selected(dim, i), without(x.shape, d), x, from), said(x).c_str());
                }
                const std::vector<Layout> all = x.unbound(dim);
                QCOMPARE(std::int64_t(all.size()), x.shape[d]);
                for (std::size_t i = 0; i < all.size(); ++i)
                    QCOMPARE(all[i], x.selected(dim, std::int64_t(i)));
            }
    }
    void slicesAsPython() {
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(), least = -most - 1;
        std::vector<std::optional<std::int64_t>> ends{std::nullopt, most, least};
        for (std::int64_t i = -6; i <= 6; ++i)
            ends.emplace_back(i);
        for (const Layout& x : layouts())
            for (const std::int64_t dim : dimsOf(x))
                for (const auto& start : ends)
                    for (const auto& end : ends)
                        for (const std::int64_t step : {std::int64_t(1), std::int64_t(2), std::int64_t(5), most}) {
                            const std::size_t d = fromFront(dim, x);
                            const std::int64_t size = x.shape[d];
                            const auto place = [size](std::int64_t v) {
                                return v < 0 ? std::max<std::int64_t>(v + size, 0) : std::min(v, size);
                            };
                            std::vector<std::int64_t> kept;
                            for (std::int64_t i = 0; i < size; ++i) {
                                const std::int64_t first = place(start.value_or(0));
                                if (i >= first && i < place(end.value_or(size)) && (i - first) % step == 0)
                                    kept.push_back(i);
                            }
                            const auto from = [&](const Shape& index) {
                                return with(index, d, kept[std::size_t(index[d])]);
                            };
                            const Shape shape = with(x.shape, d, std::int64_t(kept.size()));
                            QVERIFY2(shows(x.sliced(dim, start, end, step), shape, x, from), said(x).c_str());
                        }
    }
    void narrows() {
        for (const Layout& x : layouts())
            for (const std::int64_t dim : dimsOf(x)) {
                const std::size_t d = fromFront(dim, x);
                for (std::int64_t start = -x.shape[d]; start <= x.shape[d]; ++start) {
                    const std::int64_t first = start < 0 ? start + x.shape[d] : start;
                    for (std::int64_t length = 0; first + length <= x.shape[d]; ++length) {
                        const auto from = [&](const Shape& index) { return with(index, d, index[d] + first); };
                        QVERIFY2(shows(x.narrowed(dim, start, length), with(x.shape, d, length), x, from),
                                 said(x).c_str());
                    }
                }
            }
    }
    void partsCoverTheWhole() {
        for (const Layout& x : layouts())
            for (const std::int64_t dim : dimsOf(x)) {
                const std::size_t d = fromFront(dim, x);
                for (std::int64_t length = 1; length <= x.shape[d] + 1; ++length) {
                    std::int64_t start = 0;
                    for (const Layout& part : x.splitEvery(length, dim)) {
                        const std::int64_t own = std::min(length, x.shape[d] - start);
                        QCOMPARE(part, x.narrowed(dim, start, own));
                        start += own;
                    }
                    QCOMPARE(start, x.shape[d]);
                }
            }
        const Layout x(Shape{2, 7});
        const std::vector<Layout> parts = x.split({3, 0, 4}, -1);
        QCOMPARE(parts.size(), std::size_t(3));
        QCOMPARE(parts[1].shape, (Shape{2, 0}));
        QCOMPARE(parts[2], x.narrowed(1, 3, 4));
        QCOMPARE(Layout(Shape{0}).splitEvery(0, 0).size(), std::size_t(1));
        QCOMPARE(tensor::chunkLengths(7, 3), (Shape{3, 3, 1}));
        QCOMPARE(tensor::chunkLengths(6, 4), (Shape{2, 2, 2}));
        QCOMPARE(tensor::chunkLengths(2, 5), (Shape{1, 1}));
        QCOMPARE(tensor::chunkLengths(0, 3), (Shape{0, 0, 0}));
        QCOMPARE(tensor::chunkLengths(3, std::numeric_limits<std::int64_t>::max()), (Shape{1, 1, 1}));
    }
    void takesDiagonals() {
        for (const Layout& x : layouts())
            for (const std::int64_t a : dimsOf(x))
                for (const std::int64_t b : dimsOf(x)) {
                    const std::size_t i = fromFront(a, x), j = fromFront(b, x);
                    if (i == j) continue;
                    for (std::int64_t offset = -6; offset <= 6; ++offset) {
                        const std::int64_t down = std::max<std::int64_t>(-offset, 0),
                                           right = std::max<std::int64_t>(offset, 0);
                        std::int64_t length = 0;
                        while (length + down < x.shape[i] && length + right < x.shape[j])
                            ++length;
                        Shape shape = without(without(x.shape, std::max(i, j)), std::min(i, j));
                        shape.push_back(length);
                        const auto from = [&](Shape index) {
                            const std::int64_t k = index.back();
                            index.pop_back();
                            const std::int64_t first = i < j ? k + down : k + right,
                                               second = i < j ? k + right : k + down;
                            return inserted(inserted(index, std::min(i, j), first), std::max(i, j), second);
                        };
                        QVERIFY2(shows(x.diagonal(offset, a, b), shape, x, from), said(x).c_str());
                    }
                }
    }
    void unfoldsWindows() {
        for (const Layout& x : layouts())
            for (const std::int64_t dim : dimsOf(x)) {
                const std::size_t d = fromFront(dim, x);
                for (std::int64_t size = 0; size <= x.shape[d]; ++size)
                    for (std::int64_t step = 1; step <= 4; ++step) {
                        std::int64_t windows = 0;
                        while (windows * step + size <= x.shape[d])
                            ++windows;
                        Shape shape = with(x.shape, d, windows);
                        shape.push_back(size);
                        const auto from = [&](Shape index) {
                            const std::int64_t within = index.back();
                            index.pop_back();
                            return with(index, d, index[d] * step + within);
                        };
                        if (size == 0) // its windows may begin behind the last element
                            QCOMPARE(x.unfolded(dim, size, step).shape, shape);
                        else
                            QVERIFY2(shows(x.unfolded(dim, size, step), shape, x, from), said(x).c_str());
                    }
            }
        QCOMPARE(Layout(Shape{}).unfolded(0, 1, 1).shape, (Shape{1}));
    }
    void flips() {
        for (const Layout& x : layouts())
            for (const std::int64_t dim : dimsOf(x)) {
                const std::size_t d = fromFront(dim, x);
                const auto from = [&](const Shape& index) { return with(index, d, x.shape[d] - 1 - index[d]); };
                QVERIFY2(shows(x.flipped(dim), x.shape, x, from), said(x).c_str());
            }
        QCOMPARE(Layout(Shape{}).flipped(0), Layout(Shape{}));
    }
};

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestLayout);
#include "TestLayout.moc"
