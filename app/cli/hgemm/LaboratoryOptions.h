// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/Context.h"
#include "app/cli/Workers.h"
#include "core/hgemm/laboratory/BestTable.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace kernelarium::cli {

/// What the laboratory's commands are asked.
struct LaboratoryOptions {
    RunPlace place;
    std::vector<std::string> shapes;
    std::filesystem::path shapesFile;
    std::filesystem::path table;
    std::string device; ///< whose rows of the table count; empty: those of the GPU at hand, of emit the first
    std::filesystem::path out;
    std::filesystem::path store;
    std::string configuration; ///< of emit: this one alone
    bool nearest = false;      ///< of emit: its kernel for a shape that the table does not have
    // of run-published
    std::filesystem::path folder;
    std::filesystem::path claims; ///< imported tables
    std::string claimedDevice = "h100";
    std::string backend = "cuda";
    std::vector<std::string> compilerWords;
    double kernelLimit = 120; ///< seconds, of each kernel
    std::size_t jobs = 0;     ///< that compile at the same time; 0: one for each core
    std::vector<std::string> modes{"hot"};
    std::vector<std::string> layouts{"tn", "nn"};
    double seconds = 0.3; ///< of samples for each shape and mode
    bool energy = false;
    bool halfSums = false;
    std::size_t looks = 48; ///< short ones, for each shape, mode and layout
    double fullLooks = 12;
    double rate = 100;
    std::size_t requests = 100;
    double timeLimit = 0;  ///< of the whole command; 0: none
    std::size_t every = 1; ///< of the pool's kernels, one in so many
    std::string with;      ///< of the pool's kernels, those whose key contains this
};

/// Each once. Errors: those of readShapes(), "bad_usage".
[[nodiscard]] Result<std::vector<hgemm::Shape>> shapesOf(const LaboratoryOptions& options);
[[nodiscard]] Result<std::vector<hgemm::BestRow>> tableOf(const LaboratoryOptions& options);
/// Where a file is to go; an empty path is standard output. Error "bad_usage": its folder does not exist,
/// or it is one itself.
[[nodiscard]] Result<void> folderIsThere(const std::filesystem::path& file);
[[nodiscard]] std::vector<hgemm::Mode> modesOf(const LaboratoryOptions& options);
[[nodiscard]] std::vector<hgemm::Layout> layoutsOf(const LaboratoryOptions& options);
[[nodiscard]] std::vector<std::pair<hgemm::Shape, hgemm::Mode>> jobsOf(const std::vector<hgemm::Shape>& shapes,
                                                                       const std::vector<hgemm::Mode>& modes);
[[nodiscard]] std::string shapeText(const hgemm::Shape& shape); ///< "64x128x256"

void say(const std::string& text); ///< a line on standard error

class Deadline {
public:
    explicit Deadline(double seconds)
        : m_seconds(seconds) {}
    [[nodiscard]] bool over() const {
        return m_seconds > 0 &&
               std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count() > m_seconds;
    }

private:
    double m_seconds;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
};

/// Whether no further one of `all` is to be begun, which is said.
bool saidOver(const Deadline& deadline, std::size_t done, std::size_t all);

int compareProducts(Context& context, const LaboratoryOptions& options);
int tuneProducts(Context& context, const LaboratoryOptions& options);
int checkProducts(Context& context, const LaboratoryOptions& options);
int runPublished(Context& context, const LaboratoryOptions& options);
int recordedProducts(Context& context, const LaboratoryOptions& options);
int emitProducts(Context& context, const LaboratoryOptions& options);

} // namespace kernelarium::cli
