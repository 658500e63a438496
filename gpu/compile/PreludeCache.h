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
/// one for each set of options and prelude, made on first use.
class PreludeCache {
public:
    PreludeCache();
    ~PreludeCache();
    PreludeCache(const PreludeCache&) = delete;
    PreludeCache& operator=(const PreludeCache&) = delete;

    /// `torch`: the source includes torch/extension.h or the like, so that all of the shim is seen before its first
    /// line. Otherwise only what nvcc itself provides is.
    Nvrtc::Output compile(const Nvrtc& nvrtc, const std::string& source, const std::vector<std::string>& options,
                          bool torch);

    /// A folder for other things of this process; empty where there is none.
    [[nodiscard]] std::string folder() const { return m_folder ? m_folder->path().string() : std::string(); }

private:
    /// Name of the precompiled header for these options; empty when it cannot be made.
    std::string prepared(const Nvrtc& nvrtc, const std::vector<std::string>& options, const std::string& prelude,
                         bool torch);

    std::optional<files::ScratchFolder> m_folder; ///< none when it could not be made
    int m_lock = -1;                              ///< a file in it that says that somebody is using it
    std::map<std::string, std::string> m_names;
};

} // namespace kernelarium::compile
