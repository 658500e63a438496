// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/import/Import.h"
#include "core/archive/import/JsonLines.h"
#include "core/archive/store/Archive.h"

#include <QTemporaryDir>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// Fails the test with the error's text; evaluates `result` once.
#define REQUIRE_OK(result)                                                                                             \
    do {                                                                                                               \
        const auto& checkedResult = (result);                                                                          \
        QVERIFY2(checkedResult.ok(), checkedResult.ok() ? "" : checkedResult.error().text().c_str());                  \
    } while (false)

/// A temporary folder with rows and archives in it.
class ArchiveFixture {
public:
    [[nodiscard]] std::filesystem::path path(const std::string& name) const;
    std::filesystem::path write(const std::string& name, const std::string& content) const;
    std::filesystem::path writeRows(const std::string& name, const std::vector<nlohmann::json>& rows) const;

private:
    QTemporaryDir m_folder;
};

/// A row with the columns that are required, and the name, level and task given.
nlohmann::json plainRow(const std::string& name, int level = 1, int task = 1);

/// `count` rows that differ in every column, reproducibly: with missing values, errors, profiles, equal
/// numbers.
std::vector<nlohmann::json> variedRows(int count);

kernelarium::Result<kernelarium::archive::ImportReport>
importFiles(const std::filesystem::path& archive, const std::vector<std::filesystem::path>& inputs,
            const kernelarium::archive::ImportOptions& options = {});

/// An archive of that many varied rows in the fixture's folder; empty where it could not be made.
std::filesystem::path madeArchive(const ArchiveFixture& fixture, int rows);

std::string readAll(const std::filesystem::path& file);

/// The shared folder's archive_sample, or an empty path when it is not there.
std::filesystem::path sampleFolder();
