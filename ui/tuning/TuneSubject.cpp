// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/TuneSubject.h"

#include "core/files/Sha256.h"
#include "core/perf/DeviceSpec.h"
#include "core/tuning/search/Summary.h"
#include "core/tuning/space/PointText.h"
#include "core/tuning/space/SpaceText.h"
#include "core/tuning/space/TextLines.h"
#include "core/tuning/store/StoreReader.h"
#include "ui/threads/Ask.h"
#include "ui/tuning/ArrayRun.h"
#include "ui/words/Words.h"

#include <algorithm>

namespace kernelarium::ui {

namespace {

constexpr std::uint64_t mostCounted = 10'000'000; // a second or two

/// Of the space: the same for each of its points.
std::string textAtFirstValues(const tuning::TunableText& tunable) {
    return tuning::pointText(tunable, {std::vector<std::uint32_t>(tunable.space.parameters().size(), 0)}).text;
}

std::filesystem::path storeOf(const protocol::SweepRequest& request, const std::filesystem::path& folder,
                              const std::string& text) {
    std::string name;
    for (const char c : request.label.substr(0, 48))
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' ? c : '_';
    std::string all = text;
    for (const auto& [field, value] : protocol::headerOf(request).search)
        if (field != "source" && field != "space") all.append(1, '\0').append(field).append(1, '\0').append(value);
    return folder / (name + "-" + files::toHex(files::sha256(all)).substr(0, 16) + ".sweep");
}

/// What the space sets says nothing about the sweep: a point that was opened has it among its options.
void leaveToSpace(protocol::SweepRequest& request) {
    for (const tuning::Target& target : request.tunable.targets) {
        const auto* setting = std::get_if<tuning::CompileSetting>(&target);
        if (!setting) continue;
        if (setting->kind == tuning::CompileSetting::Kind::registers)
            request.points.compiler.maxRegisters = 0;
        else
            request.points.fastMath = false;
    }
}

/// The key of the point that a text is, where it is one of the space's.
std::optional<std::string> pointThatIs(const tuning::TunableText& of, const tuning::TunableText& text) {
    const auto point = of.space.pointOf(text.space.key(text.space.start()));
    if (!point || tuning::pointText(of, *point).text != *text.text) return std::nullopt;
    return of.space.key(*point);
}

Result<void> readPoints(TuneSubject& subject, const std::stop_token& stop) {
    Result<tuning::StoreReader> reader = tuning::StoreReader::open(subject.store);
    if (!reader && reader.error().code == "empty_store") return {};
    if (!reader) return reader.error();
    Result<void> read =
        tuning::eachCandidate(*reader, [&](const tuning::Judged& judged) { subject.points.push_back(judged); });
    if (stop.stop_requested()) return cancelledError();
    const auto best = tuning::bestSoFar(subject.points);
    if (!read || best.empty()) return read;
    auto confirmations = protocol::readConfirmations(subject.store, best.back().key);
    if (!confirmations) return confirmations.error();
    subject.confirmations = std::move(*confirmations);
    return read;
}

/// Puts the text of an earlier sweep in the place of the bench's where that is a point of it.
Result<void> goOnWithStore(TuneSubject& subject, const std::stop_token& stop) {
    std::error_code code;
    if (!std::filesystem::exists(subject.store, code)) return {};
    Result<protocol::SweepRequest> stored = protocol::readSweep(subject.store);
    if (!stored) return stored.error().code == "empty_store" ? Result<void>() : Result<void>(stored.error());
    const auto current = pointThatIs(stored->tunable, subject.request->tunable);
    if (!current)
        return Error{"other_search", "The sweep in " + subject.store.string() + " is of another text.",
                     "Move the file away to begin a new one."};
    subject.current = *current;
    subject.request->tunable = std::move(stored->tunable);
    subject.request->strategy = stored->strategy;
    subject.request->seed = stored->seed;
    return readPoints(subject, stop);
}

} // namespace

QString TuneSubject::valueWords() const {
    const protocol::PointSettings& points = request->points;
    QStringList sizes;
    for (const std::string& size : protocol::sizesOf(points))
        sizes << QString::fromStdString(size);
    const QString at = points.sizes.empty() ? Words::tr("size %1").arg(sizes.front())
                                            : Words::tr("geometric mean over %1").arg(sizes.join(QStringLiteral(", ")));
    if (isMeasured()) return Words::tr("measured here, %1 calls, %2").arg(QString::fromStdString(points.mode), at);
    const perf::DeviceSpec* device = perf::findDeviceSpec(points.device);
    return Words::tr("modelled on %1, %2").arg(QString::fromStdString(device ? device->name : points.device), at);
}

Result<TuneSubject> readTuneSubject(const TuneQuestion& question, const std::stop_token& stop) {
    TuneSubject subject;
    subject.kernelKey = question.kernelKey;
    tuning::SpaceReading reading = tuning::readSpaceText(question.text);
    subject.marks = reading.marks.size();
    const tuning::TextLines lines(question.text);
    for (const tuning::TextProblem& problem : reading.problems)
        subject.troubles.push_back({int(lines.line(problem.begin)), int(lines.column(problem.begin)),
                                    QString::fromStdString(problem.message), QString::fromStdString(problem.action)});
    if (reading.marks.empty()) subject.suggestion = suggestMark(question.text);
    if (stop.stop_requested()) return cancelledError();
    if (!reading.tunable) return subject;
    protocol::SweepRequest& request = subject.request.emplace();
    request.label = question.label;
    request.task = question.task;
    request.points = question.points;
    request.tunable = std::move(*reading.tunable);
    leaveToSpace(request);
    subject.gpu = question.gpu;
    subject.current = request.tunable.space.key(request.tunable.space.start());
    subject.store = storeOf(request, question.folder, textAtFirstValues(request.tunable));
    subject.size = request.tunable.space.size();
    subject.allowed = request.tunable.space.countAllowed(mostCounted, stop);
    if (stop.stop_requested()) return cancelledError();
    subject.hasArray = isArrayUnderWay(subject.store);
    if (Result<void> gone = goOnWithStore(subject, stop); !gone) return gone.error();
    return subject;
}

} // namespace kernelarium::ui
