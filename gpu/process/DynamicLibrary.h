// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <string>

namespace kernelarium::process {

/// A shared library opened at run time; closed with the object.
class DynamicLibrary {
public:
    DynamicLibrary() = default;
    /// Error "missing_component" with the loader's own words as detail.
    static Result<DynamicLibrary> open(const std::string& path);
    DynamicLibrary(DynamicLibrary&& other) noexcept;
    DynamicLibrary& operator=(DynamicLibrary&& other) noexcept;
    ~DynamicLibrary();

    /// The loader's own; null for none.
    [[nodiscard]] void* handle() const { return m_handle; }
    /// Null when there is no such symbol.
    [[nodiscard]] void* symbol(const char* name) const;
    template <class F> bool find(const char* name, F& function) const {
        function = reinterpret_cast<F>(symbol(name));
        return function != nullptr;
    }

private:
    void* m_handle = nullptr;
};

} // namespace kernelarium::process
