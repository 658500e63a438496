// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/kept/KeptUnits.h"

#include "core/files/CacheFolder.h"
#include "core/files/FileIdentity.h"
#include "core/files/Sha256.h"
#include "core/quantities/Quantities.h"

#include <cstdlib>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <system_error>

namespace kernelarium::protocol {

namespace {

constexpr const char* form = "unit 1"; ///< of what is kept and of its name

std::mutex ofProcessMutex;
std::shared_ptr<KeptUnits>& unitsOfProcess() {
    static std::shared_ptr<KeptUnits> units;
    return units;
}

} // namespace

void KeptUnits::setOfProcess(std::shared_ptr<KeptUnits> units) {
    const std::lock_guard lock(ofProcessMutex);
    unitsOfProcess() = std::move(units);
}

std::shared_ptr<KeptUnits> KeptUnits::ofProcess() {
    const std::lock_guard lock(ofProcessMutex);
    return unitsOfProcess();
}

std::filesystem::path KeptUnits::standardFolder() {
    if (const char* named = std::getenv("KERNELARIUM_COMPILED"); named != nullptr && *named != '\0')
        return *named == '/' ? std::filesystem::path(named) : std::filesystem::path();
    const std::filesystem::path folder = files::cacheFolder();
    return folder.empty() ? folder : folder / "compiled";
}

std::vector<std::string> KeptUnits::makersOf(const toolkit::Parts& parts, const std::string& program) {
    std::vector<std::string> makers{form, files::fileIdentity(program)};
    if (makers.back().empty()) return {};
    for (const toolkit::Part part : toolkit::allParts) {
        if (part == toolkit::Part::headers) continue; // units that read them are not kept
        const std::string path = of(parts, part), identity = files::fileIdentity(path);
        if (identity.empty() && !path.empty()) return {}; // what only the loader finds may be another one next time
        makers.push_back(path + " " + identity);
    }
    return makers;
}

KeptUnits::Key KeptUnits::keyOf(nlohmann::json request, const std::string& toolkit, const std::string& program) {
    if (!m_cache.check() || m_cache.limit() == 0) return {};
    const std::string source = request.value("source", "");
    for (const char* clock : {"__DATE__", "__TIME__", "__TIMESTAMP__"})
        if (source.find(clock) != std::string::npos) return {};
    Key key{{}, makersOf(toolkit::findToolkits(toolkit).used, program)};
    std::error_code problem;
    request["folder"] = std::filesystem::current_path(problem).string(); // PTX names it
    if (problem || key.madeBy.empty()) return {};
    request["made_by"] = key.madeBy;
    key.name = files::toHex(files::sha256(request.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
    return key;
}

std::optional<nlohmann::json> KeptUnits::find(const Key& key) {
    const std::optional<std::string> text = key.name.empty() ? std::nullopt : m_cache.find(key.name);
    if (!text) return std::nullopt;
    nlohmann::json answer = nlohmann::json::parse(*text, nullptr, false);
    if (!answer.is_object()) return std::nullopt;
    answer["kept"] = true;
    return answer;
}

void KeptUnits::keep(const Key& key, const nlohmann::json& answer) {
    const auto says = [&answer](const char* name, const nlohmann::json& value) {
        const auto at = answer.find(name);
        return at != answer.end() && *at == value;
    };
    if (key.name.empty() || !says("ok", true) || says("reads_toolkit", true) || !says("made_by", key.madeBy)) return;
    m_cache.keep(key.name, answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string keptText(const files::BoundedCache& cache) {
    if (cache.folder().empty())
        return "Compiled kernels are not kept: neither KERNELARIUM_COMPILED nor XDG_CACHE_HOME or HOME names a folder.";
    if (const Result<void> fine = cache.check(); !fine) return "Compiled kernels are not kept. " + fine.error().text();
    const std::uint64_t limit = cache.limit();
    if (limit == 0) return "Compiled kernels are not kept.";
    const files::BoundedCache::Contents contents = cache.contents();
    return fmt::format("{} compiled {} kept in {}: {} of at most {}.", contents.texts,
                       contents.texts == 1 ? "kernel is" : "kernels are", cache.folder().string(),
                       quantities::bytes(double(contents.bytes)), quantities::bytes(double(limit)));
}

} // namespace kernelarium::protocol
