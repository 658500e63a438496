// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/Standing.h"

#include "ui/words/Quantities.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/PastTrials.h"

#include <QStringList>

namespace kernelarium::ui {

namespace {

using session::Timing;

QString originWord(Timing::Origin origin) {
    const std::string_view word = session::name(origin);
    return QString::fromUtf8(word.data(), qsizetype(word.size()));
}

/// What was published is of the whole task, with a cold cache.
bool isAsPublished(const Timing& time) {
    return time.size == "full" && (time.mode.empty() || time.mode == "cold");
}

bool isSameKind(const Timing& a, const Timing& b) {
    return a.device == b.device && a.size == b.size && a.mode == b.mode;
}

/// Other implementations of the task that were timed as this was; of each the newest.
std::vector<Standing::Rival> timedBeside(const Timing& time, const std::vector<session::AttemptSummary>& attempts) {
    std::vector<Standing::Rival> rivals;
    for (const session::AttemptSummary& attempt : attempts)
        for (const Timing& other : attempt.timings) {
            if (!isSameKind(time, other)) continue;
            for (const session::BaselineTime& baseline : other.baselines) {
                if (!baseline.mode.empty() && baseline.mode != time.mode) continue;
                const QString name = QString::fromStdString(baseline.name);
                std::erase_if(rivals, [&](const auto& rival) { return rival.name == name; });
                rivals.push_back(
                    {name, baseline.milliseconds, Timing::Origin::measured, QString::fromStdString(other.device)});
            }
        }
    return rivals;
}

} // namespace

Standing::Standing(Bench& bench, PastTrials& past, QObject* parent)
    : QObject(parent)
    , m_bench(bench)
    , m_past(past) {
    connect(&past, &PastTrials::knownChanged, this, &Standing::changed);
    connect(&bench, &Bench::kernelChanged, this, &Standing::changed);
    connect(&bench, &Bench::sourceChanged, this, &Standing::changed);
}

std::optional<Standing::Now> Standing::now() const {
    Now now;
    bool timed = false;
    for (const session::AttemptSummary& attempt : m_past.known())
        if (!attempt.timings.empty() && m_past.isOfThisText(attempt)) {
            now.time = attempt.timings.back();
            timed = true;
        }
    if (!timed) return std::nullopt;
    const auto& row = m_bench.kernel().row;
    const auto archived = [&](const QString& name, const std::optional<double>& ms) {
        if (ms && *ms > 0) now.rivals.push_back({name, *ms, Timing::Origin::archived, {}});
    };
    const bool asPublished = row && isAsPublished(now.time);
    if (asPublished) archived(tr("the archived"), row->runtime);
    std::vector<Rival> beside = timedBeside(now.time, m_past.known());
    if (asPublished && beside.empty()) {
        archived(tr("PyTorch native"), row->nativeRuntime);
        archived(tr("torch.compile"), row->compileRuntime);
    }
    now.rivals.insert(now.rivals.end(), beside.begin(), beside.end());
    return now;
}

QString Standing::sentence() const {
    const std::optional<Now> now = this->now();
    if (!now) return {};
    QStringList parts{tr("%1 %2").arg(secondsText(now->time.milliseconds / 1e3), originWord(now->time.origin))};
    for (const Rival& rival : now->rivals) {
        const QString ratio = speedupText(rival.milliseconds / now->time.milliseconds);
        parts << (parts.size() == 1 ? tr("%1 as fast as %2") : tr("%1 %2")).arg(ratio, rival.name);
    }
    return parts.join(QStringLiteral(", "));
}

QString Standing::explanation() const {
    const std::optional<Now> now = this->now();
    if (!now) return {};
    const QString mode = QString::fromStdString(now->time.mode);
    QStringList lines{tr("This text: %1, %2 on %3, %4 size%5")
                          .arg(secondsText(now->time.milliseconds / 1e3), originWord(now->time.origin),
                               QString::fromStdString(now->time.device), QString::fromStdString(now->time.size),
                               mode.isEmpty() ? QString() : QStringLiteral(", ") + mode)};
    for (const Rival& rival : now->rivals)
        lines << tr("%1: %2, %3 on %4")
                     .arg(rival.name, secondsText(rival.milliseconds / 1e3), originWord(rival.origin),
                          rival.device.isEmpty() ? tr("the publishers' GPU") : rival.device);
    const bool mixed = std::any_of(now->rivals.begin(), now->rivals.end(),
                                   [&](const Rival& rival) { return rival.origin != now->time.origin; });
    if (mixed)
        lines << tr("Times of different origin: what the ratios say is how large the difference is, not a proof.");
    return lines.join(QLatin1Char('\n'));
}

} // namespace kernelarium::ui
