// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/ArchiveContent.h"

#include "core/archive/store/Archive.h"

#include <map>
#include <nlohmann/json.hpp>

using namespace kernelarium::archive;
namespace files = kernelarium::files;

namespace {
template <class T> nlohmann::json orNull(const std::optional<T>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
}
} // namespace

std::string contentOf(const std::filesystem::path& path) {
    auto archive = Archive::open(path);
    if (!archive) return {};
    auto kernels = archive->list();
    if (!kernels) return {};
    std::map<std::string, std::string> lines;
    for (const auto& k : *kernels) {
        nlohmann::json line = {{"op", k.opName},
                               {"level", k.level},
                               {"task", k.task},
                               {"name", k.name},
                               {"hash", files::toHex(k.codeHash)},
                               {"runtime", orNull(k.runtime)},
                               {"native", orNull(k.nativeRuntime)},
                               {"compile", orNull(k.compileRuntime)},
                               {"speedup native", orNull(k.speedupNative)},
                               {"speedup compile", orNull(k.speedupCompile)},
                               {"correct", orNull(k.correct)},
                               {"max diff", orNull(k.maxDiff)},
                               {"error kind", errorKindWord(k.errorKind)},
                               {"index", orNull(k.originalIndex)},
                               {"extra", archive->extraJson(k.id).value()}};
        for (const auto& info : textKinds)
            line[std::string(info.published)] = orNull(archive->text(k.id, info.kind).value());
        lines[k.label() + files::toHex(k.codeHash)] = line.dump();
    }
    std::string all;
    for (const auto& [key, line] : lines)
        all += line + "\n";
    return all;
}
