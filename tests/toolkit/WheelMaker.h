// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/toolkit/Offer.h"
#include "tests/hub/HubServer.h"

#include <QByteArray>
#include <QDir>
#include <QList>
#include <QMap>
#include <QString>

/// A member of a zip archive, with what it may lie about.
struct ZipMember {
    QByteArray name;
    QByteArray content;
    quint32 mode = 0100644;
    bool deflated = false;
    quint16 flags = 0;
    int method = -1;          ///< said instead of the right one
    qint64 saidBytes = -1;    ///< likewise, unpacked
    qint64 saidChecksum = -1; ///< likewise, CRC-32
};

[[nodiscard]] QByteArray zipOf(const QList<ZipMember>& members);

/// What a wheel of the pinned set consists of: paths below the toolkit's folder, and their contents.
using WheelContents = QMap<QString, QByteArray>;

/// The members of such a wheel: below nvidia/cu13, with licence and RECORD.
[[nodiscard]] QList<ZipMember> wheelMembers(const kernelarium::toolkit::PinnedWheel& wheel, const WheelContents& files);

/// Each pinned wheel by its published name, with just the files that it needs; their content begins with `mark`.
[[nodiscard]] QMap<QString, QByteArray> smallWheels(const QByteArray& mark = "made");

/// The same with the files of a toolkit on this machine, real ones; empty where it lacks one.
[[nodiscard]] QMap<QString, QByteArray> wheelsOf(const QString& toolkit);

/// A server's behaviour as a simple index of these wheels at "/simple/": JSON (PEP 691), or HTML (PEP 503) without
/// sizes. `sums` replaces checksums by the wheel's name.
[[nodiscard]] HubBehaviour indexOf(const QMap<QString, QByteArray>& wheels, bool isJson = true,
                                   const QMap<QString, QByteArray>& sums = {});

/// Writes them to a folder, with a SHA256SUMS of what they are.
void writeWheels(const QMap<QString, QByteArray>& wheels, const QDir& folder, bool withSums = true);

[[nodiscard]] QByteArray sha256Of(const QByteArray& content);
