// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/BuildOptions.h"

#include "core/text/CompilerSettings.h"

#include <QDir>
#include <QFileInfo>

namespace kernelarium::ui {

QString wholeOptions(const QString& line, const Kernel& kernel) {
    auto settings = text::settingsFromLine(line.toStdString());
    if (!settings || settings->folders.empty()) return line;
    const bool isFile = kernel.origin == Kernel::Origin::file && !kernel.path.isEmpty();
    const QDir base = isFile ? QFileInfo(kernel.path).absoluteDir() : QDir::current();
    for (std::string& folder : settings->folders)
        folder = QDir::cleanPath(base.absoluteFilePath(QString::fromStdString(folder))).toStdString();
    return QString::fromStdString(text::lineOf(*settings));
}

} // namespace kernelarium::ui
