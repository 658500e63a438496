// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/schedule/ScheduleFixture.h"

#include "core/sass/instruction/Decoder.h"
#include "core/schedule/Annealing.h"
#include "tests/sass/CompiledCubins.h"

#include <QtTest>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace kernelarium::schedule {

namespace {

double costOf(const std::vector<sass::Word>& words) {
    const auto code = sass::decodeAll(words, 90);
    return StaticCost(code, sass::blocksOf(code), 90).original().cost();
}

} // namespace

std::optional<Subject> subjectOf(const std::string& file, std::string& why) {
    static std::map<std::string, Result<sass::Cubin>> compiled;
    auto at = compiled.find(file);
    if (at == compiled.end()) at = compiled.emplace(file, test::compiledCubin(file, "sm_90")).first;
    if (!at->second) {
        why = at->second.error().text();
        return std::nullopt;
    }
    return Subject{*at->second, at->second->kernels().front().name, {{"file", file}, {"task", "1/3"}}};
}

FakeGpu::FakeGpu(const Subject& subject, double noise)
    : m_subject(subject)
    , m_noise(noise)
    , m_original(costOf(subject.words())) {}

Result<Measurement> FakeGpu::measure(const sass::Cubin& candidate, const Race&, std::uint64_t, const std::stop_token&) {
    ++calls;
    Measurement out;
    if (fault) out.fault = fault(calls);
    if (failure) out.failure = failure(calls);
    const std::vector<sass::Word> words = sass::wordsOf(candidate.code(*candidate.find(m_subject.kernel)));
    const std::string hash = hashOf(words);
    const double part = double(std::stoull(hash.substr(0, 8), nullptr, 16)) / double(0xffffffffU) - 0.5;
    out.energy = 100 * costOf(words) / m_original + m_noise * part;
    out.low = out.energy - m_noise;
    out.high = out.energy + m_noise;
    out.pairs = Race::first;
    return out;
}

std::vector<std::string> accountOf(const std::filesystem::path& store) {
    const Result<ScheduleHistory> history = readScheduleHistory(store);
    if (!history) {
        QTest::qFail(history.error().text().c_str(), __FILE__, __LINE__);
        return {};
    }
    std::vector<std::string> lines;
    for (const Step& step : history->steps) {
        std::string drawn;
        for (const auto& [reason, count] : step.drawn)
            drawn += fmt::format(" {}={}", reason, count);
        lines.push_back(fmt::format("{} {} {} {} {} {} {}{}", step.number, step.text, step.hash, name(step.fate),
                                    step.energy.value_or(-1), step.temperature, step.isBest, drawn));
    }
    return lines;
}

} // namespace kernelarium::schedule
