// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/tensors/ValueTransfer.h"

#include "gpu/host/backend/Raised.h"

namespace kernelarium::host {

void stopForKeeping(const Error& error) {
    if (error.code == "cancelled") throw RunStopped{verify::RunEnd::cancelled, "cancelled"};
    throw RunStopped{error.code == "out_of_memory" ? verify::RunEnd::out_of_memory : verify::RunEnd::unsupported,
                     "keeping inputs and outputs on the device: " + error.message};
}

namespace {

tensor::Tensor exportTensor(const TensorView& view, const TensorTable& table, TensorKeeper* keeper) {
    if (!keeper || view.storage->onHost) return table.peek(view);
    Result<tensor::Tensor> kept = keeper->keep(view);
    if (!kept) stopForKeeping(kept.error());
    return *std::move(kept);
}

} // namespace

void writeElements(TensorTable& table, const TensorView& view, const tensor::Tensor& t, TensorKeeper* keeper) {
    if (!t.elsewhere()) return table.scatter(view, t);
    if (!keeper) throw RunStopped{verify::RunEnd::unsupported, "arguments that lie on another device"};
    if (Result<void> put = keeper->put(view, t); !put) stopForKeeping(put.error());
}

PyValue scalarOf(const tensor::Value& value) {
    if (const auto* b = value.as<bool>()) return *b;
    if (const auto* i = value.as<std::int64_t>()) return *i;
    if (const auto* d = value.as<double>()) return *d;
    if (const auto* s = value.as<std::string>()) return *s;
    if (const auto* t = value.as<DType>()) return *t;
    return {};
}

PyValue importValue(const tensor::Value& value, const std::string& label, TensorTable& table,
                    std::vector<std::int64_t>& handles, Tiles* tiles, TensorKeeper* keeper) {
    if (const auto* t = value.as<tensor::Tensor>()) {
        const tensor::Tensor* tile = tiles ? tiles->next() : nullptr;
        const bool isHere = t->defined() && !t->elsewhere();
        TensorView view =
            isHere ? table.allocateHolding(*t, false, label) : table.allocate(t->dtype(), t->shape(), false, label);
        if (!isHere && (!t->isShapeOnly() || t->elsewhere()))
            writeElements(table, view, *t, keeper);
        else if (tile)
            table.repeat(view, *tile);
        handles.push_back(table.add(std::move(view)));
        return TensorRef{handles.back()};
    }
    if (const auto* list = value.as<tensor::List>()) {
        PyItems items;
        for (std::size_t i = 0; i < list->size(); ++i)
            items.push_back(
                importValue((*list)[i], label + "[" + std::to_string(i) + "]", table, handles, tiles, keeper));
        return PyValue::list(std::move(items));
    }
    if (const auto* dict = value.as<tensor::Dict>()) {
        PyEntries entries;
        for (const auto& [key, item] : *dict)
            entries.emplace_back(PyValue(key),
                                 importValue(item, label + "['" + key + "']", table, handles, tiles, keeper));
        return PyValue::dict(std::move(entries));
    }
    return scalarOf(value);
}

tensor::Value exportValue(const PyValue& value, const TensorTable& table,
                          std::vector<std::optional<std::int64_t>>& firstUnwritten, TensorKeeper* keeper) {
    if (const auto* t = value.as<TensorRef>()) {
        if (t->handle == 0) return {}; // an undefined tensor is None in Python
        const TensorView& view = table.at(t->handle);
        firstUnwritten.push_back(table.firstUnwritten(view));
        return exportTensor(view, table, keeper);
    }
    if (const auto* list = value.as<ListRef>()) {
        tensor::List items;
        for (const PyValue& item : *list->items)
            items.push_back(exportValue(item, table, firstUnwritten, keeper));
        return items;
    }
    if (const auto* dict = value.as<DictRef>()) {
        tensor::Dict entries;
        for (const auto& [key, item] : *dict->entries)
            entries.emplace_back(str(key), exportValue(item, table, firstUnwritten, keeper));
        return entries;
    }
    if (value.isNone()) return {};
    if (const auto* b = value.as<bool>()) return *b;
    if (const auto* i = value.as<std::int64_t>()) return *i;
    if (const auto* d = value.as<double>()) return *d;
    if (const auto* s = value.as<std::string>()) return *s;
    if (const auto* t = value.as<DType>()) return *t;
    raiseTypeError("forward returned a " + typeName(value));
}

std::vector<verify::OutputPlace> outputPlaces(const PyValue& value, const TensorTable& table) {
    std::vector<verify::OutputPlace> places;
    const auto append = [&](const PyValue& item) {
        for (verify::OutputPlace& place : outputPlaces(item, table))
            places.push_back(std::move(place));
    };
    if (const auto* t = value.as<TensorRef>()) {
        if (t->handle == 0) return {};
        const TensorView& view = table.at(t->handle);
        const auto width = view.storage->onHost ? 0 : std::uint32_t(tensor::byteSize(view.dtype));
        return {{view.address(), width, view.shape, view.strides}};
    }
    if (const auto* list = value.as<ListRef>())
        for (const PyValue& item : *list->items)
            append(item);
    else if (const auto* dict = value.as<DictRef>())
        for (const auto& [key, item] : *dict->entries)
            append(item);
    else if (value.as<bool>() || value.as<std::int64_t>() || value.as<double>())
        places.emplace_back();
    return places;
}

} // namespace kernelarium::host
