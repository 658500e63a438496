// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/process/DynamicLibrary.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace kernelarium::compile {

/// nvJitLink, loaded at run time: PTX to cubin through the ptxas inside it, no GPU needed.
class NvJitLink {
public:
    static Result<std::unique_ptr<NvJitLink>> load(const std::string& path);

    struct Output {
        bool ok = false;
        std::vector<std::byte> cubin;
        std::string errors;
        std::string info;
    };
    /// `library` is the path of an archive of device code to link against; empty for none.
    Output link(const std::string& ptx, const std::vector<std::string>& options, const std::string& library = {}) const;

private:
    using Handle = struct OpaqueLink*;
    process::DynamicLibrary m_library;
    int (*m_create)(Handle*, unsigned, const char**) = nullptr;
    int (*m_destroy)(Handle*) = nullptr;
    int (*m_addData)(Handle, int, const void*, size_t, const char*) = nullptr;
    int (*m_complete)(Handle) = nullptr;
    int (*m_cubinSize)(Handle, size_t*) = nullptr;
    int (*m_cubin)(Handle, void*) = nullptr;
    int (*m_errorSize)(Handle, size_t*) = nullptr;
    int (*m_error)(Handle, char*) = nullptr;
    int (*m_infoSize)(Handle, size_t*) = nullptr;
    int (*m_info)(Handle, char*) = nullptr;
};

} // namespace kernelarium::compile
