// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/operators/Nested.h"

#include "core/task/operators/Operators.h"

namespace kernelarium::task::operators {

Results applyAll(const Call& call, std::string_view op, std::vector<Value> arguments) {
    Result<Results> results = evaluateOperator(op, arguments, {}, call.context());
    if (!results) throw Failure{results.error()};
    return *std::move(results);
}
Tensor apply(const Call& call, std::string_view op, std::vector<Value> arguments) {
    const Results results = applyAll(call, op, std::move(arguments));
    const Tensor* t = results.empty() ? nullptr : results[0].as<Tensor>();
    require(t, "An operator within another gave no tensor.");
    return *t;
}
Value listOf(const Shape& shape) {
    tensor::List list;
    for (std::int64_t s : shape)
        list.emplace_back(s);
    return list;
}

} // namespace kernelarium::task::operators
