// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/Confirmation.h"

#include "core/tuning/space/PointText.h"
#include "core/tuning/store/StoreReader.h"
#include "gpu/protocol/Trial.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::protocol {

namespace {

using nlohmann::json;

constexpr const char* confirmationKind = "confirmation";
constexpr double leastSampleSeconds = 2;

std::int64_t confirmedNow() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

Result<tuning::Record> recordOf(const Confirmation& confirmation) {
    json fields = toJson(confirmation);
    fields["point"] = confirmation.key;
    fields["key"] = confirmation.key + "\n" + confirmation.size;
    fields["rank"] = confirmation.timed() ? 1 : 0;
    return tuning::recordOf(confirmationKind, std::move(fields));
}

/// Throws what nlohmann::json does.
Confirmation confirmationFrom(const json& j) {
    Confirmation c;
    c.key = j.at("point");
    c.size = j.at("size");
    c.mode = j.at("mode");
    c.device = j.at("device");
    c.ratio = j.at("ratio");
    c.low = j.at("low");
    c.high = j.at("high");
    c.pairs = j.at("pairs");
    c.winnerSeconds = j.at("winner_ms").get<double>() / 1e3;
    c.reason = j.at("reason");
    c.when = j.at("when");
    return c;
}

Confirmation confirmationOf(const TimeSummary& summary) {
    Confirmation c;
    c.device = summary.device;
    if (!summary.against || summary.against->times.pairs == 0) {
        c.reason = summary.end != "finished" ? summary.end + (summary.reason.empty() ? "" : ": " + summary.reason)
                                             : "no pair was timed";
        return c;
    }
    const perf::RatioInterval interval = perf::ratioInterval(summary.against->pairs);
    c.pairs = summary.against->times.pairs;
    c.ratio = 1 / summary.against->times.ratio;
    c.low = 1 / interval.high;
    c.high = 1 / interval.low;
    c.winnerSeconds = summary.summary.median;
    return c;
}

struct Winner {
    std::string key;
    tuning::Point point;
};

Result<std::optional<Winner>> winnerOf(const tuning::Space& space, tuning::Store& store) {
    std::optional<std::pair<double, std::string>> best;
    Result<void> read = store.each([&](const tuning::Judged& judged) {
        if (judged.leads() && (!best || *judged.outcome.value < best->first))
            best = std::pair(*judged.outcome.value, judged.candidate.key);
    });
    if (!read) return read.error();
    if (!best) return std::optional<Winner>();
    auto point = space.pointOf(best->second);
    if (!point || *point == space.start()) return std::optional<Winner>();
    return std::optional(Winner{best->second, std::move(*point)});
}

} // namespace

FreshPairTimer::FreshPairTimer(const tuning::TunableText& tunable, const PointSettings& settings,
                               TrialJudge::Commands commands)
    : m_tunable(tunable)
    , m_settings(settings)
    , m_commands(std::move(commands)) {}

Result<TimeSummary> FreshPairTimer::time(const tuning::Point& winner, const tuning::Point& start,
                                         const std::string& size, const std::stop_token& stop) {
    KernelClient compiler(m_commands.compile), runner(m_commands.run);
    CallOptions call;
    call.stop = stop;
    call.compileLimit = compileLimitBeside(m_settings.run.timeLimit);
    const auto unitOf = [&](const tuning::Point& point) {
        const auto made = tuning::pointText(m_tunable, point, m_settings.compiler, m_settings.fastMath);
        CompileParameters parameters;
        parameters.source = made.text;
        parameters.arch = m_settings.arch;
        parameters.fastMath = made.fastMath;
        parameters.settings = made.settings;
        parameters.early = false;
        parameters.texts.insert("cubin");
        return compiler.compile(parameters, call);
    };
    const Result<KernelClient::Unit> first = unitOf(winner), second = unitOf(start);
    for (const auto* unit : {&first, &second}) {
        if (!*unit) return unit->error();
        if (!(**unit)->ok) return Error{"compile_error", errorsText(***unit)};
    }
    TimeParameters parameters;
    parameters.run = m_settings.run;
    parameters.run.unit = *first;
    parameters.run.size = size;
    parameters.run.jobs = m_commands.threads;
    parameters.mode = m_settings.mode;
    parameters.sampleSeconds = std::max(leastSampleSeconds, m_settings.sampleSeconds * 8);
    parameters.energy = false;
    parameters.against = *second;
    parameters.againstName = "the kernel as it stands";
    return runner.time(parameters, call);
}

