// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/operators/Operators.h"

#include "core/task/operators/Call.h"
#include "core/task/operators/Refusal.h"

#include <algorithm>
#include <new>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

namespace kernelarium::task {

using namespace operators;

namespace {

using Registry = std::unordered_map<std::string_view, Entry>;

const Registry& registry() {
    static const Registry all = [] {
        Registry r;
        for (Family family : {pointwiseFamily(), arithmeticFamily(), comparisonFamily(), factoryFamily(), viewFamily(),
                              movementFamily(), indexingFamily(), reductionFamily(), extremaFamily(), scanFamily(),
                              softmaxFamily(), normalizationFamily(), poolingFamily(), convolutionFamily(),
                              matrixFamily(), einsumFamily(), attentionFamily(), recurrentFamily(), lossFamily()})
            for (const Entry& entry : family)
                r.emplace(entry.name, entry);
        return r;
    }();
    return all;
}

/// "aten.add_.Tensor" to "aten.add.Tensor"; empty where the name has no in-place form.
std::string plainName(std::string_view op) {
    const std::size_t dot = op.rfind('.');
    if (dot == std::string_view::npos || dot == 0 || op[dot - 1] != '_' || op[dot - 2] == '_') return {};
    return std::string(op.substr(0, dot - 1)) + std::string(op.substr(dot));
}

struct Found {
    const Entry* entry = nullptr;
    bool inPlace = false;
};
Found find(std::string_view op) {
    const Registry& all = registry();
    if (auto it = all.find(op); it != all.end()) return {&it->second, false};
    if (const std::string plain = plainName(op); !plain.empty())
        if (auto it = all.find(plain); it != all.end()) return {&it->second, true};
    return {};
}

bool isNarrow(DType type) {
    return type == DType::Float16 || type == DType::BFloat16;
}

/// The floating types among the tensors of the arguments.
struct FloatTypes {
    bool half = false, bfloat = false, wide = false;
    void note(const Value& value) {
        std::vector<Tensor> all;
        collectTensors(value, all);
        for (const Tensor& t : all) {
            half |= t.dtype() == DType::Float16;
            bfloat |= t.dtype() == DType::BFloat16;
            wide |= t.dtype() == DType::Float32 || t.dtype() == DType::Float64;
        }
    }
};

Value convertNarrow(const Value& value, DType to, bool (*affected)(DType)) {
    if (const auto* t = value.as<Tensor>()) return affected(t->dtype()) ? t->to(to) : *t;
    if (const auto* list = value.as<tensor::List>()) {
        tensor::List out;
        for (const Value& v : *list)
            out.push_back(convertNarrow(v, to, affected));
        return out;
    }
    return value;
}

Results callWidened(const Entry& entry, std::string_view op, std::span<const Value> arguments,
                    const tensor::Dict& keywords, const OperatorContext& context) {
    FloatTypes types;
    for (const Value& v : arguments)
        types.note(v);
    for (const auto& [key, v] : keywords)
        types.note(v);
    if (entry.narrow == Narrow::keep || !(types.half || types.bfloat))
        return entry.function(Call(op, arguments, keywords, context));

    std::vector<Value> wide;
    for (const Value& v : arguments)
        wide.push_back(convertNarrow(v, DType::Float32, isNarrow));
    tensor::Dict wideKeywords;
    bool typeGiven = false;
    for (const auto& [key, v] : keywords) {
        wideKeywords.emplace_back(key, convertNarrow(v, DType::Float32, isNarrow));
        typeGiven |= key == "dtype" && !v.isNone();
    }
    for (const Value& v : arguments)
        typeGiven |= v.as<DType>() != nullptr;
    Results results = entry.function(Call(op, wide, wideKeywords, context));
    if (types.wide || typeGiven || (types.half && types.bfloat)) return results;
    const DType narrow = types.half ? DType::Float16 : DType::BFloat16;
    for (Value& v : results)
        v = convertNarrow(v, narrow, [](DType t) { return t == DType::Float32; });
    return results;
}

/// The new value of `self`: the result in self's type; it must have self's shape.
void fitInPlace(Results& results, std::string_view op, std::span<const Value> arguments) {
    const Tensor* self = arguments.empty() ? nullptr : arguments[0].as<Tensor>();
    Tensor* result = results.empty() ? nullptr : results[0].as<Tensor>();
    if (!self || !result) return;
    if (result->shape() != self->shape())
        badArgument(fmt::format("{}: output with shape {} doesn't match the broadcast shape {}.", op,
                                tensor::toString(self->shape()), tensor::toString(result->shape())));
    const auto rank = [](DType t) { return isFloating(t) ? 2 : t == DType::Bool ? 0 : 1; };
    if (rank(result->dtype()) > rank(self->dtype()))
        badArgument(fmt::format("{}: result type {} can't be cast to the type {} of self.", op,
                                tensor::name(result->dtype()), tensor::name(self->dtype())));
    *result = result->to(self->dtype());
}

} // namespace

Result<std::vector<tensor::Value>> evaluateOperator(std::string_view op, std::span<const tensor::Value> arguments,
                                                    const tensor::Dict& keywords, const OperatorContext& context) {
    const Found found = find(op);
    if (!found.entry) return Error{"unsupported", fmt::format("The operator {} is not supported.", op)};
    try {
        if (context.stop.stop_requested()) return Error{"cancelled", "The evaluation was cancelled."};
        Results results = callWidened(*found.entry, op, arguments, keywords, context);
        if (found.inPlace) fitInPlace(results, op, arguments);
        return results;
    } catch (const Failure& failure) {
        return failure.error;
    } catch (const tensor::LayoutError& error) {
        return refusal(op, error);
    } catch (const std::bad_alloc&) {
        return Error{"out_of_memory", fmt::format("There is not enough memory for {}.", op)};
    } catch (const std::exception& e) {
        return Error{"internal", fmt::format("{} failed: {}.", op, e.what())};
    }
}

bool knowsOperator(std::string_view op) {
    return find(op).entry != nullptr;
}

std::vector<std::string_view> operatorNames() {
    std::vector<std::string_view> names;
    for (const auto& [name, entry] : registry())
        names.push_back(name);
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace kernelarium::task
