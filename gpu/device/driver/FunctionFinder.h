// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/process/DynamicLibrary.h"

#include <string>
#include <vector>

namespace kernelarium::device {

/// Looks functions of a library up by name, remembering those that are missing.
class FunctionFinder {
public:
    explicit FunctionFinder(const process::DynamicLibrary& library)
        : m_library(library) {}
    template <class F> void operator()(const char* name, F& function) {
        if (!m_library.find(name, function)) m_missing.emplace_back(name);
    }
    [[nodiscard]] const std::vector<std::string>& missing() const { return m_missing; }

private:
    const process::DynamicLibrary& m_library;
    std::vector<std::string> m_missing;
};

} // namespace kernelarium::device
