// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/BoundedCache.h"
#include "core/toolkit/FoundToolkits.h"

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::protocol {

/// Compiled units, kept across processes: a text that was compiled before, by the same program, toolkit and options, is
/// not compiled again. They are written by the compile child's parent, not by the child, which reads texts that nobody
/// has read. Sources that take headers from folders of the user are compiled each time: what they include may change.
class KeptUnits {
public:
    explicit KeptUnits(std::filesystem::path folder)
        : m_cache(std::move(folder)) {}

    /// Those of this process, if any: programs set them once, before they compile; tests have none.
    static void setOfProcess(std::shared_ptr<KeptUnits> units);
    static std::shared_ptr<KeptUnits> ofProcess();
    /// $KERNELARIUM_COMPILED, an absolute path or "none", else below files::cacheFolder(); empty: none are kept.
    static std::filesystem::path standardFolder();

    /// What is known of the files that a unit is made by: the program that runs the compile child, the parts of the
    /// toolkit. Empty where one of them cannot be told from another version of it.
    static std::vector<std::string> makersOf(const toolkit::Parts& parts, const std::string& program);

    /// What an answer of the compile child is kept under.
    struct Key {
        std::string name; ///< empty: it is not kept
        std::vector<std::string> madeBy;
    };
    /// `request`: all that the answer depends on but the files of this machine; its `source` is looked at. `toolkit`:
    /// folder of the CUDA toolkit that is asked for, or empty. `program` runs the child.
    [[nodiscard]] Key keyOf(nlohmann::json request, const std::string& toolkit, const std::string& program);
    /// The answer (unitToJson), marked "kept".
    [[nodiscard]] std::optional<nlohmann::json> find(const Key& key);
    /// Only units that are ok, since one that is not is told quickly; that read no header of the toolkit's, which may
    /// change in place; and that were made by what the key says: a child that was started before an upgrade is not.
    void keep(const Key& key, const nlohmann::json& answer);

    [[nodiscard]] files::BoundedCache& cache() { return m_cache; }

private:
    files::BoundedCache m_cache;
};

/// What a cache of compiled kernels holds, in a line, for the command line and the window alike.
[[nodiscard]] std::string keptText(const files::BoundedCache& cache);

} // namespace kernelarium::protocol
