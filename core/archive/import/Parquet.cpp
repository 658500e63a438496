// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/import/Parquet.h"

#include "core/archive/import/ParquetColumns.h"
#include "core/files/FileIdentity.h"

#include <array>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kernelarium::archive {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t smallestParquet = 12; ///< the magic bytes twice and the footer's length
constexpr std::string_view parquetMagic = "PAR1";
constexpr std::string_view encryptedMagic = "PARE";

Error badParquet(const fs::path& path, std::string_view why, std::string action = {}) {
    if (action.empty()) action = "Fetch or write it again.";
    return {"bad_parquet", fmt::format("{} cannot be read: {}.", path.string(), why), std::move(action)};
}

Error unreadableParquet(const fs::path& path, int code) {
    return {"unreadable_file", fmt::format("{} cannot be read: {}.", path.string(), std::strerror(code)),
            "Check the file's name and that you may read it."};
}

std::string fourBytes(int descriptor, std::uint64_t at) {
    std::array<char, 4> bytes{};
    return pread(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(at)) == 4
               ? std::string(bytes.data(), bytes.size())
               : std::string();
}

/// What the file's two ends say, before DuckDB is asked.
Result<void> checkEnds(int descriptor, std::uint64_t size, const fs::path& path) {
    if (size == 0) return badParquet(path, "the file is empty");
    const std::string head = fourBytes(descriptor, 0);
    if (head == encryptedMagic || (size >= 4 && fourBytes(descriptor, size - 4) == encryptedMagic))
        return Error{"unsupported", fmt::format("{} is an encrypted Parquet file.", path.string()),
                     "Write it again without encryption."};
    if (head != parquetMagic) return badParquet(path, "it is not a Parquet file");
    if (size < smallestParquet || fourBytes(descriptor, size - 4) != parquetMagic)
        return badParquet(path, "it is truncated: its end is missing");
    return {};
}

/// The first line of DuckDB's message, without its kind, naming the file as the reader knows it.
std::string reasonOf(const Error& error, const std::string& table, const fs::path& path) {
    std::string reason = error.detail.substr(0, error.detail.find('\n'));
    for (std::size_t at = 0; (at = reason.find(table, at)) != std::string::npos; at += path.string().size())
        reason.replace(at, table.size(), path.string());
    while (!reason.empty() && (reason.back() == '.' || reason.back() == ' '))
        reason.pop_back();
    return reason;
}

} // namespace

