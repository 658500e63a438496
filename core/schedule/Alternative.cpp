// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/Alternative.h"

#include <nlohmann/json.hpp>

namespace kernelarium::schedule {

using nlohmann::json;

json toJson(const Alternative& alternative) {
    json figures = json::array();
    for (const FinalFigure& figure : alternative.figures)
        figures.push_back(toJson(figure));
    return {{"words", alternative.words},
            {"registers", alternative.registers},
            {"instructions", alternative.instructions},
            {"static", alternative.staticCost},
            {"refusal", alternative.refusal},
            {"figures", figures}};
}

Result<tuning::Record> recordOf(const Alternative& alternative) {
    json fields = toJson(alternative);
    fields["key"] = alternative.words;
    fields["rank"] = alternative.figures.size();
    return tuning::recordOf("alternative", std::move(fields));
}

Result<Alternative> alternativeFrom(const tuning::Record& record) {
    try {
        const json& fields = record.fields;
        Alternative one;
        one.words = fields.at("words");
        one.registers = fields.at("registers");
        one.instructions = fields.at("instructions");
        one.staticCost = fields.at("static");
        one.refusal = fields.at("refusal");
        for (const json& figure : fields.at("figures")) {
            Result<FinalFigure> read = finalFigureFrom(figure);
            if (!read) return read.error();
            one.figures.push_back(std::move(*read));
        }
        return one;
    } catch (const json::exception& e) {
        return Error{"bad_input", e.what()};
    }
}

} // namespace kernelarium::schedule
