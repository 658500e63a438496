// SPDX-License-Identifier: GPL-3.0-or-later
//
// What host code asks a tensor for as a Python object: attributes, and the methods that answer with a number
// or a shape.
#include "gpu/host/backend/Raised.h"
#include "gpu/host/python/CallArguments.h"
#include "gpu/host/python/PyCalls.h"

#include <algorithm>
#include <array>

namespace kernelarium::host {

namespace {

constexpr std::array tensorMethods{"numel",         "dim",          "ndimension", "size",       "stride",  "item",
                                   "is_contiguous", "element_size", "nelement",   "get_device", "data_ptr"};

/// size() and stride(): all of them as a tuple, or that of one dimension.
PyValue extent(const TensorView& view, const Shape& values, const PyItems& a) {
    if (a.empty()) return PyValue::tuple(PyItems(values.begin(), values.end()));
    const auto* dim = a[0].as<std::int64_t>();
    if (!dim) raiseTypeError("size(): argument 'dim' must be int, not " + typeName(a[0]));
    return values.at(std::size_t(wrapDim(*dim, view.dim())));
}

} // namespace

PyValue pyTensorAttribute(const TensorTable& table, const TensorRef& ref, const std::string& name) {
    const TensorView& view = table.at(ref.handle);
    if (name == "shape") return PyValue::tuple(PyItems(view.shape.begin(), view.shape.end()));
    if (name == "dtype") return view.dtype;
    if (name == "is_cuda") return !view.storage->onHost;
    if (name == "device") return DeviceRef{view.storage->onHost ? -1 : 0};
    if (name == "ndim") return view.dim();
    if (name == "requires_grad") return view.requiresGrad;
    if (name == "data") return ref;
    if (std::find(tensorMethods.begin(), tensorMethods.end(), name) != tensorMethods.end())
        return BoundMethod{std::make_shared<PyValue>(ref), name};
    refuse("attribute '" + name + "' of a Tensor as a Python object");
}

PyValue pyTensorMethod(const TensorTable& table, const TensorRef& ref, const std::string& name, const PyItems& a) {
    const TensorView& view = table.at(ref.handle);
    if (name == "numel" || name == "nelement") return view.count();
    if (name == "dim" || name == "ndimension") return view.dim();
    if (name == "size") return extent(view, view.shape, a);
    if (name == "stride") return extent(view, view.strides, a);
    if (name == "is_contiguous") return view.isContiguous();
    if (name == "data_ptr") return view.count() == 0 ? std::int64_t(0) : std::int64_t(view.address());
    if (name == "element_size") return std::int64_t(tensor::byteSize(view.dtype));
    if (name == "get_device") return std::int64_t(view.storage->onHost ? -1 : 0);
    return itemOf(table, view, "item");
}

} // namespace kernelarium::host
