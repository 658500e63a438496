// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

namespace kernelarium::ui {

/// The translation context of texts outside any QObject: `Words::tr("Copy rows")`, which lupdate finds.
class Words {
    Q_DECLARE_TR_FUNCTIONS(Words)
};

/// A name as the text of an action, a tab or a button: an ampersand in it is no mnemonic.
[[nodiscard]] inline QString withoutMnemonic(QString name) {
    return name.replace(QLatin1Char('&'), QLatin1String("&&"));
}

} // namespace kernelarium::ui
