// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/duckdb/Connection.h"

#include <array>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace kernelarium::duckdb {
namespace {

std::string doubled(std::string_view text, char quote) {
    std::string out(1, quote);
    for (const char c : text) {
        if (c == quote) out += quote;
        out += c;
    }
    return out + quote;
}

Error failed(const char* message) {
    const std::string text = message != nullptr ? message : "no reason given";
    if (text.starts_with("Out of Memory Error"))
        return {"out_of_memory", "DuckDB needs more memory than it may use.", {}, text};
    return {"query_failed", "DuckDB refused.", {}, text};
}

/// Sets what has to be known before the database is opened.
bool configure(const Functions& api, Handle config, const Confinement& confinement) {
    const std::string memory = fmt::format("{}MB", confinement.memoryMb);
    const std::string threads = std::to_string(confinement.threads);
    const std::array<std::pair<const char*, const char*>, 6> settings = {{{"autoinstall_known_extensions", "false"},
                                                                          {"autoload_known_extensions", "false"},
                                                                          {"memory_limit", memory.c_str()},
                                                                          {"threads", threads.c_str()},
                                                                          {"temp_directory", ""},
                                                                          {"preserve_insertion_order", "true"}}};
    for (const auto& [name, value] : settings)
        if (api.set_config(config, name, value) != 0) return false;
    return true;
}

} // namespace

struct Connection::State {
    const Functions* api = nullptr;
    Handle database = nullptr;
    Handle connection = nullptr;

    ~State() {
        if (connection != nullptr) api->disconnect(&connection);
        if (database != nullptr) api->close(&database);
    }
};

Connection::Connection(std::unique_ptr<State> state)
    : m_state(std::move(state)) {}
Connection::~Connection() = default;
Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;

Result<Connection> Connection::open(const Confinement& confinement) {
    auto loaded = library();
    if (!loaded) return loaded.error();
    auto state = std::make_unique<State>();
    const Functions& api = (*loaded)->functions;
    state->api = &api;
    Handle config = nullptr;
    char* message = nullptr;
    const bool made = api.create_config(&config) == 0 && configure(api, config, confinement) &&
                      api.open_ext(nullptr, &state->database, config, &message) == 0 &&
                      api.connect(state->database, &state->connection) == 0;
    api.destroy_config(&config);
    if (!made) {
        Error error = failed(message);
        error.message = fmt::format("DuckDB {} could not be started.", (*loaded)->version);
        if (message != nullptr) api.free(message);
        return error;
    }
    Connection connection(std::move(state));
    for (const std::string& sql :
         {fmt::format("SET allowed_paths = [{}]", sqlText(confinement.file)),
          std::string("SET enable_external_access = false"), std::string("SET lock_configuration = true")})
        if (auto done = connection.run(sql); !done) return done.error();
    return connection;
}

Result<void> Connection::run(const std::string& sql) {
    auto rows = query(sql);
    if (!rows) return rows.error();
    while (true) {
        auto more = rows->next();
        if (!more) return more.error();
        if (!*more) return {};
    }
}

struct Rows::State {
    const Functions* api = nullptr;
    Handle connection = nullptr;
    RawResult result{};
    Handle chunk = nullptr;
    std::uint64_t size = 0;
    std::uint64_t row = 0; ///< in the chunk
    std::vector<const void*> data;
    std::vector<const std::uint64_t*> validity;

    ~State() {
        if (chunk != nullptr) api->destroy_data_chunk(&chunk);
        api->destroy_result(&result);
    }

    void take(Handle fetched) {
        if (chunk != nullptr) api->destroy_data_chunk(&chunk);
        chunk = fetched;
        row = 0;
        size = api->data_chunk_get_size(chunk);
        data.clear();
        validity.clear();
        for (std::uint64_t i = 0; i < api->data_chunk_get_column_count(chunk); ++i) {
            Handle vector = api->data_chunk_get_vector(chunk, i);
            data.push_back(api->vector_get_data(vector));
            validity.push_back(api->vector_get_validity(vector));
        }
    }

    template <class T> [[nodiscard]] const T& at(std::size_t column) const {
        return static_cast<const T*>(data[column])[row];
    }
};

Result<Rows> Connection::query(const std::string& sql, const std::stop_token& stop) {
    const Functions& api = *m_state->api;
    const std::stop_callback interrupt(stop, [&] { api.interrupt(m_state->connection); });
    Handle prepared = nullptr;
    if (api.prepare(m_state->connection, sql.c_str(), &prepared) != 0) {
        Error error = failed(api.prepare_error(prepared));
        api.destroy_prepare(&prepared);
        return error;
    }
    auto state = std::make_unique<Rows::State>();
    state->api = &api;
    state->connection = m_state->connection;
    Handle pending = nullptr;
    std::optional<Error> problem;
    if (api.pending_prepared_streaming(prepared, &pending) != 0)
        problem = failed(api.pending_error(pending));
    else if (api.execute_pending(pending, &state->result) != 0)
        problem = failed(api.result_error(&state->result));
    api.destroy_pending(&pending);
    api.destroy_prepare(&prepared);
    if (stop.stop_requested()) return Error{"cancelled", "The query was cancelled."};
    if (problem) return *problem;
    return Rows(std::move(state));
}

Rows::Rows(std::unique_ptr<State> state)
    : m_state(std::move(state)) {}
Rows::~Rows() = default;
Rows::Rows(Rows&&) noexcept = default;
Rows& Rows::operator=(Rows&&) noexcept = default;

Result<bool> Rows::next(const std::stop_token& stop) {
    State& state = *m_state;
    if (state.chunk != nullptr && ++state.row < state.size) return true;
    const std::stop_callback interrupt(stop, [&] { state.api->interrupt(state.connection); });
    while (true) {
        if (stop.stop_requested()) return Error{"cancelled", "The query was cancelled."};
        Handle chunk = state.api->fetch_chunk(state.result);
        if (chunk == nullptr) break;
        state.take(chunk);
        if (state.size > 0) return true;
    }
    if (stop.stop_requested()) return Error{"cancelled", "The query was cancelled."};
    if (const char* message = state.api->result_error(&state.result); message != nullptr && *message != '\0')
        return failed(message);
    return false;
}

bool Rows::isNull(std::size_t column) const {
    const std::uint64_t* valid = m_state->validity[column];
    return valid != nullptr && (valid[m_state->row / 64] >> (m_state->row % 64) & 1) == 0;
}

bool Rows::boolean(std::size_t column) const {
    return m_state->at<std::uint8_t>(column) != 0;
}

std::int64_t Rows::integer(std::size_t column) const {
    return m_state->at<std::int64_t>(column);
}

double Rows::real(std::size_t column) const {
    return m_state->at<double>(column);
}

std::string_view Rows::text(std::size_t column) const {
    const auto& raw = m_state->at<RawString>(column);
    const std::uint32_t length = raw.inlined.length; // the same place in both forms
    return {length <= sizeof(raw.inlined.text) ? raw.inlined.text : raw.elsewhere.text, length};
}

std::string sqlText(std::string_view text) {
    return doubled(text, '\'');
}

std::string sqlName(std::string_view name) {
    return doubled(name, '"');
}

} // namespace kernelarium::duckdb
