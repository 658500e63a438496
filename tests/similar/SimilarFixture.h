// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/Archive.h"

#include <QTemporaryDir>
#include <QtTest>
#include <nlohmann/json.hpp>

/// Fails the test with the error's text; evaluates `result` once.
#define SIMILAR_OK(result)                                                                                             \
    do {                                                                                                               \
        const auto& checkedResult = (result);                                                                          \
        QVERIFY2(checkedResult.ok(), checkedResult.ok() ? "" : checkedResult.error().text().c_str());                  \
    } while (false)

namespace kernelarium::similar {

/// A starter kernel's text, by its path below archive_data/kernels.
[[nodiscard]] std::string starterCode(const std::string& path);
/// The same with other names, another layout, other comments and another block size.
[[nodiscard]] std::string disguised(const std::string& code);

class SimilarFixture {
public:
    [[nodiscard]] std::filesystem::path path(const std::string& name) const;
    /// A row with what has to be there; the rest is up to the test.
    [[nodiscard]] static nlohmann::json row(int level, int task, const std::string& opName, const std::string& name,
                                            const std::string& code);
    /// Adds the rows to the archive, which is made when it is not there.
    void import(const std::vector<nlohmann::json>& rows, const std::string& archive = "archive.sqlite");
    [[nodiscard]] archive::Archive open(const std::string& archive = "archive.sqlite") const;

private:
    QTemporaryDir m_folder;
};

/// Distinct kernels that have nothing but their form in common.
[[nodiscard]] std::vector<nlohmann::json> manyRows(int count);

} // namespace kernelarium::similar
