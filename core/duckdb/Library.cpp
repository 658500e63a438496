// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/duckdb/Library.h"

#include <charconv>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <vector>

namespace kernelarium::duckdb {
namespace {

namespace fs = std::filesystem;

constexpr int oldestMajor = 1;
constexpr int oldestMinor = 2; // the first that can be confined to one file (allowed_paths)

Error missing(std::string detail) {
    return {
        "missing_component", "Reading Parquet files needs DuckDB's library, 1.2 or newer.",
        "Run packaging/setup, which fetches it, or install libduckdb.so (on Debian the package kernelarium-duckdb), or name "
        "one in KERNELARIUM_DUCKDB.",
        std::move(detail)};
}

template <class Function> bool resolve(void* handle, const char* name, Function& function, std::string& absent) {
    const std::string symbol = std::string("duckdb_") + name;
    function = reinterpret_cast<Function>(dlsym(handle, symbol.c_str()));
    if (function == nullptr) absent += (absent.empty() ? "" : ", ") + symbol;
    return function != nullptr;
}

/// The names that the library lacks; empty when it has all.
std::string resolveAll(void* handle, Functions& f) {
    std::string absent;
    resolve(handle, "library_version", f.library_version, absent);
    resolve(handle, "create_config", f.create_config, absent);
    resolve(handle, "set_config", f.set_config, absent);
    resolve(handle, "destroy_config", f.destroy_config, absent);
    resolve(handle, "open_ext", f.open_ext, absent);
    resolve(handle, "close", f.close, absent);
    resolve(handle, "connect", f.connect, absent);
    resolve(handle, "disconnect", f.disconnect, absent);
    resolve(handle, "interrupt", f.interrupt, absent);
    resolve(handle, "free", f.free, absent);
    resolve(handle, "prepare", f.prepare, absent);
    resolve(handle, "prepare_error", f.prepare_error, absent);
    resolve(handle, "destroy_prepare", f.destroy_prepare, absent);
    resolve(handle, "pending_prepared_streaming", f.pending_prepared_streaming, absent);
    resolve(handle, "pending_error", f.pending_error, absent);
    resolve(handle, "execute_pending", f.execute_pending, absent);
    resolve(handle, "destroy_pending", f.destroy_pending, absent);
    resolve(handle, "result_error", f.result_error, absent);
    resolve(handle, "destroy_result", f.destroy_result, absent);
    resolve(handle, "fetch_chunk", f.fetch_chunk, absent);
    resolve(handle, "destroy_data_chunk", f.destroy_data_chunk, absent);
    resolve(handle, "data_chunk_get_size", f.data_chunk_get_size, absent);
    resolve(handle, "data_chunk_get_column_count", f.data_chunk_get_column_count, absent);
    resolve(handle, "data_chunk_get_vector", f.data_chunk_get_vector, absent);
    resolve(handle, "vector_get_data", f.vector_get_data, absent);
    resolve(handle, "vector_get_validity", f.vector_get_validity, absent);
    return absent;
}

/// "v1.5.6" or "1.5.6-dev7".
bool isNewEnough(std::string_view version) {
    if (version.starts_with('v')) version.remove_prefix(1);
    int major = 0;
    int minor = 0;
    const char* end = version.data() + version.size();
    const auto first = std::from_chars(version.data(), end, major);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != '.') return false;
    if (std::from_chars(first.ptr + 1, end, minor).ec != std::errc()) return false;
    return major > oldestMajor || (major == oldestMajor && minor >= oldestMinor);
}

std::vector<std::string> candidates() {
    if (const char* named = std::getenv("KERNELARIUM_DUCKDB"); named != nullptr && *named != '\0') return {named};
    std::vector<std::string> list{"libduckdb.so"};
    std::error_code code;
    const fs::path program = fs::read_symlink("/proc/self/exe", code);
    if (!code) list.push_back((program.parent_path().parent_path() / "lib/kernelarium/libduckdb.so").string());
    return list;
}

} // namespace

Result<Library> loadLibrary(const std::string& path) {
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* reason = dlerror();
        return missing(fmt::format("{}: {}", path, reason != nullptr ? reason : "cannot be loaded"));
    }
    Library loaded;
    loaded.path = path;
    const std::string absent = resolveAll(handle, loaded.functions);
    if (loaded.functions.library_version != nullptr) loaded.version = loaded.functions.library_version();
    if (absent.empty() && isNewEnough(loaded.version)) return loaded; // stays loaded: it keeps threads of its own
    std::string why = fmt::format("{}: ", path);
    if (loaded.version.empty())
        why += "is not DuckDB's library";
    else if (!isNewEnough(loaded.version))
        why += fmt::format("is version {}; {}.{} or newer is needed", loaded.version, oldestMajor, oldestMinor);
    else
        why += fmt::format("version {} lacks {}", loaded.version, absent);
    dlclose(handle);
    return missing(std::move(why));
}

Result<const Library*> library() {
    static std::mutex mutex;
    static std::optional<Library> loaded;
    const std::lock_guard lock(mutex);
    if (loaded) return &*loaded;
    std::string reasons;
    for (const auto& path : candidates()) {
        auto tried = loadLibrary(path);
        if (tried) {
            loaded = std::move(*tried);
            return &*loaded;
        }
        reasons += (reasons.empty() ? "" : "\n") + tried.error().detail;
    }
    return missing(std::move(reasons));
}

} // namespace kernelarium::duckdb
