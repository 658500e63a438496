// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/file/Arguments.h"

#include "core/kernelgen/text/KernelText.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

namespace {

using task::Argument;

bool isTensor(const Argument& a) {
    return std::holds_alternative<task::CardTensorRef>(a.kind);
}

bool isNumber(const Argument& a) {
    const auto* size = std::get_if<task::SizeExpression>(&a.kind);
    return size && size->isNumber();
}

class ArgumentReader {
public:
    explicit ArgumentReader(Names& names)
        : m_names(names) {}

    Arguments run(const task::Card& card) {
        for (const auto& [name, value] : card.call) {
            const std::string variable = m_names.take(name);
            m_arguments.parameters.push_back(typeOf(value) + " " + variable);
            if (const auto* size = std::get_if<task::SizeExpression>(&value.kind))
                m_arguments.integers.emplace_back(variable, *size);
            else if (const std::string constant = constantOf(value); !constant.empty())
                m_arguments.constants.emplace_back(variable, constant);
            addTensors(value, variable, variable, false, true);
            addCheck(value, variable);
        }
        return std::move(m_arguments);
    }

private:
    static std::string typeOf(const Argument& a) {
        if (isTensor(a)) return "torch::Tensor";
        if (std::holds_alternative<bool>(a.kind)) return "bool";
        if (std::holds_alternative<task::SizeExpression>(a.kind)) return "int64_t";
        if (std::holds_alternative<double>(a.kind)) return "double";
        if (std::holds_alternative<std::string>(a.kind)) return "std::string";
        if (std::holds_alternative<task::ArgumentDict>(a.kind)) return "py::dict";
        if (const auto* list = std::get_if<task::ArgumentList>(&a.kind)) {
            if (!list->empty() && std::all_of(list->begin(), list->end(), isTensor))
                return "std::vector<torch::Tensor>";
            if (!list->empty() && std::all_of(list->begin(), list->end(), isNumber)) return "std::vector<int64_t>";
            return "py::object";
        }
        return "py::object"; // None, or an element type
    }

    static std::string constantOf(const Argument& a) {
        if (const auto* truth = std::get_if<bool>(&a.kind)) return *truth ? "true" : "false";
        if (const auto* text = std::get_if<std::string>(&a.kind)) return fmt::format("\"{}\"", *text);
        const auto* number = std::get_if<double>(&a.kind);
        return number && std::isfinite(*number) ? fmt::format("{}", *number) : "";
    }
    void addCheck(const Argument& a, const std::string& name) {
        std::vector<std::string>& checks = m_arguments.checks;
        if (std::holds_alternative<std::monostate>(a.kind)) checks.push_back(name + ".is_none()");
        if (isNumber(a)) checks.push_back(name + " == " + std::get<task::SizeExpression>(a.kind).text());
        if (const auto* number = std::get_if<double>(&a.kind)) checks.push_back(fmt::format("{} == {}", name, *number));
        if (const auto* flag = std::get_if<bool>(&a.kind)) checks.push_back((*flag ? "" : "!") + name);
        if (const auto* text = std::get_if<std::string>(&a.kind))
            checks.push_back(fmt::format("{} == \"{}\"", name, *text));
        const auto* list = std::get_if<task::ArgumentList>(&a.kind);
        if (!list || list->empty() || !std::all_of(list->begin(), list->end(), isNumber)) return;
        std::string numbers;
        for (const Argument& item : *list)
            numbers += (numbers.empty() ? "" : ", ") + std::get<task::SizeExpression>(item.kind).text();
        checks.push_back(fmt::format("({} == std::vector<int64_t>{{{}}})", name, numbers));
    }

    /// `isObject`: the access gives a Python object that has to be cast.
    void addTensors(const Argument& a, const std::string& access, const std::string& name, bool isObject,
                    bool isParameter) {
        if (const auto* ref = std::get_if<task::CardTensorRef>(&a.kind)) {
            if (m_arguments.tensors.contains(ref->index)) return;
            m_arguments.tensors[ref->index] = {isObject ? access + ".cast<torch::Tensor>()" : access,
                                               isParameter ? name : m_names.take(name), isParameter};
        } else if (const auto* list = std::get_if<task::ArgumentList>(&a.kind)) {
            const bool isVector = typeOf(a) == "std::vector<torch::Tensor>" && !isObject;
            const std::string base = isVector   ? access
                                     : isObject ? access + ".cast<py::list>()"
                                                : "py::list(" + access + ")";
            for (std::size_t i = 0; i < list->size(); ++i)
                addTensors((*list)[i], fmt::format("{}[{}]", base, i), fmt::format("{}_{}", name, i), !isVector, false);
        } else if (const auto* dict = std::get_if<task::ArgumentDict>(&a.kind)) {
            const std::string base = isObject ? access + ".cast<py::dict>()" : access;
            for (const task::NamedArgument& item : *dict)
                addTensors(item.value, fmt::format("{}[\"{}\"]", base, item.name), item.name, true, false);
        }
    }

    Names& m_names;
    Arguments m_arguments;
};

} // namespace

Arguments argumentsOf(const task::Card& card, Names& names) {
    return ArgumentReader(names).run(card);
}

} // namespace kernelarium::kernelgen
