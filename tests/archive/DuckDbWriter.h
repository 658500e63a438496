// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

/// Why no Parquet can be written or read here; empty when it can.
std::string duckDbMissing();

/// Runs one statement in an unconfined database in memory, as another program would that writes Parquet
/// files. Empty when it went well, else DuckDB's message.
std::string duckDbRun(const std::string& sql);
