// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts of every kind, and their elements one by one.
#pragma once

#include "core/tensor/Layout.h"

#include <functional>
#include <numeric>
#include <string>

namespace kernelarium::test {

using tensor::Layout;
using tensor::Shape;

/// Where the element of these indices lies.
inline std::int64_t placeOf(const Layout& layout, const Shape& index) {
    return std::inner_product(index.begin(), index.end(), layout.strides.begin(), layout.offset);
}

/// Every index of a shape, the last dimension fastest; one empty index of a shape without dimensions.
inline std::vector<Shape> indicesOf(const Shape& shape) {
    std::vector<Shape> all{{}};
    for (const std::int64_t size : shape) {
        std::vector<Shape> longer;
        for (const Shape& index : all)
            for (std::int64_t i = 0; i < size; ++i) {
                longer.push_back(index);
                longer.back().push_back(i);
            }
        all = std::move(longer);
    }
    return all;
}

/// The places of all elements in order.
inline std::vector<std::int64_t> placesOf(const Layout& layout) {
    std::vector<std::int64_t> places;
    for (const Shape& index : indicesOf(layout.shape))
        places.push_back(placeOf(layout, index));
    return places;
}

/// Whether `view` has this shape and shows at each index what `base` does at the index that `from` makes of it.
inline bool shows(const Layout& view, const Shape& shape, const Layout& base,
                  const std::function<Shape(const Shape&)>& from) {
    if (view.shape != shape || view.strides.size() != shape.size()) return false;
    for (const Shape& index : indicesOf(shape))
        if (placeOf(view, index) != placeOf(base, from(index))) return false;
    return true;
}

/// Dense, permuted, stepped, repeating, backwards, beginning elsewhere, of none to four dimensions, with dimensions of
/// one element and of none.
inline std::vector<Layout> layouts() {
    return {
        Layout(Shape{}),
        Layout({}, {}, 5),
        Layout(Shape{4}),
        Layout(Shape{1}),
        Layout(Shape{0}),
        Layout({5}, {-2}, 8),
        Layout(Shape{2, 3}),
        Layout({3, 2}, {1, 3}),
        Layout({3, 4}, {0, 1}, 2),
        Layout(Shape{3, 0, 2}),
        Layout(Shape{2, 3, 4}),
        Layout({4, 2, 3}, {1, 12, 4}),
        Layout({2, 1, 3}, {3, 77, 1}, 1),
        Layout({1, 3, 1}, {9, 2, 5}),
        Layout({2, 3, 2, 2}, {24, 4, 2, 1}, 3),
        Layout({2, 2, 3}, {6, 0, -1}, 2),
    };
}

/// The dimensions a layout may be asked for, counted from the front and from the end.
inline std::vector<std::int64_t> dimsOf(const Layout& layout) {
    std::vector<std::int64_t> dims;
    for (std::int64_t d = -layout.dim(); d < layout.dim(); ++d)
        dims.push_back(d);
    return dims;
}
inline std::size_t fromFront(std::int64_t dim, const Layout& layout) {
    return std::size_t(dim < 0 ? dim + layout.dim() : dim);
}

inline Shape with(Shape shape, std::size_t at, std::int64_t size) {
    shape.at(at) = size;
    return shape;
}
inline Shape without(Shape shape, std::size_t at) {
    shape.erase(shape.begin() + std::ptrdiff_t(at));
    return shape;
}
inline Shape inserted(Shape shape, std::size_t at, std::int64_t size) {
    shape.insert(shape.begin() + std::ptrdiff_t(at), size);
    return shape;
}

inline std::string said(const Layout& layout) {
    return "shape " + tensor::toString(layout.shape) + " strides " + tensor::toString(layout.strides) + " offset " +
           std::to_string(layout.offset);
}

} // namespace kernelarium::test
