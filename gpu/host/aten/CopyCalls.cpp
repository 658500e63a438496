// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/aten/AtenCalls.h"
#include "gpu/host/backend/Raised.h"

#include <map>

namespace kernelarium::host {

namespace {

std::int64_t converted(const CallArguments& a, std::int64_t handle, DType dtype, bool onHost, bool always) {
    const TensorView self = a.table().at(handle);
    if (!always && self.dtype == dtype && self.storage->onHost == onHost) return handle;
    TensorView made = a.table().allocate(dtype, self.shape, onHost, a.name() + " of " + self.storage->label);
    if (self.dtype == dtype)
        a.table().copyElements(made, self);
    else
        a.table().convert(made, self, a.name());
    return a.table().add(std::move(made));
}

/// to(dtype), to(device), to(device, dtype), to(options), to(other), and the flag `copy`.
PyItems to(const CallArguments& a) {
    const std::int64_t handle = a.handle(0);
    const TensorView& self = a.tensor(0);
    const PlacementOptions options = a.options(1);
    DType dtype = options.dtype.value_or(self.dtype);
    bool onHost = options.device ? options.device->index < 0 : self.storage->onHost;
    if (a.at(1).as<TensorRef>()) {
        dtype = a.tensor(1).dtype;
        onHost = a.tensor(1).storage->onHost;
    }
    // The flags come after the last option as (non_blocking, copy).
    std::size_t flags = 0;
    bool copy = false;
    for (std::size_t i = 1; i < a.count(); ++i)
        if (const auto* flag = a.at(i).as<bool>(); flag && ++flags == 2) copy = *flag;
    return {TensorRef{converted(a, handle, dtype, onHost, copy)}};
}

PyItems toType(const CallArguments& a, DType dtype) {
    return {TensorRef{converted(a, a.handle(0), dtype, a.tensor(0).storage->onHost, false)}};
}

PyItems toPlace(const CallArguments& a, bool onHost) {
    return {TensorRef{converted(a, a.handle(0), a.tensor(0).dtype, onHost, false)}};
}

/// A fresh copy whose elements lie in the given format.
TensorView laidOut(const CallArguments& a, const TensorView& self, MemoryFormat format) {
    TensorView made = a.table().allocate(self.dtype, self.shape, self.storage->onHost,
                                         std::string(a.base()) + " of " + self.storage->label);
    if (format != MemoryFormat::preserve)
        made.strides = formatStrides(self.shape, format);
    else if (self.isPacked())
        made.strides = self.strides;
    a.table().copyElements(made, self);
    return made;
}

PyItems contiguous(const CallArguments& a) {
    const TensorView self = a.tensor(0);
    const MemoryFormat format = a.format(1);
    const bool already = format == MemoryFormat::contiguous ? self.isContiguous()
                         : format == MemoryFormat::preserve ? true
                                                            : self.strides == formatStrides(self.shape, format);
    return {already ? TensorRef{a.handle(0)} : TensorRef{a.table().add(laidOut(a, self, format))}};
}

/// A clone keeps the strides of a dense tensor unless it is asked for a format.
PyItems clone(const CallArguments& a) {
    const TensorView self = a.tensor(0);
    return {TensorRef{a.table().add(laidOut(a, self, a.format(1, MemoryFormat::preserve)))}};
}

PyItems copyInto(const CallArguments& a) {
    const TensorView self = a.tensor(0);
    const TensorView source = expand(a.tensor(1), self.shape);
    if (source.dtype == self.dtype)
        a.table().copyElements(self, source);
    else
        a.table().convert(self, source, a.name());
    return {TensorRef{a.handle(0)}};
}

PyItems fill(const CallArguments& a, double value) {
    const TensorView self = a.tensor(0);
    a.table().fill(self, value);
    return {TensorRef{a.handle(0)}};
}

PyItems item(const CallArguments& a) {
    return {itemOf(a.table(), a.tensor(0), a.name())};
}

PyItems requiresGrad(const CallArguments& a) {
    a.table().at(a.handle(0)).requiresGrad = a.boolean(1, true);
    return {TensorRef{a.handle(0)}};
}

/// Page-locked memory is plain heap here.
PyItems pinMemory(const CallArguments& a) {
    if (!a.tensor(0).storage->onHost) raise("cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned");
    return {TensorRef{a.handle(0)}};
}

using Copy = PyItems (*)(const CallArguments&);

const std::map<std::string_view, Copy>& copies() {
    static const std::map<std::string_view, Copy> table{
        {"to", to},
        {"_to_copy", to},
        {"type", to},
        {"type_as", to},
        {"toType", to},
        {"cpu", [](const CallArguments& a) { return toPlace(a, true); }},
        {"cuda", [](const CallArguments& a) { return toPlace(a, false); }},
        {"float", [](const CallArguments& a) { return toType(a, DType::Float32); }},
        {"double", [](const CallArguments& a) { return toType(a, DType::Float64); }},
        {"half", [](const CallArguments& a) { return toType(a, DType::Float16); }},
        {"bfloat16", [](const CallArguments& a) { return toType(a, DType::BFloat16); }},
        {"long", [](const CallArguments& a) { return toType(a, DType::Int64); }},
        {"int", [](const CallArguments& a) { return toType(a, DType::Int32); }},
        {"bool", [](const CallArguments& a) { return toType(a, DType::Bool); }},
        {"contiguous", contiguous},
        {"clone", clone},
        {"lift_fresh_copy", clone},
        {"copy_", copyInto},
        {"fill_", [](const CallArguments& a) { return fill(a, a.number(1)); }},
        {"zero_", [](const CallArguments& a) { return fill(a, 0); }},
        {"item", item},
        {"_local_scalar_dense", item},
        {"requires_grad_", requiresGrad},
        {"set_requires_grad", requiresGrad},
        {"pin_memory", pinMemory},
    };
    return table;
}

} // namespace

bool callCopy(const CallArguments& arguments, PyItems& results) {
    const auto found = copies().find(arguments.base());
    if (found == copies().end()) return false;
    results = found->second(arguments);
    return true;
}

} // namespace kernelarium::host
