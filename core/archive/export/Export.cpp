// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/export/Export.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kernelarium::archive {
namespace {

namespace fs = std::filesystem;

Error cannotExport(const fs::path& path, int code) {
    if (code == ENOSPC) return {"disk_full", fmt::format("The disk of {} is full.", path.string()), "Free some space."};
    return {"unwritable_file", fmt::format("{} cannot be written: {}.", path.string(), std::strerror(code)),
            "Choose another place."};
}

/// A file that takes its name when it is complete. What is not a regular file (a pipe, /dev/stdout) is written
/// to as it is.
class OutputFile {
public:
    static Result<std::unique_ptr<OutputFile>> create(const fs::path& path) {
        std::error_code ignored;
        const bool special = fs::exists(path, ignored) && !fs::is_regular_file(path, ignored);
        auto file = std::make_unique<OutputFile>(path, special ? path : fs::path(path.string() + ".part"));
        file->m_descriptor = ::open(file->m_part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        if (file->m_descriptor < 0) return cannotExport(path, errno);
        return file;
    }

    OutputFile(fs::path path, fs::path part)
        : m_path(std::move(path))
        , m_part(std::move(part)) {}
    ~OutputFile() {
        if (m_descriptor < 0) return;
        ::close(m_descriptor);
        if (m_part != m_path) ::unlink(m_part.c_str());
    }
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    Result<void> write(std::string_view text) {
        m_bytes += text.size();
        while (!text.empty()) {
            const ssize_t wrote = ::write(m_descriptor, text.data(), text.size());
            if (wrote < 0 && errno == EINTR) continue;
            if (wrote < 0) return cannotExport(m_path, errno);
            text.remove_prefix(static_cast<std::size_t>(wrote));
        }
        return {};
    }

    Result<std::uint64_t> finish() {
        if (::close(std::exchange(m_descriptor, -1)) != 0) return cannotExport(m_path, errno);
        if (m_part != m_path && ::rename(m_part.c_str(), m_path.c_str()) != 0) return cannotExport(m_path, errno);
        return m_bytes;
    }

private:
    fs::path m_path;
    fs::path m_part;
    int m_descriptor = -1;
    std::uint64_t m_bytes = 0;
};

class ExportRun {
public:
    ExportRun(Archive& archive, ExportFormat format, const fs::path& path, const ExportOptions& options)
        : m_archive(archive)
        , m_format(format)
        , m_path(path)
        , m_options(options) {}

    Result<ExportReport> run(const std::vector<std::int64_t>& kernels) {
        if (auto begun = begin(); !begun) return begun.error();
        for (const std::int64_t id : kernels) {
            if (m_options.stop.stop_requested()) return Error{"cancelled", "The export was cancelled."};
            auto kernel = m_archive.find(std::to_string(id));
            if (!kernel) return kernel.error();
            if (auto wrote = write(*kernel); !wrote) return wrote.error();
            ++m_report.kernels;
            tell(kernels.size(), m_report.kernels == kernels.size());
        }
        auto bytes = m_file->finish();
        if (!bytes) return bytes.error();
        m_report.bytes += *bytes;
        ++m_report.files;
        return m_report;
    }

private:
    Result<void> begin() {
        fs::path file = m_path;
        if (m_format == ExportFormat::cudaFiles) {
            std::error_code code;
            fs::create_directories(m_path, code);
            if (code) return cannotExport(m_path, code.value());
            file = m_path / "index.csv";
        }
        auto created = OutputFile::create(file);
        if (!created) return created.error();
        m_file = std::move(created).value();
        if (m_format == ExportFormat::jsonLines) return {};
        return m_file->write((m_format == ExportFormat::cudaFiles ? "file," : "") + csvHeader());
    }

    Result<void> write(const KernelSummary& kernel) {
        const OwnVerdict* verdict = m_options.verdicts ? m_options.verdicts->of(kernel) : nullptr;
        switch (m_format) {
        case ExportFormat::csv: return m_file->write(csvLine(kernel, verdict));
        case ExportFormat::jsonLines: {
            auto line = jsonLine(m_archive, kernel, verdict);
            return line ? m_file->write(*line) : Result<void>(line.error());
        }
        case ExportFormat::cudaFiles: break;
        }
        const std::string name = cudaFileName(kernel);
        auto code = m_archive.text(kernel.id, TextKind::cudaCode);
        if (!code) return code.error();
        auto file = OutputFile::create(m_path / name);
        if (!file) return file.error();
        if (auto wrote = (*file)->write(code->value_or("")); !wrote) return wrote;
        auto bytes = (*file)->finish();
        if (!bytes) return bytes.error();
        m_report.bytes += *bytes;
        ++m_report.files;
        return m_file->write(name + "," + csvLine(kernel, verdict));
    }

    void tell(std::size_t all, bool last) {
        const auto now = std::chrono::steady_clock::now();
        if (!m_options.progress || (!last && now - m_told < std::chrono::milliseconds(100))) return;
        m_told = now;
        m_options.progress(m_report.kernels, all);
    }

    Archive& m_archive;
    ExportFormat m_format;
    const fs::path& m_path;
    const ExportOptions& m_options;
    ExportReport m_report;
    std::unique_ptr<OutputFile> m_file;
    std::chrono::steady_clock::time_point m_told{};
};

} // namespace

Result<ExportReport> exportKernels(Archive& archive, const std::vector<std::int64_t>& kernels, ExportFormat format,
                                   const fs::path& path, const ExportOptions& options) {
    return ExportRun(archive, format, path, options).run(kernels);
}

} // namespace kernelarium::archive
