// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/TakenHunks.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

namespace kernelarium::ui {

namespace {

session::OtherParent parentOf(const HunkSource& source) {
    return {source.key.toStdString(), source.title.toStdString(), source.attempt};
}

QJsonObject linesToJson(const QMap<QString, int>& lines) {
    QJsonObject json;
    for (auto line = lines.begin(); line != lines.end(); ++line)
        json[line.key()] = line.value();
    return json;
}

QMap<QString, int> linesFromJson(const QJsonObject& json) {
    QMap<QString, int> lines;
    for (auto line = json.begin(); line != json.end(); ++line)
        lines[line.key()] = line.value().toInt();
    return lines;
}

} // namespace

TakenHunks::Lines TakenHunks::linesOf(const QString& text) {
    Lines lines;
    for (const QString& line : text.split(QLatin1Char('\n')))
        if (const QString bare = line.trimmed(); !bare.isEmpty()) ++lines[bare];
    return lines;
}

void TakenHunks::take(const QString& kernel, const HunkSource& source, const QString& before, const QString& after) {
    const Lines old = linesOf(before), now = linesOf(after);
    Hunk hunk{source, {}, {}};
    for (auto line = now.begin(); line != now.end(); ++line)
        if (line.value() > old.value(line.key())) hunk.added[line.key()] = old.value(line.key());
    for (auto line = old.begin(); line != old.end(); ++line)
        if (line.value() > now.value(line.key())) hunk.removed[line.key()] = line.value();
    if (!hunk.added.isEmpty() || !hunk.removed.isEmpty()) m_hunks[kernel].push_back(std::move(hunk));
}

bool TakenHunks::isIn(const Hunk& hunk, const Lines& lines) {
    for (auto line = hunk.added.begin(); line != hunk.added.end(); ++line)
        if (lines.value(line.key()) > line.value()) return true;
    if (!hunk.added.isEmpty()) return false;
    for (auto line = hunk.removed.begin(); line != hunk.removed.end(); ++line)
        if (lines.value(line.key()) < line.value()) return true;
    return false;
}

std::vector<session::OtherParent> TakenHunks::in(const QString& kernel, const QString& text) const {
    std::vector<session::OtherParent> parents;
    const auto hunks = m_hunks.constFind(kernel);
    if (hunks == m_hunks.constEnd()) return parents;
    const Lines lines = linesOf(text);
    for (const Hunk& hunk : *hunks) {
        auto parent = parentOf(hunk.source);
        if (isIn(hunk, lines) && std::find(parents.begin(), parents.end(), parent) == parents.end())
            parents.push_back(std::move(parent));
    }
    return parents;
}

void TakenHunks::kept(const QString& kernel, const std::vector<session::OtherParent>& parents) {
    const auto hunks = m_hunks.find(kernel);
    if (hunks == m_hunks.end()) return;
    std::erase_if(*hunks, [&](const Hunk& hunk) {
        return std::find(parents.begin(), parents.end(), parentOf(hunk.source)) != parents.end();
    });
    if (hunks->empty()) m_hunks.erase(hunks);
}

void TakenHunks::rename(const QString& from, const QString& to) {
    const auto hunks = m_hunks.take(from);
    if (!hunks.empty()) m_hunks[to] = hunks;
}

QByteArray TakenHunks::toJson() const {
    QJsonArray all;
    for (auto kernel = m_hunks.begin(); kernel != m_hunks.end(); ++kernel)
        for (const Hunk& hunk : *kernel)
            all.append(QJsonObject{{QStringLiteral("kernel"), kernel.key()},
                                   {QStringLiteral("key"), hunk.source.key},
                                   {QStringLiteral("title"), hunk.source.title},
                                   {QStringLiteral("attempt"), hunk.source.attempt},
                                   {QStringLiteral("added"), linesToJson(hunk.added)},
                                   {QStringLiteral("removed"), linesToJson(hunk.removed)}});
    return QJsonDocument(all).toJson(QJsonDocument::Compact);
}

TakenHunks TakenHunks::fromJson(const QByteArray& json) {
    TakenHunks taken;
    for (const QJsonValue& value : QJsonDocument::fromJson(json).array()) {
        const QJsonObject object = value.toObject();
        Hunk hunk{{object[QStringLiteral("key")].toString(), object[QStringLiteral("title")].toString(),
                   qint64(object[QStringLiteral("attempt")].toDouble())},
                  linesFromJson(object[QStringLiteral("added")].toObject()),
                  linesFromJson(object[QStringLiteral("removed")].toObject())};
        if (const QString kernel = object[QStringLiteral("kernel")].toString();
            !kernel.isEmpty() && !hunk.source.key.isEmpty())
            taken.m_hunks[kernel].push_back(std::move(hunk));
    }
    return taken;
}

} // namespace kernelarium::ui
