// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/similar/SimilarFixture.h"

#include "core/archive/import/Import.h"
#include "core/archive/import/JsonLines.h"

#include <QFile>
#include <QRegularExpression>
#include <fstream>
#include <sstream>

namespace kernelarium::similar {

std::string starterCode(const std::string& path) {
    std::ifstream file(std::string(KERNELARIUM_SOURCE_DIR "/archive_data/kernels/") + path);
    std::stringstream text;
    text << file.rdbuf();
    if (text.str().empty()) qFatal("no such starter kernel: %s", path.c_str());
    return text.str();
}

std::string disguised(const std::string& code) {
    QString text = QString::fromStdString(code);
    // What a kernel is written with is let; every other name of three letters and more becomes another one.
    static const QRegularExpression name(QStringLiteral("(?<![\\w#<\"/])[a-z][a-z]+_[a-z_]+(?![\\w\"/])"));
    QString renamed;
    qsizetype from = 0;
    for (auto match = name.globalMatch(text); match.hasNext();) {
        const auto found = match.next();
        const QString old = found.captured();
        const bool isOurs = !old.endsWith(QLatin1String("_cast")) && !old.endsWith(QLatin1String("_t")) &&
                            old != QLatin1String("data_ptr") && old != QLatin1String("empty_like") &&
                            old != QLatin1String("is_cuda") && old != QLatin1String("is_contiguous") &&
                            old != QLatin1String("scalar_type") && old != QLatin1String("static_assert");
        renamed += text.mid(from, found.capturedStart() - from);
        renamed += isOurs ? QStringLiteral("my%1").arg(qHash(old) % 100000) : old;
        from = found.capturedEnd();
    }
    renamed += text.mid(from);
    renamed.replace(QStringLiteral("256"), QStringLiteral("128"));
    renamed.replace(QStringLiteral("    "), QStringLiteral("\t"));
    renamed.replace(QStringLiteral(" {\n"), QStringLiteral("\n{ // begins here\n"));
    return "/* a copy */\n" + renamed.toStdString();
}

std::filesystem::path SimilarFixture::path(const std::string& name) const {
    return std::filesystem::path(m_folder.path().toStdString()) / name;
}

nlohmann::json SimilarFixture::row(int level, int task, const std::string& opName, const std::string& name,
                                   const std::string& code) {
    return {{"Op_Name", opName}, {"Level_ID", level}, {"Task_ID", task}, {"Kernel_Name", name}, {"CUDA_Code", code}};
}

void SimilarFixture::import(const std::vector<nlohmann::json>& rows, const std::string& archive) {
    std::ofstream lines(path("rows.jsonl"));
    for (const auto& row : rows)
        lines << row.dump() << "\n";
    lines.close();
    auto source = archive::JsonLinesSource::open(path("rows.jsonl"));
    std::vector<archive::RowSource*> sources = {&*source};
    const auto report = archive::importRows(path(archive), sources, {});
    if (!report || report->skipped > 0) qFatal("the test's archive was not made");
}

archive::Archive SimilarFixture::open(const std::string& archive) const {
    auto opened = archive::Archive::open(path(archive));
    if (!opened) qFatal("%s", opened.error().text().c_str());
    return std::move(*opened);
}

std::vector<nlohmann::json> manyRows(int count) {
    std::vector<nlohmann::json> rows;
    for (int i = 0; i < count; ++i) {
        std::string code = "__global__ void k(float* p) {\n";
        for (int bit = 0; bit < 16; ++bit)
            code += (i >> bit & 1) != 0 ? "p[threadIdx.x] += 1.0f; __syncthreads();\n" : "if (p[0] > p[1]) return;\n";
        rows.push_back(SimilarFixture::row(1, 19, "19_ReLU", "k" + std::to_string(i), code + "}\n"));
    }
    return rows;
}

} // namespace kernelarium::similar
