// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/VerdictStore.h"

#include "core/audit/VerdictFile.h"
#include "core/audit/VerdictRows.h"

#include <cstdlib>
#include <unistd.h>

namespace kernelarium::audit {

namespace fs = std::filesystem;

struct VerdictStore::State {
    fs::path path;
    sqlite::Database database;
    archive::TextCodec codec = {};

    [[nodiscard]] VerdictRows rows() { return {database, codec}; }
};

VerdictStore::VerdictStore(std::unique_ptr<State> state)
    : m_state(std::move(state)) {}
VerdictStore::VerdictStore(VerdictStore&&) noexcept = default;
VerdictStore& VerdictStore::operator=(VerdictStore&&) noexcept = default;
VerdictStore::~VerdictStore() = default;

const fs::path& VerdictStore::path() const {
    return m_state->path;
}

Result<VerdictStore> VerdictStore::open(const fs::path& path) {
    return guardedVerdicts(path, [&] {
        if (path.has_parent_path()) fs::create_directories(path.parent_path());
        return VerdictStore(std::make_unique<State>(State{path, openVerdictsForWriting(path)}));
    });
}

Result<std::optional<VerdictStore>> VerdictStore::openExisting(const fs::path& path) {
    return guardedVerdicts(path, [&]() -> std::optional<VerdictStore> {
        std::error_code problem;
        if (!fs::exists(path, problem) || (fs::is_regular_file(path, problem) && fs::file_size(path, problem) == 0))
            return std::nullopt;
        inspectVerdicts(path, false);
        return VerdictStore(std::make_unique<State>(State{path, sqlite::openForReading(path)}));
    });
}

Result<void> VerdictStore::put(const JudgedKernel& kernel) {
    return guardedVerdicts(m_state->path, [&] {
        sqlite::Transaction transaction(m_state->database);
        m_state->rows().put(kernel);
        transaction.commit();
    });
}

Result<std::vector<StoredVerdict>> VerdictStore::all() {
    return guardedVerdicts(m_state->path, [&] { return m_state->rows().all(); });
}

Result<std::optional<StoredVerdict>> VerdictStore::find(const VerdictKey& key) {
    return guardedVerdicts(m_state->path, [&] { return m_state->rows().find(key); });
}

Result<std::optional<std::string>> VerdictStore::evidence(const VerdictKey& key) {
    return guardedVerdicts(m_state->path, [&] { return m_state->rows().evidence(key); });
}

Result<void> VerdictStore::forEach(const std::function<void(JudgedKernel)>& visit) {
    return guardedVerdicts(m_state->path, [&] { m_state->rows().forEach(visit); });
}

Result<VerdictStore::Merged>
VerdictStore::merge(const std::function<Result<void>(const std::function<void(const JudgedKernel&)>&)>& feed) {
    return guardedVerdicts(m_state->path, [&] {
        Merged merged;
        VerdictRows rows = m_state->rows();
        sqlite::Transaction transaction(m_state->database);
        const Result<void> fed = feed([&](const JudgedKernel& kernel) {
            const auto before = rows.find(kernel.verdict.key);
            if (before && before->timeMs >= kernel.verdict.timeMs) {
                ++merged.kept;
                return;
            }
            rows.put(kernel);
            ++(before ? merged.replaced : merged.added);
        });
        if (!fed) throw sqlite::Refusal{fed.error()};
        transaction.commit();
        return merged;
    });
}

fs::path verdictsPathFor(const fs::path& archive) {
    std::error_code problem;
    fs::path beside = archive;
    beside += ".verdicts";
    const fs::path folder = fs::absolute(archive, problem).parent_path();
    if (fs::exists(beside, problem) || ::access(folder.c_str(), W_OK) == 0) return beside;
    fs::path data;
    if (const char* xdg = std::getenv("XDG_DATA_HOME"); xdg != nullptr && *xdg == '/')
        data = xdg;
    else if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
        data = fs::path(home) / ".local/share";
    if (data.empty()) return beside;
    // Archives of the same name in several folders have files of their own.
    const std::string place = kernelarium::files::toHex(kernelarium::files::sha256(folder.string()), 8);
    return data / "kernelarium" / "verdicts" / (archive.filename().string() + "-" + place + ".verdicts");
}

} // namespace kernelarium::audit
