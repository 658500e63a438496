// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/ClassRecord.h"

#include "core/files/Sha256.h"
#include "core/text/UntrustedJson.h"
#include "core/text/Utf8.h"

#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

namespace kernelarium::lesson {
namespace {

using nlohmann::json;

constexpr const char* kindKey = "kernelarium_class_record";
constexpr int formatNow = 1;
constexpr std::size_t longestName = 200;
constexpr std::size_t largestRecord = 4'000'000;
constexpr std::int64_t msPerSecond = 1000;
constexpr std::int64_t latestMs = 253'402'300'799'000; ///< the end of the year 9999
constexpr std::int64_t mostStepsOfRecord = 10'000;

struct OutOfRange {
    std::string message;
};

/// Of everything but itself, keys ascending, without spaces.
std::string checksumOf(json document) {
    document.erase("checksum");
    return files::toHex(files::sha256(document.dump(-1, ' ', false, json::error_handler_t::replace)));
}

Error unreadable(std::string message, std::string action = "Ask the student for it again.") {
    return {"bad_input", std::move(message), std::move(action)};
}

/// A whole number from 0 to `most`; whoever can write a file can write any number into it.
std::int64_t countFrom(const json& from, const char* key, std::int64_t most) {
    const json& value = from.at(key);
    if (!value.is_number_integer() || value > most || value < 0)
        throw OutOfRange{fmt::format("The number \"{}\" in it cannot be right.", key)};
    return value.get<std::int64_t>();
}

PassedLesson lessonFrom(const json& from) {
    PassedLesson lesson;
    lesson.lesson = from.at("lesson");
    lesson.steps = std::size_t(countFrom(from, "steps_in_lesson", mostStepsOfRecord));
    for (const auto& each : from.at("passed"))
        lesson.passed.push_back({each.at("step"), each.at("version"), countFrom(each, "at_ms", latestMs)});
    return lesson;
}

} // namespace

std::string utcText(std::int64_t ms) {
    if (ms <= 0) return {};
    const auto seconds = std::time_t(ms / msPerSecond);
    std::tm parts{};
    if (::gmtime_r(&seconds, &parts) == nullptr) return {};
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                       parts.tm_hour, parts.tm_min, parts.tm_sec);
}

Result<void> checkStudentName(std::string_view name) {
    const auto bad = [](const char* why) {
        return Error{"bad_input", why, "Give the name by which your teacher knows you."};
    };
    if (name.find_first_not_of(' ') == std::string_view::npos) return bad("A class record needs a name.");
    if (name.size() > longestName) return bad("The name is longer than 200 bytes.");
    const bool odd = std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < ' ' || c == 127; });
    if (odd || text::validUtf8(name) != name.size()) return bad("The name has characters that cannot be printed.");
    return {};
}

ClassRecord recordOf(std::string student, const Progress& progress, std::span<const Lesson> lessons,
                     std::int64_t nowMs) {
    ClassRecord record;
    record.student = std::move(student);
    record.writtenAtMs = nowMs;
    for (const auto& lesson : lessons) {
        const auto known = progress.lessons.find(lesson.id);
        if (known == progress.lessons.end()) continue;
        PassedLesson passed{lesson.id, lesson.steps.size(), {}};
        for (const auto& step : lesson.steps) {
            const auto found = known->second.steps.find(step.id);
            if (found != known->second.steps.end() && found->second.state == StepProgress::State::met)
                passed.passed.push_back({step.id, found->second.metVersion, found->second.metAtMs});
        }
        if (!passed.passed.empty()) record.lessons.push_back(std::move(passed));
    }
    return record;
}

std::string recordText(const ClassRecord& record) {
    json lessons = json::array();
    for (const auto& lesson : record.lessons) {
        json passed = json::array();
        for (const auto& step : lesson.passed)
            passed.push_back(
                {{"step", step.step}, {"version", step.version}, {"at_ms", step.atMs}, {"at", utcText(step.atMs)}});
        lessons.push_back(
            {{"lesson", lesson.lesson}, {"steps_in_lesson", lesson.steps}, {"passed", std::move(passed)}});
    }
    json document{{kindKey, formatNow},
                  {"student", record.student},
                  {"written_ms", record.writtenAtMs},
                  {"written", utcText(record.writtenAtMs)},
                  {"lessons", std::move(lessons)}};
    document["checksum"] = checksumOf(document);
    return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

Result<ClassRecord> recordFromText(std::string_view text) {
    const json document = text::untrustedJson(text);
    if (document.is_discarded()) return unreadable("It is not whole: its JSON cannot be read.");
    if (!document.is_object() || !document.contains(kindKey))
        return unreadable("It is not a class record.", "Class records are written by the lesson page and by "
                                                       "`kernelarium-cli lesson export`.");
    try {
        if (document.at(kindKey).get<int>() > formatNow)
            return unreadable("A newer version of the program wrote it.", "Use that version to merge.");
        if (document.at("checksum").get<std::string>() != checksumOf(document))
            return unreadable("Its checksum does not fit: it was damaged or edited.");
        ClassRecord record;
        record.student = document.at("student");
        record.writtenAtMs = countFrom(document, "written_ms", latestMs);
        if (const auto named = checkStudentName(record.student); !named) return unreadable(named.error().message);
        for (const auto& each : document.at("lessons"))
            record.lessons.push_back(lessonFrom(each));
        return record;
    } catch (const OutOfRange& error) {
        return unreadable(error.message);
    } catch (const json::exception& error) {
        return unreadable(fmt::format("A field is missing or of the wrong kind ({}).", error.what()));
    }
}

Result<ClassRecord> readRecord(const std::filesystem::path& path) {
    std::error_code code;
    const bool file = std::filesystem::is_regular_file(path, code);
    std::ifstream stream(path, std::ios::binary);
    if (!file || !stream) return Error{"unreadable_file", "It cannot be read.", "Name the students' files."};
    if (std::filesystem::file_size(path, code) > largestRecord) return unreadable("It has over 4 MB.");
    return recordFromText(std::string(std::istreambuf_iterator<char>(stream), {}));
}

} // namespace kernelarium::lesson
