// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/compile/FrontEndMessages.h"
#include "gpu/process/DynamicLibrary.h"

#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::compile {

/// NVRTC, loaded at run time. The prototypes are those of nvrtc.h, declared here so that building needs no toolkit.
class Nvrtc {
public:
    /// "missing_component" when it cannot be loaded or is older than 12.8.
    static Result<std::unique_ptr<Nvrtc>> load(const std::string& path);

    struct Output {
        bool ok = false;
        std::string ptx;
        std::string log;
        std::string failure; ///< NVRTC's name of the status, empty when it is plain compile errors or success
    };
    /// How a run is followed while it lasts.
    struct Following {
        std::stop_token stop; ///< looked at between NVRTC's stages; a run that was stopped has failed
        /// Called in the calling thread with what the front end says, while code is generated. Not where it did not
        /// come so far (an error may still be among the messages), nor where givesEarly() is false.
        std::function<void(const std::string& log)> early;
        FrontEndMessages::Way way; ///< in which `early` hears it
    };

    /// Whether this NVRTC can be followed (12.8 cannot be in all of its releases).
    [[nodiscard]] bool givesEarly() const { return m_setFlow != nullptr; }

    /// Compiles a program named "kernel.cu". The headers are those of the shim and `more` (names and texts), and files
    /// below the -I folders of the options (FileReach). Nothing else is opened: NVRTC's own calls are checked, and
    /// where the kernel has Landlock it refuses them, too.
    Output compile(const std::string& source, const std::vector<std::string>& options,
                   const std::map<std::string, std::string>& more = {}, const Following& following = {}) const;

    [[nodiscard]] int major() const { return m_major; }
    [[nodiscard]] int minor() const { return m_minor; }

private:
    using Program = struct OpaqueProgram*;
    void openBuiltins(const std::string& path);
    Output compileWithin(const std::string& source, const std::vector<std::string>& options,
                         const std::map<std::string, std::string>& more, FrontEndMessages& messages) const;

    process::DynamicLibrary m_builtins; ///< NVRTC's own second library
    process::DynamicLibrary m_library;
    int m_major = 0;
    int m_minor = 0;
    bool m_checked = false; ///< its calls that open files are checked
    std::vector<const char*> m_headerNames;
    std::vector<const char*> m_headerTexts;

    const char* (*m_errorString)(int) = nullptr;
    int (*m_version)(int*, int*) = nullptr;
    int (*m_create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
    int (*m_destroy)(Program*) = nullptr;
    int (*m_setFlow)(Program, int (*)(void*, void*), void*) = nullptr; ///< null: this release has none
    int (*m_compile)(Program, int, const char* const*) = nullptr;
    int (*m_logSize)(Program, size_t*) = nullptr;
    int (*m_log)(Program, char*) = nullptr;
    int (*m_ptxSize)(Program, size_t*) = nullptr;
    int (*m_ptx)(Program, char*) = nullptr;
};

} // namespace kernelarium::compile
