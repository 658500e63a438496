// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/PreludeCache.h"

#include <cstdlib>
#include <filesystem>

namespace kernelarium::compile {

namespace fs = std::filesystem;

PreludeCache::PreludeCache() {
    std::error_code failed;
    std::string pattern = (fs::temp_directory_path(failed) / "kernelarium-pch-XXXXXX").string();
    if (!failed && mkdtemp(pattern.data())) m_folder = pattern;
}

PreludeCache::~PreludeCache() {
    std::error_code ignored;
    if (!m_folder.empty()) fs::remove_all(m_folder, ignored);
}

std::string PreludeCache::prepared(const Nvrtc& nvrtc, const std::vector<std::string>& options, const std::string& prelude,
                                   bool torch) {
    if (m_folder.empty()) return {};
    std::string key = torch ? "torch" : "plain";
    for (const std::string& option : options) key += "\n" + option;
    if (const auto found = m_names.find(key); found != m_names.end()) return found->second;
    const std::string name = "prelude" + std::to_string(m_names.size()) + ".pch";
    std::vector<std::string> making = options;
    making.push_back("--pch-dir=" + m_folder);
    making.push_back("--create-pch=" + name);
    making.emplace_back("--pch-messages=false");
    const bool made = nvrtc.compile(prelude, making).ok;
    return m_names[key] = made ? name : std::string();
}

Nvrtc::Output PreludeCache::compile(const Nvrtc& nvrtc, const std::string& source, const std::vector<std::string>& options,
                                    bool torch) {
    const std::string prelude = std::string("#include \"kernelarium/") + (torch ? "unit_torch.h" : "unit_plain.h")
        + "\"\n#pragma nv_hdrstop\n";
    std::vector<std::string> all = options;
    if (const std::string name = prepared(nvrtc, options, prelude, torch); !name.empty()) {
        all.push_back("--pch-dir=" + m_folder);
        all.push_back("--use-pch=" + name);
        all.emplace_back("--pch-messages=false");
    }
    return nvrtc.compile(prelude + "#line 1 \"kernel.cu\"\n" + source, all);
}

} // namespace kernelarium::compile
