// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace kernelarium::duckdb {

/// DuckDB's C API as of version 1.2 (its stable part), as far as it is used here: opaque handles, and two
/// structures whose layout that API fixes.
using Handle = void*;

struct RawResult {
    std::uint64_t deprecated[3];
    void* deprecatedColumns;
    char* deprecatedError;
    void* internal;
};

/// A text of up to 12 bytes stands in its place, a longer one elsewhere.
union RawString {
    struct {
        std::uint32_t length;
        char text[12];
    } inlined;
    struct {
        std::uint32_t length;
        char prefix[4];
        const char* text;
    } elsewhere;
};
static_assert(sizeof(RawString) == 16);

/// The functions of a loaded library. Names and parameters are those of DuckDB's C API without `duckdb_`; a
/// state is 0 for success.
struct Functions {
    const char* (*library_version)() = nullptr;
    int (*create_config)(Handle*) = nullptr;
    int (*set_config)(Handle, const char*, const char*) = nullptr;
    void (*destroy_config)(Handle*) = nullptr;
    int (*open_ext)(const char*, Handle*, Handle, char**) = nullptr;
    void (*close)(Handle*) = nullptr;
    int (*connect)(Handle, Handle*) = nullptr;
    void (*disconnect)(Handle*) = nullptr;
    void (*interrupt)(Handle) = nullptr;
    void (*free)(void*) = nullptr;
    int (*prepare)(Handle, const char*, Handle*) = nullptr;
    const char* (*prepare_error)(Handle) = nullptr;
    void (*destroy_prepare)(Handle*) = nullptr;
    int (*pending_prepared_streaming)(Handle, Handle*) = nullptr;
    const char* (*pending_error)(Handle) = nullptr;
    int (*execute_pending)(Handle, RawResult*) = nullptr;
    void (*destroy_pending)(Handle*) = nullptr;
    const char* (*result_error)(RawResult*) = nullptr;
    void (*destroy_result)(RawResult*) = nullptr;
    Handle (*fetch_chunk)(RawResult) = nullptr;
    void (*destroy_data_chunk)(Handle*) = nullptr;
    std::uint64_t (*data_chunk_get_size)(Handle) = nullptr;
    std::uint64_t (*data_chunk_get_column_count)(Handle) = nullptr;
    Handle (*data_chunk_get_vector)(Handle, std::uint64_t) = nullptr;
    void* (*vector_get_data)(Handle) = nullptr;
    std::uint64_t* (*vector_get_validity)(Handle) = nullptr;
};

struct Library {
    Functions functions;
    std::string version;        ///< "v1.2.0"
    std::filesystem::path path; ///< or the name under which the system found it
};

/// DuckDB's library, loaded on the first successful call and kept. $KERNELARIUM_DUCKDB names one and only
/// that one is tried then; else the system's libduckdb.so, then lib/kernelarium/libduckdb.so beside the
/// program's bin folder, where packaging/setup puts it. Error "missing_component" when there is none, or only
/// ones older than 1.2; the detail says what was wrong with each.
Result<const Library*> library();

/// The library at `path`, whatever else is there; for tests of the refusals. Error "missing_component".
Result<Library> loadLibrary(const std::string& path);

} // namespace kernelarium::duckdb
