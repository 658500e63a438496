// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/Value.h"

namespace kernelarium::tensor {

void collectTensors(const Value& value, std::vector<Tensor>& out) {
    if (const Tensor* t = value.as<Tensor>()) out.push_back(*t);
    if (const List* list = value.as<List>())
        for (const Value& v : *list)
            collectTensors(v, out);
    if (const Dict* dict = value.as<Dict>())
        for (const auto& [key, v] : *dict)
            collectTensors(v, out);
}

} // namespace kernelarium::tensor
