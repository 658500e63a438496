// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/AuditPlan.h"
#include "core/audit/VerdictStore.h"

#include <QByteArray>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <map>

/// Fails the test with the error's text; evaluates `result` once.
#define VERIFY_OK(result)                                                                                              \
    do {                                                                                                               \
        const auto& checkedResult = (result);                                                                          \
        QVERIFY2(checkedResult.ok(), checkedResult.ok() ? "" : checkedResult.error().text().c_str());                  \
    } while (false)

namespace kernelarium::audit {

class AuditFixture {
public:
    [[nodiscard]] std::filesystem::path path(const std::string& name) const;
    std::filesystem::path write(const std::string& name, const QByteArray& bytes) const;
    [[nodiscard]] QByteArray read(const std::filesystem::path& file) const;
    /// An archive of `count` kernels named k0, k1, ... of task 1/1 and 2/1 in turn, every third archived as incorrect.
    [[nodiscard]] std::filesystem::path archive(int count) const;

private:
    QTemporaryDir m_folder;
};

[[nodiscard]] VerdictKey keyOf(const std::string& name, int level = 1, int task = 1);
/// A verdict with evidence, of today's versions, found at `timeMs`.
[[nodiscard]] JudgedKernel kernelWith(const std::string& name, verify::VerdictKind kind = verify::VerdictKind::verified,
                                      std::int64_t timeMs = 1000);
[[nodiscard]] std::vector<Candidate> candidatesOf(const std::filesystem::path& archive);
/// Everything in a file of verdicts, evidence and all, as lines by label.
[[nodiscard]] std::map<std::string, std::string> linesOf(const std::filesystem::path& verdicts);

} // namespace kernelarium::audit
