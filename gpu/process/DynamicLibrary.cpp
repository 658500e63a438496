// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/DynamicLibrary.h"

#include <dlfcn.h>

#include <utility>

namespace kernelarium::process {

Result<DynamicLibrary> DynamicLibrary::open(const std::string& path) {
    DynamicLibrary library;
    library.m_handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library.m_handle) {
        const char* reason = dlerror();
        return Error{"missing_component", "Cannot load " + path + ".",
                     "Install the CUDA Toolkit 12.8 or newer, or set CUDA_PATH to its folder.", reason ? reason : ""};
    }
    return library;
}

DynamicLibrary::DynamicLibrary(DynamicLibrary&& other) noexcept
    : m_handle(std::exchange(other.m_handle, nullptr)) {}

DynamicLibrary& DynamicLibrary::operator=(DynamicLibrary&& other) noexcept {
    std::swap(m_handle, other.m_handle);
    return *this;
}

DynamicLibrary::~DynamicLibrary() {
    if (m_handle) dlclose(m_handle);
}

void* DynamicLibrary::symbol(const char* name) const {
    return m_handle ? dlsym(m_handle, name) : nullptr;
}

} // namespace kernelarium::process
