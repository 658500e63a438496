// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/driver/DeviceModule.h"

#include <array>

namespace kernelarium::device {

namespace {

bool anotherArchitecture(DriverStatus status) {
    return status == driverNoBinary || status == driverInvalidImage;
}

} // namespace

Result<std::unique_ptr<DeviceModule>> DeviceModule::load(std::shared_ptr<DeviceContext> context,
                                                         std::span<const std::byte> cubin, const std::string& ptx) {
    std::unique_ptr<DeviceModule> module(new DeviceModule(std::move(context)));
    module->m_ptx = ptx;
    if (cubin.empty() && ptx.find(".entry") == std::string::npos) return module;
    DriverStatus status = driverNoBinary;
    if (!cubin.empty())
        status = module->m_context->api().cuModuleLoadDataEx(&module->m_module, cubin.data(), 0, nullptr, nullptr);
    if (anotherArchitecture(status) && !ptx.empty()) {
        if (auto compiled = module->loadPtx(ptx); !compiled) return compiled.error();
        return module;
    }
    if (auto loaded = module->m_context->check(status, "Loading the kernels onto the GPU"); !loaded)
        return loaded.error();
    return module;
}

Result<void> DeviceModule::loadPtx(const std::string& ptx) {
    // CUjit_option: the buffer for error messages and its size
    std::array<char, 8192> log{};
    std::array options{5, 6};
    std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
    const DriverStatus status = m_context->api().cuModuleLoadDataEx(&m_module, ptx.c_str(), unsigned(options.size()),
                                                                    options.data(), values.data());
    m_usedPtx = status == driverSuccess;
    Result<void> loaded = m_context->check(status, "Compiling the kernels' PTX in the driver");
    if (loaded) return loaded;
    Error error = loaded.error();
    error.detail = log.data();
    return error;
}

DeviceModule::~DeviceModule() {
    if (m_module && !m_context->isLost())
        (void)m_context->check(m_context->api().cuModuleUnload(m_module), "Unloading kernels");
}

FunctionHandle DeviceModule::function(std::string_view mangled) const {
    if (!m_module || m_context->isLost()) return nullptr;
    if (const auto known = m_functions.find(mangled); known != m_functions.end()) return known->second;
    const std::string name(mangled);
    FunctionHandle found = nullptr;
    if (!m_context->check(m_context->api().cuModuleGetFunction(&found, m_module, name.c_str()), "Finding a kernel"))
        found = nullptr;
    return m_functions.emplace(name, found).first->second;
}

std::optional<host::DeviceSymbol> DeviceModule::symbol(std::string_view mangled) const {
    if (!m_module || m_context->isLost()) return {};
    DevicePointer address = 0;
    std::size_t bytes = 0;
    const std::string name(mangled);
    if (!m_context->check(m_context->api().cuModuleGetGlobal(&address, &bytes, m_module, name.c_str()),
                          "Finding a variable"))
        return {};
    return host::DeviceSymbol{address, bytes};
}

int DeviceModule::attribute(FunctionHandle function, int which) const {
    int value = 0;
    if (!m_context->check(m_context->api().cuFuncGetAttribute(&value, which, function), "Asking about a kernel"))
        return 0;
    return value;
}

} // namespace kernelarium::device
