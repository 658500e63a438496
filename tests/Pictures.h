// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace kernelarium::test {

/// Keeps a picture of the widget under the folder that KERNELARIUM_PICTURES names, when it does.
void keepPicture(QWidget& widget, const QString& name);

} // namespace kernelarium::test
