// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/Settings.h"

#include "ui/desks/TargetText.h"

#include <QJsonDocument>

namespace kernelarium::ui {

Settings::Settings(SessionDesk& session, QObject* parent)
    : QObject(parent)
    , m_session(session) {
    connect(&session, &SessionDesk::ready, this, [this] {
        for (const QString& key : keys())
            if (!m_session.value(key).isEmpty()) Q_EMIT changed(key);
    });
}

QStringList Settings::keys() {
    QStringList all;
    for (const char* key : {setting::target.key, setting::hosts.key, setting::python.key, setting::archivedTidy.key,
                            setting::liveTidy.key, setting::bench.key, setting::window.key, setting::lessons.key,
                            setting::lessonFolders.key, setting::student.key, setting::takenHunks.key,
                            setting::cardPaths.key, setting::interruptedImport.key})
        all << QLatin1String(key);
    return all;
}

void Settings::keep(const char* key, const QByteArray& value) {
    const QString name = QLatin1String(key);
    if (m_session.value(name) == value) return;
    m_session.setValue(name, value);
    Q_EMIT changed(name);
}

Target Settings::read(const QByteArray& text, const Target& /*fallback*/) {
    return targetFromJson(text);
}

QStringList Settings::read(const QByteArray& text, const QStringList& /*fallback*/) {
    return QString::fromUtf8(text).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

QString Settings::read(const QByteArray& text, const QString& /*fallback*/) {
    return QString::fromUtf8(text);
}

bool Settings::read(const QByteArray& text, bool fallback) {
    return text == (fallback ? "off" : "on") ? !fallback : fallback;
}

LastBench Settings::read(const QByteArray& text, const LastBench& /*fallback*/) {
    const QJsonObject json = QJsonDocument::fromJson(text).object();
    return {json[QStringLiteral("archive")].toString(), json[QStringLiteral("kernel")].toString()};
}

QJsonObject Settings::read(const QByteArray& text, const QJsonObject& /*fallback*/) {
    return QJsonDocument::fromJson(text).object();
}

QByteArray Settings::read(const QByteArray& text, const QByteArray& /*fallback*/) {
    return text;
}

QByteArray Settings::written(const Target& value) {
    return toJson(value);
}

QByteArray Settings::written(const QStringList& value) {
    return value.join(QLatin1Char('\n')).toUtf8();
}

QByteArray Settings::written(const QString& value) {
    return value.toUtf8();
}

QByteArray Settings::written(bool value) {
    return value ? QByteArrayLiteral("on") : QByteArrayLiteral("off");
}

QByteArray Settings::written(const LastBench& value) {
    return written(QJsonObject{{QStringLiteral("archive"), value.archive}, {QStringLiteral("kernel"), value.kernel}});
}

QByteArray Settings::written(const QJsonObject& value) {
    return QJsonDocument(value).toJson(QJsonDocument::Compact);
}

QByteArray Settings::written(const QByteArray& value) {
    return value;
}

} // namespace kernelarium::ui
