// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/aten/AtenCalls.h"
#include "gpu/host/backend/Raised.h"

#include <map>

namespace kernelarium::host {

namespace {

using One = TensorView (*)(const CallArguments&);
using Many = std::vector<TensorView> (*)(const CallArguments&);

TensorView reshaped(const CallArguments& a, const Shape& wanted) {
    const TensorView& self = a.tensor(0);
    const Shape sizes = inferSize(wanted, self.count());
    if (self.viewed(sizes)) return view(self, sizes);
    return view(a.table().clone(self, "reshaped " + self.storage->label), sizes);
}

TensorView viewCall(const CallArguments& a) {
    if (const auto* dtype = a.at(1).as<DType>()) return viewAs(a.tensor(0), *dtype);
    return view(a.tensor(0), a.integers(1));
}

TensorView squeezeCall(const CallArguments& a) {
    return a.has(1) ? squeeze(a.tensor(0), a.integers(1)) : squeeze(a.tensor(0));
}

TensorView diagonalCall(const CallArguments& a) {
    return diagonal(a.tensor(0), a.integer(1, 0), a.integer(2, 0), a.integer(3, 1));
}

TensorView sliceCall(const CallArguments& a) {
    return slice(a.tensor(0), a.integer(1, 0), a.optionalInteger(2), a.optionalInteger(3), a.integer(4, 1));
}

TensorView flattenCall(const CallArguments& a) {
    return reshaped(a, flattenedSizes(a.tensor(0), a.integer(1, 0), a.integer(2, -1)));
}

TensorView matrixT(const CallArguments& a) {
    return a.tensor(0).dim() < 2 ? a.tensor(0) : transpose(a.tensor(0), -2, -1);
}

TensorView same(const CallArguments& a) {
    return a.tensor(0);
}

/// resize_: the same elements in order as far as they reach; more memory where the storage is too small.
TensorView resizeCall(const CallArguments& a) {
    TensorView self = a.tensor(0);
    const Shape sizes = a.integers(1);
    const std::int64_t offset = self.offset;
    if (std::uint64_t(tensor::elementCount(sizes) + offset) * tensor::byteSize(self.dtype) > self.storage->bytes) {
        TensorView larger =
            a.table().allocate(self.dtype, sizes, self.storage->onHost, "resized " + self.storage->label);
        TensorView head = larger;
        head.shape = self.shape;
        head.strides = self.strides;
        a.table().copyElements(head, self);
        return larger;
    }
    return asStrided(self, sizes, tensor::denseStrides(sizes), offset);
}

TensorView transposeCall(const CallArguments& a) {
    return transpose(a.tensor(0), a.integer(1), a.integer(2));
}

TensorView expandCall(const CallArguments& a) {
    return expand(a.tensor(0), a.integers(1));
}

const std::map<std::string_view, One>& oneView() {
    static const std::map<std::string_view, One> table{
        {"view", viewCall},
        {"_unsafe_view", viewCall},
        {"reshape", [](const CallArguments& a) { return reshaped(a, a.integers(1)); }},
        {"view_as", [](const CallArguments& a) { return view(a.tensor(0), a.tensor(1).shape); }},
        {"reshape_as", [](const CallArguments& a) { return reshaped(a, a.tensor(1).shape); }},
        {"flatten", flattenCall},
        {"ravel", [](const CallArguments& a) { return reshaped(a, {-1}); }},
        {"unflatten",
         [](const CallArguments& a) {
             return reshaped(a, unflattenedSizes(a.tensor(0), a.integer(1), a.integers(2)));
         }},
        {"permute", [](const CallArguments& a) { return permute(a.tensor(0), a.integers(1)); }},
        {"transpose", transposeCall},
        {"swapaxes", transposeCall},
        {"swapdims", transposeCall},
        {"t", [](const CallArguments& a) { return matrixTranspose(a.tensor(0)); }},
        {"numpy_T", [](const CallArguments& a) { return reverseDims(a.tensor(0)); }},
        {"mT", matrixT},
        {"mH", matrixT},
        {"adjoint", matrixT},
        {"movedim", [](const CallArguments& a) { return moveDim(a.tensor(0), a.integers(1), a.integers(2)); }},
        {"moveaxis", [](const CallArguments& a) { return moveDim(a.tensor(0), a.integers(1), a.integers(2)); }},
        {"select", [](const CallArguments& a) { return select(a.tensor(0), a.integer(1), a.integer(2)); }},
        {"slice", sliceCall},
        {"narrow",
         [](const CallArguments& a) { return narrow(a.tensor(0), a.integer(1), a.integer(2), a.integer(3)); }},
        {"unsqueeze", [](const CallArguments& a) { return unsqueeze(a.tensor(0), a.integer(1)); }},
        {"squeeze", squeezeCall},
        {"expand", expandCall},
        {"broadcast_to", expandCall},
        {"expand_as", [](const CallArguments& a) { return expand(a.tensor(0), a.tensor(1).shape); }},
        {"as_strided",
         [](const CallArguments& a) {
             return asStrided(a.tensor(0), a.integers(1), a.integers(2), a.optionalInteger(3));
         }},
        {"diagonal", diagonalCall},
        {"unfold",
         [](const CallArguments& a) { return unfold(a.tensor(0), a.integer(1), a.integer(2), a.integer(3)); }},
        {"alias", same},
        {"detach", same},
        {"variable_data", same},
        {"data", same},
        {"view_dtype", [](const CallArguments& a) { return viewCall(a); }},
        {"positive", same},
        {"resize", resizeCall},
    };
    return table;
}

const std::map<std::string_view, Many>& manyViews() {
    static const std::map<std::string_view, Many> table{
        {"chunk", [](const CallArguments& a) { return chunk(a.tensor(0), a.integer(1), a.integer(2, 0)); }},
        {"split",
         [](const CallArguments& a) {
             return a.at(1).as<ListRef>() ? split(a.tensor(0), a.integers(1), a.integer(2, 0))
                                          : splitEvery(a.tensor(0), a.integer(1), a.integer(2, 0));
         }},
        {"split_with_sizes", [](const CallArguments& a) { return split(a.tensor(0), a.integers(1), a.integer(2, 0)); }},
        {"unbind", [](const CallArguments& a) { return unbind(a.tensor(0), a.integer(1, 0)); }},
    };
    return table;
}

} // namespace

bool callView(const CallArguments& arguments, PyItems& results) {
    std::string_view base = arguments.base();
    if (const auto many = manyViews().find(base); many != manyViews().end()) {
        PyItems items;
        for (TensorView& part : many->second(arguments))
            items.push_back(TensorRef{arguments.table().add(std::move(part))});
        results = {PyValue::list(std::move(items))};
        return true;
    }
    const bool inPlace = base.size() > 1 && base.back() == '_';
    if (inPlace) base.remove_suffix(1);
    const auto one = oneView().find(base);
    if (one == oneView().end() || (base == "resize" && !inPlace)) return false;
    TensorView made = one->second(arguments);
    if (inPlace) {
        const std::int64_t handle = arguments.handle(0);
        arguments.table().at(handle) = std::move(made);
        results = {TensorRef{handle}};
    } else {
        results = {TensorRef{arguments.table().add(std::move(made))}};
    }
    return true;
}

} // namespace kernelarium::host
