// SPDX-License-Identifier: GPL-3.0-or-later
//
// TORCH_LIBRARY: schemas joined with the implementations that CUDA tensors reach.
#include "gpu/host/backend/Raised.h"
#include "gpu/host/python/HostModule.h"
#include "gpu/host/python/OperatorSchema.h"

#include <algorithm>

namespace kernelarium::host {

namespace {

constexpr std::string_view libraryMark = "TORCH_LIBRARY:";

/// Keys whose implementations a call with tensors on the device never reaches.
bool neverReached(std::string_view key) {
    return key == "CPU" || key == "Meta" || key == "XPU" || key == "MPS" || key == "QuantizedCPU";
}

bool reached(std::string_view key) {
    return key.empty() || key == "CUDA" || key == "CompositeImplicitAutograd" || key == "CompositeExplicitAutograd";
}

} // namespace

void HostModule::begin(const std::string& name) {
    m_space.clear();
    if (!name.starts_with(libraryMark)) {
        m_name = name;
        return;
    }
    const std::size_t colon = name.rfind(':');
    m_space = name.substr(libraryMark.size(), colon - libraryMark.size());
    m_key = name.substr(colon + 1);
    if (!reached(m_key) && !neverReached(m_key)) refuse("TORCH_LIBRARY_IMPL with the dispatch key " + m_key);
}

void HostModule::define(Definition definition) {
    if (m_space.empty())
        m_definitions.push_back(std::move(definition));
    else if (!neverReached(m_key))
        defineOperator(std::move(definition));
}

void HostModule::defineOperator(Definition definition) {
    Definition made = definition;
    made.argumentNames.clear();
    made.defaults.clear();
    readSchema(definition.name, made);
    made.name = m_space + "::" + made.name;
    const auto known =
        std::find_if(m_operators.begin(), m_operators.end(), [&](const Definition& d) { return d.name == made.name; });
    if (known == m_operators.end()) {
        m_operators.push_back(std::move(made));
        return;
    }
    if (made.invoke != 0) {
        known->invoke = made.invoke;
        known->function = made.function;
        known->arity = definition.arity;
    }
    if (!made.argumentNames.empty()) {
        known->argumentNames = std::move(made.argumentNames);
        known->defaults = std::move(made.defaults);
    }
}

const Definition* HostModule::operatorEntry(const std::string& function) const {
    const Definition* only = nullptr;
    for (const Definition& d : m_operators) {
        if (d.name.ends_with("::" + (function.empty() ? "forward" : function)) || d.name == function) return &d;
        if (!function.empty()) continue;
        only = m_operators.size() == 1 ? &d : nullptr;
    }
    return only;
}

} // namespace kernelarium::host
