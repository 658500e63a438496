// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/tools/PythonExport.h"

#include "core/task/operators/Operators.h"
#include "gpu/tools/ConfinedPython.h"
#include "resources/PythonFiles.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace kernelarium::tools {

namespace {

constexpr std::size_t longestAnswer = std::size_t(16) << 20;

Result<void> writeScripts(const files::ScratchFolder& scratch) {
    for (const resources::PythonFile& file : resources::pythonFiles()) {
        std::ofstream stream(scratch.path() / file.name, std::ios::binary);
        stream << file.text;
        stream.close();
        if (!stream) return Error{"unwritable_file", fmt::format("Cannot write into {}.", scratch.path().string())};
    }
    return {};
}

std::string requestOf(const audit::RowTask& row) {
    nlohmann::json operators = nlohmann::json::array();
    for (const std::string_view name : task::operatorNames())
        operators.push_back(std::string(name));
    const nlohmann::json request{{"functional", row.functional}, {"module", row.module},
                                 {"level", row.level},           {"task", row.task},
                                 {"name", row.opName},           {"operators", std::move(operators)}};
    // Archived text need not be valid UTF-8.
    return request.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

/// A text of the answer, kept to a length that a person reads.
std::string textOf(const nlohmann::ordered_json& object, const char* key) {
    if (!object.contains(key) || !object[key].is_string()) return {};
    return object[key].get<std::string>().substr(0, 1000);
}

Error failureOf(const nlohmann::ordered_json& failure) {
    std::string code = textOf(failure, "code");
    const bool plain = !code.empty() && code.size() < 40 &&
                       std::all_of(code.begin(), code.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
    if (!plain) code = "export_failed";
    if (code == "no_torch") code = "missing_component";
    return {code, textOf(failure, "message"), textOf(failure, "action")};
}

Result<task::Card> cardOfAnswer(const process::ToolEnd& end, const audit::RowTask& row) {
    if (audit::isNestedTooDeeply(end.output))
        return Error{"bad_card", "The exported card is nested deeper than any card."};
    const auto answer = nlohmann::ordered_json::parse(end.output.substr(0, end.output.find('\n')), nullptr,
                                                      false); // a dictionary's order is kept
    if (answer.is_object() && answer.contains("error") && answer["error"].is_object())
        return failureOf(answer["error"]);
    if (!answer.is_object() || !answer.contains("card") || !answer["card"].is_object())
        return Error{"export_failed", fmt::format("The Python that exports the card gave none: it {}.", end.how),
                     "The row's code may have ended it, or needed more memory than it is given."};
    Result<task::Card> card =
        audit::readCard(answer["card"].dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
    if (!card) return card;
    card->level = row.level;
    card->task = row.task;
    card->name = row.opName;
    return card;
}

Error ofExport(Error error, const ExportOptions& options) {
    if (error.code == "timeout") {
        error.message =
            fmt::format("Exporting the card took longer than {} s and was ended.", options.timeLimit.count() / 1000);
        error.action = "Allow it more time, or choose another kernel as the reference.";
    } else if (error.code == "too_large") {
        error.message = "The Python that exports the card wrote more than an export needs, and was ended.";
    } else if (error.code == "cancelled") {
        error.message = "The export was cancelled.";
    }
    return error;
}

} // namespace

Result<task::Card> exportCard(const audit::RowTask& row, const ExportOptions& options, const std::stop_token& stop) {
    if (!row.hasCode())
        return Error{"no_pytorch_code", "There is no PyTorch code to export a card from.",
                     "Choose another kernel as the reference."};
    const auto say = [&](const std::string& what) {
        if (options.progress) options.progress(what);
    };
    say("looking for a Python with PyTorch");
    const Result<protocol::Python> python = findPython(options.python, stop);
    if (!python) return python.error();
    const Result<files::ScratchFolder> scratch = files::ScratchFolder::make();
    if (!scratch) return scratch.error();
    if (const Result<void> written = writeScripts(*scratch); !written) return written.error();
    const std::string script = (scratch->path() / "export_card.py").string();
    process::ConfinedCommand command =
        confinedPython({python->path, {script}, options.timeLimit, options.memory}, *scratch, stop);
    command.input = requestOf(row);
    command.longestOutput = longestAnswer;
    say(fmt::format("exporting the card with PyTorch {}", python->torch));
    const Result<process::ToolEnd> end = process::runConfined(command, *scratch, stop);
    if (!end) return ofExport(end.error(), options);
    return cardOfAnswer(*end, row);
}

Result<task::Card> cardForRowOrExport(const audit::RowTask& row, const std::filesystem::path& folder,
                                      const ExportOptions& options, const std::stop_token& stop) {
    Result<task::Card> known = audit::cardForRow(row, folder);
    if (known || known.error().code != "unknown_task" || !row.hasCode()) return known;
    Result<task::Card> card = exportCard(row, options, stop);
    if (!card) return card;
    if (const Result<void> kept = audit::keepCard(*card, row, folder); !kept) return kept.error();
    return card;
}

} // namespace kernelarium::tools
