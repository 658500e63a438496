// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace kernelarium::ui {

/// The translation context of texts outside any QObject: `Words::tr("Copy rows")`, which lupdate finds.
class Words {
    Q_DECLARE_TR_FUNCTIONS(Words)
};

} // namespace kernelarium::ui
