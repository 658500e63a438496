// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/TargetText.h"

#include "ui/words/Words.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

namespace kernelarium::ui {

QString placeText(const Target& target) {
    const QString what = target.onGpu() ? target.gpu : Words::tr("emulator");
    return target.host.isEmpty() ? what : Words::tr("%1 on %2").arg(what, target.host);
}

QByteArray toJson(const Target& target) {
    QJsonObject json;
    json[QStringLiteral("arch")] = target.arch;
    json[QStringLiteral("device")] = target.device;
    json[QStringLiteral("fast_math")] = target.fastMath;
    json[QStringLiteral("seed")] = QString::number(target.seed);
    json[QStringLiteral("host")] = target.host;
    json[QStringLiteral("gpu")] = target.gpu;
    json[QStringLiteral("ordinal")] = target.ordinal;
    json[QStringLiteral("size")] = target.size;
    json[QStringLiteral("time_mode")] = target.timeMode;
    json[QStringLiteral("rate")] = target.rate;
    json[QStringLiteral("baselines")] = target.baselines;
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

Target targetFromJson(const QByteArray& text) {
    Target target;
    const QJsonObject json = QJsonDocument::fromJson(text).object();
    const auto word = [&json](const char* key, QString& value, std::initializer_list<const char*> allowed = {}) {
        const QString found = json[QLatin1String(key)].toString(value);
        const bool fits = allowed.size() == 0 || std::any_of(allowed.begin(), allowed.end(),
                                                             [&](const char* a) { return found == QLatin1String(a); });
        if (fits) value = found;
    };
    word("arch", target.arch);
    word("device", target.device);
    target.fastMath = json[QStringLiteral("fast_math")].toBool();
    target.seed = json[QStringLiteral("seed")].toString(QStringLiteral("1")).toULongLong();
    word("host", target.host);
    word("gpu", target.gpu);
    target.ordinal = std::max(0, json[QStringLiteral("ordinal")].toInt());
    word("size", target.size, {"small", "full", "both"});
    word("time_mode", target.timeMode, {"cold", "hot", "server"});
    target.baselines = json[QStringLiteral("baselines")].toBool();
    const double rate = json[QStringLiteral("rate")].toDouble(target.rate);
    if (rate >= 0.01 && rate <= 1e6) target.rate = rate;
    return target;
}

} // namespace kernelarium::ui
