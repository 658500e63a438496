// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>
#include <filesystem>
#include <sqlite3.h>
#include <string>

/// Changes an SQLite file as a tool of somebody else's does; fails the test where SQLite refuses.
inline void executeRaw(const std::filesystem::path& file, const std::string& sql) {
    sqlite3* handle = nullptr;
    QCOMPARE(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
    char* message = nullptr;
    sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &message);
    QVERIFY2(message == nullptr, message);
    sqlite3_close(handle);
}

/// The first column of the last row that a query finds; empty where it finds none.
inline std::string readRaw(const std::filesystem::path& file, const char* sql) {
    sqlite3* handle = nullptr;
    sqlite3_open(file.c_str(), &handle);
    std::string text;
    sqlite3_exec(
        handle, sql,
        [](void* to, int, char** values, char**) {
            *static_cast<std::string*>(to) = values[0] != nullptr ? values[0] : "";
            return 0;
        },
        &text, nullptr);
    sqlite3_close(handle);
    return text;
}
