// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/DuckDbWriter.h"

#include "core/duckdb/Library.h"

using namespace kernelarium::duckdb;

std::string duckDbMissing() {
    const auto loaded = library();
    return loaded ? std::string() : loaded.error().text() + " " + loaded.error().detail;
}

std::string duckDbRun(const std::string& sql) {
    const auto loaded = library();
    if (!loaded) return loaded.error().text();
    const Functions& api = (*loaded)->functions;
    Handle config = nullptr;
    Handle database = nullptr;
    Handle connection = nullptr;
    Handle prepared = nullptr;
    Handle pending = nullptr;
    RawResult result{};
    std::string problem;
    const auto said = [&](const char* message) { problem = message != nullptr ? message : "failed"; };
    api.create_config(&config);
    if (api.open_ext(nullptr, &database, config, nullptr) != 0 || api.connect(database, &connection) != 0)
        said("cannot open a database");
    else if (api.prepare(connection, sql.c_str(), &prepared) != 0)
        said(api.prepare_error(prepared));
    else if (api.pending_prepared_streaming(prepared, &pending) != 0)
        said(api.pending_error(pending));
    else if (api.execute_pending(pending, &result) != 0)
        said(api.result_error(&result));
    api.destroy_result(&result);
    api.destroy_pending(&pending);
    api.destroy_prepare(&prepared);
    api.disconnect(&connection);
    api.close(&database);
    api.destroy_config(&config);
    return problem;
}
