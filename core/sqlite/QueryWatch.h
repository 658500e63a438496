// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>

struct sqlite3;

namespace kernelarium::sqlite {

/// Ends a query that asks for more steps of SQLite's machine than its file's size explains, or waits longer for a row:
/// whatever the program asks of a sound file takes a few steps a byte at most, while the same page in a thousand places
/// of a table, say, has no end. Also ends queries whose caller wants them no more. Its address is the connection's: it
/// stays where it is.
class QueryWatch {
public:
    QueryWatch(sqlite3* connection, std::filesystem::path file);
    QueryWatch(const QueryWatch&) = delete;
    QueryWatch& operator=(const QueryWatch&) = delete;

    /// While it lives, the steps of the connection are added to this count.
    class Counting {
    public:
        Counting(QueryWatch& watch, std::uint64_t& steps)
            : m_watch(watch) {
            watch.m_steps = &steps;
            watch.m_began.reset();
        }
        ~Counting() { m_watch.m_steps = &m_watch.m_others; }
        Counting(const Counting&) = delete;
        Counting& operator=(const Counting&) = delete;

    private:
        QueryWatch& m_watch;
    };

    void endWith(std::stop_token stop) { m_stop = std::move(stop); }
    /// Whether the query that was interrupted last had come to its limit; else its caller stopped it.
    [[nodiscard]] bool isExhausted() const { return m_exhausted; }

private:
    static int look(void* self); ///< SQLite's progress handler
    [[nodiscard]] bool isTooMuch(std::uint64_t steps);

    std::filesystem::path m_file;
    std::stop_token m_stop;
    std::uint64_t m_others = 0; ///< steps of what is no statement: reading the schema
    std::uint64_t* m_steps = &m_others;
    std::uint64_t m_bytes = 0;     ///< of the file when it was last looked at
    std::optional<double> m_began; ///< this thread's seconds when the wait for this row was first looked at
    bool m_exhausted = false;
};

} // namespace kernelarium::sqlite
