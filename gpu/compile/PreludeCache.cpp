// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/PreludeCache.h"

#include "gpu/compile/CompilerHeap.h"
#include "gpu/compile/NamedParts.h"

#include <malloc.h>
#include <utility>

namespace kernelarium::compile {

namespace {

std::string textOf(PreludeCache::Prelude kind) {
    const bool isShort = kind == PreludeCache::Prelude::shortPlain || kind == PreludeCache::Prelude::shortTorch;
    return (isShort ? withoutNamedParts : "") + ("#include \"" + std::string(PreludeCache::headerOf(kind)) + "\"\n");
}

} // namespace

const char* PreludeCache::headerOf(Prelude kind) {
    switch (kind) {
    case Prelude::torch:
    case Prelude::shortTorch: return "kernelarium/unit_torch.h";
    case Prelude::program: return "kernelarium/unit_program.h";
    default: return "kernelarium/unit_plain.h";
    }
}

PreludeCache::PreludeCache() {
    files::ScratchFolder::removeAbandoned(); // a killed process leaves up to 170 MB
}

bool PreludeCache::haveFolder() {
    if (m_folderTried) return m_folder.has_value();
    m_folderTried = true;
    Result<files::ScratchFolder> folder = files::ScratchFolder::make("kernelarium-pch-");
    if (!folder) return false;
    m_folder.emplace(std::move(*folder));
    return true;
}

std::string PreludeCache::prepared(const Nvrtc& nvrtc, const std::vector<std::string>& options,
                                   const std::string& prelude) {
    std::string key = prelude;
    for (const std::string& option : options)
        key += "\n" + option;
    const auto [known, isFirst] = m_names.try_emplace(key);
    if ((isFirst && !m_expectsMany) || (!known->second && !haveFolder())) return {};
    if (known->second) return *known->second;
    const std::string name = "prelude" + std::to_string(m_made++) + ".pch";
    std::vector<std::string> making = options;
    making.push_back("--pch-dir=" + m_folder->path().string());
    making.push_back("--create-pch=" + name);
    making.emplace_back("--pch-messages=false");
    // The one that says what the front end says early would not say whether it can.
    Nvrtc::Following finding{{}, {}, FrontEndMessages::Way::finding};
    if (!m_logIsEarly) finding.early = [this](const std::string& log) { m_logIsEarly = !log.empty(); };
    const bool made = nvrtc.compile(prelude + "#warning\n", making, {}, finding).ok;
    ::malloc_trim(0); // writing it took as much memory again, which each copy of the process would have to know of
    return *(known->second = made ? name : std::string());
}

Nvrtc::Output PreludeCache::compile(const Nvrtc& nvrtc, const std::string& source,
                                    const std::vector<std::string>& options, Prelude kind,
                                    const std::map<std::string, std::string>& headers, Nvrtc::Following following) {
    const std::string prelude = textOf(kind) + "#pragma nv_hdrstop\n";
    std::vector<std::string> all = options;
    if (const std::string name = prepared(nvrtc, options, prelude); !name.empty()) {
        all.push_back("--pch-dir=" + m_folder->path().string());
        all.push_back("--use-pch=" + name);
        all.emplace_back("--pch-messages=false");
    }
    if (m_logIsEarly) following.way = FrontEndMessages::Way::asked;
    return nvrtc.compile(prelude + "#line 1 \"kernel.cu\"\n" + source, all, headers, following);
}

bool PreludeCache::prepareNext() {
    if (m_made == 0) return false;
    readyHeaps();
    return true;
}

} // namespace kernelarium::compile
