// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/ScratchFolder.h"
#include "gpu/compile/Nvrtc.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::compile {

/// Puts the shim before a source, precompiled where that is possible.
///
/// NVRTC's precompiled headers work only in the process that made them and only for the very same options, so there is
/// one for each set of options and prelude. Making one takes as long as a whole short kernel and 38 MB of disk, so that
/// a process which compiles once makes none: it is made when a second source asks for it, unless many are expected.
class PreludeCache {
public:
    PreludeCache();
    PreludeCache(const PreludeCache&) = delete;
    PreludeCache& operator=(const PreludeCache&) = delete;

    /// What is seen before a source's first line.
    enum class Prelude {
        plain,      ///< what nvcc itself provides
        program,    ///< that, and the C library that nvcc's own headers bring into a program
        torch,      ///< all of the shim: the source includes torch/extension.h or the like
        shortPlain, ///< these two without the named parts (NamedParts.h)
        shortTorch,
    };
    static const char* headerOf(Prelude kind); ///< the shim's header that stands for it

    /// From now on the first source of a kind makes what those behind it use.
    void expectMany() { m_expectsMany = true; }

    /// `headers`: names and texts of those that are not the shim's. How `following` hears the front end is chosen here.
    Nvrtc::Output compile(const Nvrtc& nvrtc, const std::string& source, const std::vector<std::string>& options,
                          Prelude prelude, const std::map<std::string, std::string>& headers = {},
                          Nvrtc::Following following = {});

    /// Between two sources: has done in the background what the next one would otherwise wait for. False where none was
    /// made yet, and nothing is done: this may be a process that compiles once.
    bool prepareNext();

private:
    /// Makes the folder where there is none yet; false where it cannot be made.
    bool haveFolder();
    /// Name of the precompiled header for these options; empty when they are new or it cannot be made.
    std::string prepared(const Nvrtc& nvrtc, const std::vector<std::string>& options, const std::string& prelude);

    std::optional<files::ScratchFolder> m_folder; ///< none until it is needed, or when it could not be made
    bool m_folderTried = false;
    bool m_expectsMany = false;
    bool m_logIsEarly = false; ///< NVRTC is known to give its log when its front end is through
    int m_made = 0;            ///< each gets a name of its own: NVRTC passes by one that was made for other options
    std::map<std::string, std::optional<std::string>> m_names; ///< by prelude and options; none: not tried yet
};

} // namespace kernelarium::compile
