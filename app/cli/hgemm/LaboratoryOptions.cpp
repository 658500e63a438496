// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/hgemm/LaboratoryOptions.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::cli {

using hgemm::Mode;
using hgemm::Shape;

std::string shapeText(const Shape& s) {
    return fmt::format("{}x{}x{}", s.m, s.n, s.k);
}

Result<std::vector<Shape>> shapesOf(const LaboratoryOptions& options) {
    std::vector<Shape> shapes;
    if (!options.shapesFile.empty()) {
        Result<std::vector<Shape>> read = hgemm::readShapes(options.shapesFile);
        if (!read) return read.error();
        shapes = std::move(*read);
    }
    for (const std::string& text : options.shapes) {
        const std::optional<Shape> shape = hgemm::shapeOf(text);
        if (!shape)
            return Error{"bad_usage", fmt::format("`{}` is no shape.", text), "Write MxNxK, or one number for a cube."};
        shapes.push_back(*shape);
    }
    if (shapes.empty()) return Error{"bad_usage", "No shape is given.", "Write MxNxK, or --shapes FILE."};
    std::vector<Shape> once;
    for (const Shape& shape : shapes) {
        if (const std::string why = hgemm::refusal(shape); !why.empty())
            return Error{"bad_usage", fmt::format("{} cannot be measured. {}", shapeText(shape), why),
                         "Give a smaller shape."};
        if (std::find(once.begin(), once.end(), shape) == once.end()) once.push_back(shape);
    }
    return once;
}

Result<std::vector<hgemm::BestRow>> tableOf(const LaboratoryOptions& options) {
    if (options.table.empty()) return hgemm::shippedBestTable();
    return hgemm::readBestTable(options.table);
}

Result<void> folderIsThere(const std::filesystem::path& file) {
    if (file.empty()) return {};
    std::error_code problem;
    const std::filesystem::path folder = std::filesystem::absolute(file, problem).parent_path();
    if (std::filesystem::is_directory(file, problem))
        return Error{"bad_usage", fmt::format("{} is a folder.", file.string()), "Name a file with --out."};
    if (std::filesystem::is_directory(folder, problem)) return {};
    return Error{"bad_usage", fmt::format("There is no folder {}.", folder.string()),
                 "Make it first, or name another file with --out."};
}

std::vector<Mode> modesOf(const LaboratoryOptions& options) {
    std::vector<Mode> modes;
    for (const std::string& text : options.modes)
        modes.push_back(*hgemm::modeOf(text)); // checked by the option
    return modes;
}

std::vector<hgemm::Layout> layoutsOf(const LaboratoryOptions& options) {
    std::vector<hgemm::Layout> layouts;
    for (const std::string& text : options.layouts) // checked by the option
        layouts.push_back(text == "tn" ? hgemm::Layout::tn : hgemm::Layout::nn);
    return layouts;
}

void say(const std::string& text) {
    fmt::print(stderr, "{}\n", text);
}

std::vector<std::pair<Shape, Mode>> jobsOf(const std::vector<Shape>& shapes, const std::vector<Mode>& modes) {
    std::vector<std::pair<Shape, Mode>> jobs;
    for (const Shape& shape : shapes)
        for (const Mode mode : modes)
            jobs.emplace_back(shape, mode);
    return jobs;
}

bool saidOver(const Deadline& deadline, std::size_t done, std::size_t all) {
    if (deadline.over()) say(fmt::format("the time is over; {} of {} are done", done, all));
    return deadline.over();
}

} // namespace kernelarium::cli
