// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/InterruptedImport.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace kernelarium::ui {

QStringList InterruptedImport::missing() const {
    QStringList missing;
    for (const QString& input : inputs)
        if (!QFileInfo::exists(input)) missing << input;
    return missing;
}

QByteArray InterruptedImport::toJson() const {
    QJsonObject json;
    if (!isNone()) {
        json[QStringLiteral("inputs")] = QJsonArray::fromStringList(inputs);
        json[QStringLiteral("database")] = database;
    }
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

InterruptedImport InterruptedImport::fromJson(const QByteArray& json) {
    const QJsonObject object = QJsonDocument::fromJson(json).object();
    InterruptedImport import;
    import.database = object[QStringLiteral("database")].toString();
    for (const QJsonValue& input : object[QStringLiteral("inputs")].toArray())
        import.inputs << input.toString();
    return import;
}

} // namespace kernelarium::ui
