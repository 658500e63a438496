// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/RowCard.h"

#include "core/files/Sha256.h"
#include "core/task/Binding.h"
#include "core/task/MemoryNeed.h"
#include "core/task/ShapeInference.h"
#include "core/task/operators/Operators.h"

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <unistd.h>

namespace kernelarium::audit {

namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t largestCard = std::uintmax_t(16) << 20;

/// Letters and digits: archives write names with other separators.
std::string plainName(const std::string& name) {
    std::string plain;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c))) plain += char(std::tolower(static_cast<unsigned char>(c)));
    return plain;
}

/// Plain name of a built-in card; empty where there is none. An audit asks for every row.
std::string builtInName(int level, int task) {
    static std::mutex mutex;
    static std::map<std::pair<int, int>, std::string> known;
    const std::lock_guard lock(mutex);
    const auto [found, isNew] = known.try_emplace({level, task});
    if (isNew)
        if (const Result<task::Card> card = task::loadCard(level, task); card) found->second = plainName(card->name);
    return found->second;
}

Error cannotKeep(const fs::path& path, const std::string& why) {
    return {"unwritable_file", fmt::format("The card cannot be kept as {}: {}.", path.string(), why)};
}

bool writeWhole(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(file, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        text.remove_prefix(std::size_t(n));
    }
    return ::fsync(file) == 0;
}

} // namespace

bool isBuiltInTask(int level, int task, const std::string& opName) {
    const std::string name = builtInName(level, task);
    return !name.empty() && (opName.empty() || plainName(opName) == name);
}

Result<RowTask> readRowTask(archive::Archive& archive, std::int64_t kernel) {
    const Result<archive::KernelSummary> found = archive.find(std::to_string(kernel));
    if (!found) return found.error();
    RowTask row{int(found->level), int(found->task), found->opName, {}, {}};
    if (isBuiltInTask(row.level, row.task, row.opName)) return row;
    for (const auto& [kind, text] : {std::pair{archive::TextKind::functionalCode, &row.functional},
                                     std::pair{archive::TextKind::moduleCode, &row.module}}) {
        Result<std::optional<std::string>> code = archive.text(kernel, kind);
        if (!code) return code.error();
        *text = (*code).value_or("");
    }
    return row;
}

fs::path userCardFolder() {
    fs::path data;
    if (const char* xdg = std::getenv("XDG_DATA_HOME"); xdg != nullptr && *xdg == '/')
        data = xdg;
    else if (const char* home = std::getenv("HOME"); home != nullptr)
        data = fs::path(home) / ".local/share";
    return data / "kernelarium" / "tasks";
}

fs::path cardFile(const RowTask& row, const fs::path& folder) {
    const std::string text = row.opName + '\0' + row.functional + '\0' + row.module;
    return folder / fmt::format("level_{}", row.level) /
           fmt::format("{:03}_{}.json", row.task, files::toHex(files::sha256(text), 16));
}

Result<task::Card> cardForRow(const RowTask& row, const fs::path& folder) {
    if (isBuiltInTask(row.level, row.task, row.opName)) return task::loadCard(row.level, row.task);
    std::error_code problem;
    if (row.hasCode() && !folder.empty()) {
        const fs::path path = cardFile(row, folder);
        if (fs::exists(path, problem)) return readCardFile(path);
    }
    return Error{"unknown_task",
                 fmt::format("There is no card for task {}{}.", row.key(),
                             row.opName.empty() ? "" : fmt::format(" ({})", row.opName)),
                 row.hasCode() ? "Export one from its PyTorch code, or choose another kernel as the reference."
                               : "Choose another kernel as the reference."};
}

Result<void> keepCard(const task::Card& card, const RowTask& row, const fs::path& folder) {
    const fs::path path = cardFile(row, folder);
    std::error_code problem;
    fs::create_directories(path.parent_path(), problem);
    if (problem) return cannotKeep(path, problem.message());
    std::string draft = path.string() + ".XXXXXX";
    const int file = ::mkstemp(draft.data());
    if (file < 0) return cannotKeep(path, std::strerror(errno));
    const bool written = writeWhole(file, task::writeCard(card) + "\n");
    const int why = errno;
    ::close(file);
    if (written && ::rename(draft.c_str(), path.c_str()) == 0) return {};
    const Error error = cannotKeep(path, std::strerror(written ? errno : why));
    ::unlink(draft.c_str());
    return error;
}

Result<void> checkCard(const task::Card& card) {
    for (const task::Node& node : card.graph)
        if (!task::knowsOperator(node.op))
            return Error{"unsupported", fmt::format("The reference does not know the operator {}.", node.op),
                         "Choose another kernel as the reference."};
    if (const auto full = card.size("full"); !full) return full.error();
    if (const auto small = card.size("small"); !small) return small.error();
    for (const auto& [name, symbols] : card.sizes) {
        const Result<std::vector<tensor::Shape>> shapes = task::tensorShapes(card, symbols);
        if (!shapes) return shapes.error();
        std::vector<tensor::Tensor> tensors;
        for (std::size_t i = 0; i < shapes->size(); ++i)
            tensors.push_back(tensor::Tensor::shapeOnly(card.tensors[i].dtype, (*shapes)[i]));
        if (const auto call = task::callArguments(card, symbols, tensors); !call) return call.error();
        if (const auto inferred = task::inferShapes(card, symbols, tensor::DType::Float64); !inferred)
            return inferred.error();
        if (const auto memory = task::memoryNeeded(card, symbols, tensor::DType::Float64); !memory)
            return memory.error();
    }
    return {};
}

bool isNestedTooDeeply(std::string_view text) {
    int depth = 0;
    int signs = 0;
    for (const char c : text) {
        if (c == '[' || c == '{' || c == '(') ++depth;
        if (c == ']' || c == '}' || c == ')') --depth;
        if (c == '-')
            ++signs;
        else if (c != ' ')
            signs = 0;
        if (depth > 64 || signs > 64) return true;
    }
    return false;
}

Result<task::Card> readCard(std::string_view json) {
    Result<task::Card> card = task::parseCard(json);
    if (!card) return card.error();
    if (const Result<void> checked = checkCard(*card); !checked) return checked.error();
    return card;
}

Result<task::Card> readCardFile(const fs::path& path) {
    std::error_code problem;
    const std::uintmax_t size = fs::file_size(path, problem);
    if (problem)
        return Error{"bad_input", fmt::format("Cannot read {}: {}.", path.string(), problem.message()),
                     "Give a card's .json file."};
    if (size > largestCard) return Error{"bad_input", fmt::format("{} is too large for a card.", path.string())};
    std::ifstream stream(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    return readCard(text);
}

} // namespace kernelarium::audit
