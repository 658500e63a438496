// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/ScheduleStore.h"

#include "core/files/Base64.h"
#include "core/files/Sha256.h"
#include "core/sass/cubin/CubinSections.h"
#include "core/sass/hazards/Distances.h"
#include "core/sass/moves/Rescheduler.h"
#include "core/tuning/store/StoreReader.h"

#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::schedule {

namespace {

using nlohmann::json;

constexpr const char* subjectKind = "subject";
constexpr std::size_t largestStoredCubin = std::size_t(2) << 20;
/// What a step is drawn from and how it is accepted; another number, another search.
constexpr const char* rulesVersion = "5";

std::string digestOf(std::string_view bytes) {
    return files::toHex(files::sha256(bytes), 16);
}

tuning::Header headerOf(const Subject& subject, const Settings& settings) {
    tuning::Header header;
    header.search = {{"search", "schedule"},
                     {"rules", rulesVersion},
                     {"mode", std::string(name(settings.mode))},
                     {"cubin", digestOf(sass::loadedSections(subject.original.bytes()))},
                     {"kernel", subject.kernel},
                     {"seed", std::to_string(settings.seed)},
                     {"steps", std::to_string(settings.steps)},
                     {"temperature", fmt::format("{}", settings.startTemperature)},
                     {"stop_temperature", fmt::format("{}", settings.stopTemperature)},
                     {"control_every", std::to_string(settings.controlEvery)},
                     {"worsen", std::to_string(settings.worsen)},
                     {"distances", digestOf(sass::minedDistances().csv())}};
    for (const char* field : {"task", "card", "function", "arguments", "size", "device", "timing"})
        if (const auto found = subject.call.find(field); found != subject.call.end())
            header.search[field] = found->second;
    return header;
}

template <class Number>
bool numberFrom(const std::map<std::string, std::string>& fields, const char* field, Number& out) {
    const auto found = fields.find(field);
    if (found == fields.end()) return false;
    const std::string& text = found->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc{} && end == text.data() + text.size();
}

bool settingsFrom(const std::map<std::string, std::string>& fields, Settings& settings) {
    const auto mode = fields.find("mode");
    if (mode == fields.end() || !modeOf(mode->second)) return false;
    settings.mode = *modeOf(mode->second);
    return numberFrom(fields, "seed", settings.seed) && numberFrom(fields, "steps", settings.steps) &&
           numberFrom(fields, "temperature", settings.startTemperature) &&
           numberFrom(fields, "stop_temperature", settings.stopTemperature) &&
           numberFrom(fields, "control_every", settings.controlEvery) &&
           numberFrom(fields, "worsen", settings.worsen) && settings.worsen >= 0 &&
           settings.worsen <= Settings::mostWorsening;
}

Result<void> checkBlocks(const Subject& subject) {
    return sass::Rescheduler::check(subject.words(), subject.original.computeCapability());
}

/// Throws what nlohmann::json does.
Result<Subject> subjectFrom(const json& fields) {
    const auto bytes = files::fromBase64(fields.at("cubin").get_ref<const std::string&>());
    if (!bytes) return Error{"bad_input", "its cubin is not base64"};
    Result<sass::Cubin> cubin = sass::Cubin::read(*bytes);
    if (!cubin) return Error{"bad_input", "its cubin cannot be read: " + cubin.error().message};
    Subject subject{std::move(*cubin), fields.at("kernel"), fields.at("call")};
    if (!subject.original.find(subject.kernel)) return Error{"bad_input", "its cubin does not have its kernel"};
    return subject;
}

} // namespace

Result<tuning::Store> openScheduleStore(const std::filesystem::path& path, const Subject& subject,
                                        const Settings& settings) {
    if (subject.original.bytes().size() > largestStoredCubin)
        return Error{"too_large", "A search's store takes cubins up to 2 MB.", "Compile the kernel by itself."};
    if (Result<void> searched = checkBlocks(subject); !searched) return searched.error();
    Result<tuning::Record> record = tuning::recordOf(subjectKind, {{"key", "subject"},
                                                                   {"cubin", files::toBase64(subject.original.bytes())},
                                                                   {"kernel", subject.kernel},
                                                                   {"call", subject.call}});
    if (!record) return record.error();
    return tuning::Store::open(path, headerOf(subject, settings), *record);
}

std::string rulesOfNow() {
    return fmt::format("{} {}", rulesVersion, digestOf(sass::minedDistances().csv()));
}

Result<StoredSearch> readScheduleStore(const std::filesystem::path& path) {
    Result<tuning::StoreReader> reader = tuning::StoreReader::open(path);
    if (!reader) return reader.error();
    const Error other{"not_schedule", fmt::format("{} does not hold a search for schedules.", path.string()),
                      "Give a store that `schedule search` has written."};
    constexpr const char* whatThen = "Search again into another file, or read it with the version that wrote it.";
    const auto& fields = reader->header().search;
    if (const auto kind = fields.find("search"); kind == fields.end() || kind->second != "schedule") return other;
    if (const auto rules = fields.find("rules"); rules == fields.end() || rules->second != rulesVersion)
        return Error{"other_rules", path.string() + " was written by a version of this program with other rules.",
                     whatThen};
    // What was legal and proved then need not be so by the distances of now.
    if (const auto distances = fields.find("distances");
        distances == fields.end() || distances->second != digestOf(sass::minedDistances().csv()))
        return Error{"other_rules", path.string() + " was written by a version of this program with other distances.",
                     whatThen};
    Settings settings;
    if (!settingsFrom(fields, settings)) return reader->damaged(1, "its settings cannot be read");
    auto record = reader->next();
    if (!record) return record.error();
    if (!*record || (*record)->kind != subjectKind) return other;
    try {
        Result<Subject> subject = subjectFrom((*record)->fields);
        if (!subject) return reader->damaged(reader->lineNumber(), subject.error().message);
        if (Result<void> searched = checkBlocks(*subject); !searched) return searched.error();
        return StoredSearch{std::move(*subject), settings};
    } catch (const json::exception& e) {
        return reader->damaged(reader->lineNumber(), e.what());
    }
}

} // namespace kernelarium::schedule
