// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/audit/AuditFixture.h"

#include "core/archive/import/Import.h"
#include "core/archive/import/JsonLines.h"
#include "core/archive/store/Archive.h"
#include "core/audit/VerdictLine.h"

#include <QFile>
#include <limits>
#include <nlohmann/json.hpp>

namespace kernelarium::audit {

std::filesystem::path AuditFixture::path(const std::string& name) const {
    return std::filesystem::path(m_folder.path().toStdString()) / name;
}

std::filesystem::path AuditFixture::write(const std::string& name, const QByteArray& bytes) const {
    QFile file(QString::fromStdString(path(name).string()));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("no room for a test's file");
    return path(name);
}

QByteArray AuditFixture::read(const std::filesystem::path& file) const {
    QFile in(QString::fromStdString(file.string()));
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

std::filesystem::path AuditFixture::archive(int count) const {
    QByteArray lines;
    for (int i = 0; i < count; ++i) {
        const nlohmann::json row = {{"Op_Name", "op"},
                                    {"Level_ID", 1 + i % 2},
                                    {"Task_ID", 1},
                                    {"Kernel_Name", "k" + std::to_string(i)},
                                    {"CUDA_Code", "// kernel " + std::to_string(i)},
                                    {"Correct", i % 3 != 2}};
        lines += QByteArray::fromStdString(row.dump() + "\n");
    }
    auto source = archive::JsonLinesSource::open(write("rows.jsonl", lines));
    std::vector<archive::RowSource*> sources = {&*source};
    const auto report = archive::importRows(path("archive.sqlite"), sources, {});
    if (!report || report->added != std::uint64_t(count)) qFatal("the test's archive was not made");
    return path("archive.sqlite");
}

VerdictKey keyOf(const std::string& name, int level, int task) {
    return {level, task, name, files::sha256(name)};
}

JudgedKernel kernelWith(const std::string& name, verify::VerdictKind kind, std::int64_t timeMs) {
    verify::Verdict verdict;
    verdict.kind = kind;
    if (kind != verify::VerdictKind::verified) verdict.reasons = {"values", "nan"};
    verdict.remarks = {"race"};
    verdict.message = "what was found out about " + name;
    verdict.maxAbsoluteError = std::numeric_limits<double>::quiet_NaN();
    verdict.maxRelativeError = 0.1 + 0.2;
    verdict.backend = "emulator";
    TodaysVersions today;
    JudgedKernel kernel = judged(keyOf(name), verdict, {}, today.of(1, 1));
    kernel.verdict.seconds = 1.25;
    kernel.verdict.timeMs = timeMs;
    return kernel;
}

std::vector<Candidate> candidatesOf(const std::filesystem::path& path) {
    auto opened = archive::Archive::open(path);
    std::vector<Candidate> candidates;
    for (const auto& kernel : *opened->list())
        candidates.push_back(candidateOf(kernel));
    return candidates;
}

std::map<std::string, std::string> linesOf(const std::filesystem::path& verdicts) {
    std::map<std::string, std::string> lines;
    auto store = VerdictStore::openExisting(verdicts);
    if (!store || !*store) return lines;
    const auto read =
        (*store)->forEach([&](const JudgedKernel& kernel) { lines[kernel.verdict.key.label()] = toLine(kernel); });
    if (!read) lines.clear();
    return lines;
}

} // namespace kernelarium::audit
