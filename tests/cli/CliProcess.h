// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QStringList>
#include <functional>
#include <nlohmann/json.hpp>

/// What one call of kernelarium-cli gave.
struct CliAnswer {
    int exitCode = -1;
    bool crashed = true;
    QByteArray output;
    QByteArray messages;
    [[nodiscard]] nlohmann::json json() const; ///< discarded() when the output is not one JSON document
};

/// Runs the program as a user would. `during` is called about every 2 ms while it runs.
CliAnswer callCli(const QStringList& arguments, const QByteArray& input = {},
                  const std::function<void(qint64 pid)>& during = {});

/// A kernel of tests/cli/kernels.
QString fixture(const QString& name);

/// Processes whose parent is this one.
QList<qint64> childrenOf(qint64 pid);
