// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/NvJitLink.h"

#include <fstream>
#include <iterator>

namespace kernelarium::compile {

namespace {
constexpr int inputPtx = 2;     // NVJITLINK_INPUT_PTX
constexpr int inputLibrary = 6; // NVJITLINK_INPUT_LIBRARY

/// The header maps each name to one with its version; newer libraries export the plain name as well.
template <class F> bool findVersioned(const process::DynamicLibrary& library, const std::string& name, F& function) {
    if (library.find(name.c_str(), function)) return true;
    for (const char* version : {"13_2", "13_1", "13_0", "12_9", "12_8", "12_6", "12_4", "12_0"})
        if (library.find(("__" + name + "_" + version).c_str(), function)) return true;
    return false;
}

template <class Size, class Get, class Handle> std::string fetch(Size sizeOf, Get get, Handle handle) {
    size_t size = 0;
    if (sizeOf(handle, &size) != 0 || size == 0) return {};
    std::string text(size, '\0');
    if (get(handle, text.data()) != 0) return {};
    text.resize(text.find_last_not_of('\0') + 1);
    return text;
}
} // namespace

Result<std::unique_ptr<NvJitLink>> NvJitLink::load(const std::string& path) {
    Result<process::DynamicLibrary> library = process::DynamicLibrary::open(path);
    if (!library) return library.error();
    auto linker = std::make_unique<NvJitLink>();
    linker->m_library = std::move(library).value();
    const process::DynamicLibrary& lib = linker->m_library;
    const bool complete = findVersioned(lib, "nvJitLinkCreate", linker->m_create) &&
                          findVersioned(lib, "nvJitLinkDestroy", linker->m_destroy) &&
                          findVersioned(lib, "nvJitLinkAddData", linker->m_addData) &&
                          findVersioned(lib, "nvJitLinkComplete", linker->m_complete) &&
                          findVersioned(lib, "nvJitLinkGetLinkedCubinSize", linker->m_cubinSize) &&
                          findVersioned(lib, "nvJitLinkGetLinkedCubin", linker->m_cubin) &&
                          findVersioned(lib, "nvJitLinkGetErrorLogSize", linker->m_errorSize) &&
                          findVersioned(lib, "nvJitLinkGetErrorLog", linker->m_error) &&
                          findVersioned(lib, "nvJitLinkGetInfoLogSize", linker->m_infoSize) &&
                          findVersioned(lib, "nvJitLinkGetInfoLog", linker->m_info);
    if (!complete)
        return Error{"missing_component", path + " is not an nvJitLink library of CUDA 12.8 or newer.",
                     "Install the CUDA Toolkit 12.8 or newer."};
    return linker;
}

NvJitLink::Output NvJitLink::link(const std::string& ptx, const std::vector<std::string>& options,
                                  const std::string& library) const {
    Output out;
    std::vector<const char*> raw;
    for (const std::string& option : options)
        raw.push_back(option.c_str());
    Handle handle = nullptr;
    const int created = m_create(&handle, unsigned(raw.size()), raw.data());
    if (created != 0) {
        out.errors = "nvJitLink refused its options (status " + std::to_string(created) + ").";
        if (handle) m_destroy(&handle);
        return out;
    }
    int status = m_addData(handle, inputPtx, ptx.c_str(), ptx.size() + 1, "kernel.cu");
    if (status == 0 && !library.empty()) {
        std::ifstream file(library, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        status = m_addData(handle, inputLibrary, bytes.data(), bytes.size(), "libcudadevrt.a");
    }
    if (status == 0) status = m_complete(handle);
    out.errors = fetch(m_errorSize, m_error, handle);
    out.info = fetch(m_infoSize, m_info, handle);
    if (status == 0) {
        size_t size = 0;
        if (m_cubinSize(handle, &size) == 0) {
            out.cubin.resize(size);
            out.ok = m_cubin(handle, out.cubin.data()) == 0;
        }
    } else if (out.errors.empty()) {
        out.errors = "nvJitLink failed with status " + std::to_string(status) + ".";
    }
    m_destroy(&handle);
    return out;
}

} // namespace kernelarium::compile
