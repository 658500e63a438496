// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <optional>

class QCoreApplication;

/// What the window's program was started with.
struct Arguments {
    QStringList files;
    QString archive;
    QString sessionFile;
    QString tourFolder;
    QString theme;
    bool tour = false;
    /// Of the program's own manual page or completion, where that was wanted instead of a window.
    std::optional<QString> text;
};

/// Prints help or version and ends the program where these are asked for, and ends it with a message on bad usage.
[[nodiscard]] Arguments parseArguments(const QCoreApplication& application);