struct ParquetSource::State {
    explicit State(int opened)
        : descriptor(opened) {}
    ~State() {
        rows.reset(); // before the connection that they come from
        connection.reset();
        if (descriptor >= 0) ::close(descriptor);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    fs::path path;
    int descriptor;
    std::string file; ///< the name under which DuckDB reads it: it cannot be taken for a pattern or an address
    std::uint64_t bytes = 0;
    std::uint64_t total = 0;
    std::uint64_t position = 0; ///< rows read
    std::optional<duckdb::Connection> connection;
    std::optional<ParquetColumns> columns;
    std::optional<duckdb::Rows> rows;

    [[nodiscard]] std::string table() const {
        return fmt::format("read_parquet({}, hive_partitioning = false)", duckdb::sqlText(file));
    }

    [[nodiscard]] Error explained(const Error& error) const {
        if (error.code == "cancelled" || error.code == "missing_component") return error;
        const std::string reason = reasonOf(error, file, path);
        if (error.code == "out_of_memory")
            return {"out_of_memory",
                    fmt::format("{} takes more memory to read than is allowed: {}.", path.string(), reason),
                    "Write it again with smaller row groups, or import it as JSON lines."};
        return badParquet(path, reason);
    }

    /// The first column of a query's rows, as text.
    Result<std::vector<std::vector<std::string>>> texts(const std::string& sql, std::size_t width) {
        auto result = connection->query(sql);
        if (!result) return explained(result.error());
        std::vector<std::vector<std::string>> list;
        while (true) {
            auto more = result->next();
            if (!more) return explained(more.error());
            if (!*more) return list;
            auto& row = list.emplace_back();
            for (std::size_t i = 0; i < width; ++i)
                row.emplace_back(result->isNull(i) ? std::string_view() : result->text(i));
        }
    }

    Result<void> readSchema();
    Result<std::set<std::string>> columnsWithoutValues(const std::vector<std::string>& names);
};

Result<std::set<std::string>> ParquetSource::State::columnsWithoutValues(const std::vector<std::string>& names) {
    std::set<std::string> empty;
    for (const auto& name : names) {
        auto counted =
            texts(fmt::format("SELECT CAST(count({}) AS VARCHAR) FROM {}", duckdb::sqlName(name), table()), 1);
        if (!counted) return counted.error();
        if (counted->front().front() == "0") empty.insert(name);
    }
    return empty;
}

Result<void> ParquetSource::State::readSchema() {
    auto described = texts(fmt::format("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {})", table()), 2);
    if (!described) return described.error();
    auto stored = texts(fmt::format("SELECT name FROM parquet_schema({})", duckdb::sqlText(file)), 1);
    if (!stored) return stored.error();
    std::set<std::string> names;
    for (const auto& row : *stored)
        names.insert(row.front());
    std::vector<ParquetColumns::Column> found;
    for (const auto& row : *described) {
        // DuckDB numbers names that differ in nothing but case.
        if (!names.contains(row[0])) return badParquet(path, "two of its columns have names that differ only in case");
        found.push_back({row[0], row[1]});
    }
    auto counted =
        texts(fmt::format("SELECT CAST(num_rows AS VARCHAR) FROM parquet_file_metadata({})", duckdb::sqlText(file)), 1);
    if (!counted) return counted.error();
    total = counted->empty() ? 0 : std::strtoull(counted->front().front().c_str(), nullptr, 10);
    auto empty = columnsWithoutValues(ParquetColumns::unexpected(found));
    if (!empty) return empty.error();
    auto planned = ParquetColumns::plan(found, *empty);
    if (!planned) return badParquet(path, planned.error().message, planned.error().action);
    columns = std::move(*planned);
    return {};
}

ParquetSource::ParquetSource(std::unique_ptr<State> state)
    : m_state(std::move(state)) {}
ParquetSource::~ParquetSource() = default;
ParquetSource::ParquetSource(ParquetSource&&) noexcept = default;
ParquetSource& ParquetSource::operator=(ParquetSource&&) noexcept = default;

Result<ParquetSource> ParquetSource::open(const fs::path& path, std::uint64_t memoryMb) {
    auto state = std::make_unique<State>(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (state->descriptor < 0) return unreadableParquet(path, errno);
    struct stat status {};
    if (fstat(state->descriptor, &status) != 0) return unreadableParquet(path, errno);
    if (S_ISDIR(status.st_mode)) return unreadableParquet(path, EISDIR);
    if (!S_ISREG(status.st_mode)) return badParquet(path, "Parquet is read from its end, which only a file has");
    state->path = path;
    state->bytes = static_cast<std::uint64_t>(status.st_size);
    state->file = fmt::format("/proc/self/fd/{}", state->descriptor);
    if (auto ends = checkEnds(state->descriptor, state->bytes, path); !ends) return ends.error();
    duckdb::Confinement confinement;
    confinement.file = state->file;
    confinement.memoryMb = memoryMb;
    auto connection = duckdb::Connection::open(confinement);
    if (!connection) return state->explained(connection.error());
    state->connection = std::move(*connection);
    if (auto schema = state->readSchema(); !schema) return schema.error();
    return ParquetSource(std::move(state));
}

Result<RowStatus> ParquetSource::next(SourceRow& row, SourceProblem& problem, const std::stop_token& stop) {
    State& state = *m_state;
    if (!state.rows) {
        auto rows = state.connection->query(
            fmt::format("SELECT {} FROM {} OFFSET {}", state.columns->selection(), state.table(), state.position),
            stop);
        if (!rows && rows.error().code == "cancelled") return RowStatus::stopped;
        if (!rows) return state.explained(rows.error());
        state.rows = std::move(*rows);
    }
    auto more = state.rows->next(stop);
    if (!more && more.error().code == "cancelled") return RowStatus::stopped;
    if (!more) return state.explained(more.error());
    if (!*more) {
        if (state.position == state.total) return RowStatus::end;
        return badParquet(state.path, fmt::format("it ends after {} of {} rows", state.position, state.total));
    }
    ++state.position;
    problem.reason = state.columns->read(*state.rows, row);
    problem.position = row.position = state.position;
    return problem.reason.empty() ? RowStatus::row : RowStatus::problem;
}

std::string ParquetSource::name() const {
    return m_state->path.filename().string();
}
std::uint64_t ParquetSource::bytesTotal() const {
    return m_state->bytes;
}
std::uint64_t ParquetSource::rowsTotal() const {
    return m_state->total;
}

std::uint64_t ParquetSource::bytesRead() const {
    if (m_state->total == 0) return m_state->bytes;
    return static_cast<std::uint64_t>(double(m_state->bytes) * double(m_state->position) / double(m_state->total));
}

std::string ParquetSource::identity() const {
    return files::fileIdentity(m_state->descriptor);
}

SourceMark ParquetSource::mark() const {
    return {bytesRead(), m_state->position};
}

Result<void> ParquetSource::resume(const SourceMark& mark) {
    if (mark.rows > m_state->total) return badParquet(m_state->path, "it has fewer rows than were read of it");
    m_state->position = mark.rows;
    return {};
}

} // namespace kernelarium::archive