Result<std::vector<Confirmation>> confirmWinner(const tuning::TunableText& tunable, const PointSettings& settings,
                                                tuning::Store& store, PairTimer& timer, const std::stop_token& stop) {
    const Result<std::optional<Winner>> winner = winnerOf(tunable.space, store);
    if (!winner) return winner.error();
    if (!*winner) return std::vector<Confirmation>();
    Result<std::vector<Confirmation>> all = readConfirmations(store.path(), (*winner)->key);
    if (!all) return all.error();
    for (const std::string& size : sizesOf(settings)) {
        const auto known =
            std::find_if(all->begin(), all->end(), [&](const Confirmation& c) { return c.size == size; });
        if (known != all->end() && known->timed()) continue;
        if (stop.stop_requested()) return Error{"cancelled", "The confirmation was stopped."};
        const Result<TimeSummary> summary = timer.time((*winner)->point, tunable.space.start(), size, stop);
        if (stop.stop_requested()) return Error{"cancelled", "The confirmation was stopped."};
        Confirmation made = summary ? confirmationOf(*summary) : Confirmation();
        if (!summary) made.reason = summary.error().message.substr(0, summary.error().message.find('\n'));
        made.key = (*winner)->key;
        made.size = size;
        made.mode = settings.mode;
        made.when = confirmedNow();
        const Result<tuning::Record> record = recordOf(made);
        if (!record) return record.error();
        if (Result<void> kept = store.append(*record); !kept) return kept.error();
        if (known != all->end())
            *known = std::move(made);
        else
            all->push_back(std::move(made));
    }
    return all;
}

Result<std::vector<Confirmation>> readConfirmations(const std::filesystem::path& store, const std::string& key) {
    Result<tuning::StoreReader> reader = tuning::StoreReader::open(store);
    if (!reader) return reader.error();
    std::vector<Confirmation> all;
    for (;;) {
        auto record = reader->next();
        if (!record) return record.error();
        if (!*record) return all;
        if ((*record)->kind != confirmationKind) continue;
        try {
            Confirmation read = confirmationFrom((*record)->fields);
            if (read.key != key) continue;
            const auto same =
                std::find_if(all.begin(), all.end(), [&](const Confirmation& c) { return c.size == read.size; });
            if (same != all.end())
                *same = std::move(read);
            else
                all.push_back(std::move(read));
        } catch (const std::exception& problem) {
            return reader->damaged(reader->lineNumber(), problem.what());
        }
    }
}

std::string confirmationWords(const Confirmation& c) {
    if (!c.timed()) return fmt::format("not confirmed in a fresh process: {}", c.reason);
    const std::string figures = fmt::format("{:.3g}× ({:.3g} to {:.3g}), {} pairs", c.ratio, c.low, c.high, c.pairs);
    if (c.holds()) return "confirmed in a fresh process: " + figures;
    return fmt::format("not confirmed in a fresh process: {}; {}", figures,
                       c.high < 1 ? "the kernel as it stands is faster there"
                                  : "no difference to the kernel as it stands");
}

json toJson(const Confirmation& c) {
    return {{"point", c.key},     {"size", c.size},     {"mode", c.mode},
            {"device", c.device}, {"ratio", c.ratio},   {"low", c.low},
            {"high", c.high},     {"pairs", c.pairs},   {"winner_ms", c.winnerSeconds * 1e3},
            {"holds", c.holds()}, {"reason", c.reason}, {"when", c.when}};
}

} // namespace kernelarium::protocol
