// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/Card.h"

#include "core/task/BuiltInCards.h"
#include "core/tensor/Limits.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kernelarium::task {

Result<Symbols> Card::size(std::string_view sizeName) const {
    std::vector<std::string> names;
    for (const auto& [label, symbols] : sizes) {
        if (label == sizeName) return symbols;
        names.push_back(label);
    }
    return Error{"bad_input", fmt::format("Task {} has no size '{}'.", key(), sizeName),
                 fmt::format("Choose one of: {}.", fmt::join(names, ", "))};
}

Result<std::vector<tensor::Shape>> tensorShapes(const Card& card, const Symbols& symbols) {
    std::vector<tensor::Shape> shapes;
    for (const CardTensor& t : card.tensors) {
        tensor::Shape shape;
        for (const SizeExpression& s : t.shape) {
            const Result<std::int64_t> size = s.evaluate(symbols);
            if (!size) return size.error();
            if (*size < 0)
                return Error{"bad_card",
                             fmt::format("Tensor {} of task {} would have a negative size.", t.name, card.key())};
            shape.push_back(*size);
        }
        if (const std::string why = tensor::tooLarge(shape); !why.empty())
            return Error{"bad_card", fmt::format("Tensor {} of task {} would have {}.", t.name, card.key(), why)};
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

Result<TaskKey> parseTaskKey(std::string_view text) {
    TaskKey key;
    std::string_view rest = text;
    if (rest.starts_with("level_")) rest.remove_prefix(6);
    const std::size_t slash = rest.find('/');
    const auto number = [](std::string_view s, int& out) {
        const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), out);
        return error == std::errc{} && end == s.data() + s.size();
    };
    if (slash == std::string_view::npos || !number(rest.substr(0, slash), key.level) ||
        !number(rest.substr(slash + 1), key.task))
        return Error{"bad_input", fmt::format("'{}' does not name a task.", text),
                     "Write it as LEVEL/TASK, for example 1/16."};
    return key;
}

std::vector<TaskKey> builtInCards() {
    std::vector<TaskKey> keys;
    for (const BuiltInCard& card : builtInCardTable())
        keys.push_back({card.level, card.task});
    std::sort(keys.begin(), keys.end());
    return keys;
}

namespace {

Error unknownTask(int level, int task) {
    return {"unknown_task", fmt::format("There is no card for task {}/{}.", level, task),
            "`task list` shows the tasks that have one."};
}

Result<Card> loadFile(const std::string& folder, int level, int task) {
    namespace fs = std::filesystem;
    std::error_code error;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(fs::path(folder) / fmt::format("level_{}", level), error)) {
        const std::string file = entry.path().filename().string();
        int number = 0;
        const auto [end, bad] = std::from_chars(file.data(), file.data() + file.size(), number);
        if (bad != std::errc{} || number != task || !file.ends_with(".json")) continue;
        std::ifstream stream(entry.path(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        if (!stream && text.empty())
            return Error{"bad_input", fmt::format("{} cannot be read.", entry.path().string())};
        return parseCard(text);
    }
    return unknownTask(level, task);
}

} // namespace

Result<Card> loadCard(int level, int task, const std::string& folder) {
    if (!folder.empty()) return loadFile(folder, level, task);
    for (const BuiltInCard& card : builtInCardTable())
        if (card.level == level && card.task == task) return parseCard(card.json);
    return unknownTask(level, task);
}

} // namespace kernelarium::task
