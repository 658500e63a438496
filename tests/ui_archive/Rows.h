// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace kernelarium::ui {

/// JSON lines of so many kernels, named "made_0" and so on from `first`; the tenth part of them has the code of
/// another.
[[nodiscard]] QByteArray madeRows(int count, int first = 0);

/// Writes a JSON lines file's rows as Parquet; what went wrong, else empty.
[[nodiscard]] QString writeParquet(const QString& lines, const QString& parquet);

} // namespace kernelarium::ui
