// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/starter_findings/StarterProfile.h"

#include <QFile>
#include <QProcess>
#include <QStringList>
#include <map>
#include <nlohmann/json.hpp>

namespace kernelarium::test {

namespace {

StarterProfile profile(const QString& kernel, const QString& device) {
    constexpr int missingComponent = 3;
    const QStringList parts = kernel.split(QLatin1Char('/'));
    StarterProfile p;
    QProcess cli;
    cli.start(QStringLiteral(KERNELARIUM_BIN_DIR "/kernelarium-cli"),
              {QStringLiteral("--json"), QStringLiteral("profile"), QStringLiteral("--db"),
               QStringLiteral(KERNELARIUM_STARTER_DATABASE), QStringLiteral("--kernel"),
               QStringLiteral("L%1/T%2/%3@").arg(parts[0], parts[1], parts[2]), QStringLiteral("--device"), device});
    if (!cli.waitForFinished(300'000)) {
        p.trouble = QStringLiteral("kernelarium-cli did not finish");
        return p;
    }
    const QByteArray out = cli.readAllStandardOutput();
    if (cli.exitCode() == missingComponent) {
        p.missing = QString::fromUtf8(out);
        return p;
    }
    const auto json = nlohmann::json::parse(out.toStdString(), nullptr, false);
    if (cli.exitCode() != 0 || json.is_discarded()) {
        p.trouble = QString::fromUtf8(out + cli.readAllStandardError());
        return p;
    }
    auto launches = perf::launchesFromJson(json.at("counters"));
    auto findings = perf::findingsFromJson(json.at("findings"));
    if (!launches || !findings)
        p.trouble = QStringLiteral("counters or findings cannot be read");
    else {
        p.launches = std::move(*launches);
        p.findings = std::move(*findings);
    }
    return p;
}

} // namespace

const StarterProfile& starterProfile(const QString& kernel, const QString& device) {
    static std::map<std::pair<QString, QString>, StarterProfile> known;
    const auto key = std::pair(kernel, device);
    if (const auto found = known.find(key); found != known.end()) return found->second;
    return known.emplace(key, profile(kernel, device)).first->second;
}

int starterLine(const QString& kernel, const QString& words) {
    const QStringList parts = kernel.split(QLatin1Char('/'));
    QFile file(QStringLiteral(KERNELARIUM_SOURCE_DIR "/archive_data/kernels/level_%1/%2/%3.cu")
                   .arg(parts[0], parts[1].rightJustified(3, QLatin1Char('0')), parts[2]));
    if (!file.open(QIODevice::ReadOnly)) return 0;
    int found = 0, line = 0;
    while (!file.atEnd()) {
        ++line;
        if (!QString::fromUtf8(file.readLine()).contains(words)) continue;
        if (found) return 0;
        found = line;
    }
    return found;
}

} // namespace kernelarium::test
