// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace kernelarium::ui {

int testLessonsPage(int argc, char** argv);
int testSessionPanel(int argc, char** argv);

/// From here on a logged warning fails the running test, except those of the offscreen platform about itself.
void failOnWarnings();

/// Keeps a picture of the widget under the folder that KERNELARIUM_PICTURES names, when it does.
void keepPicture(QWidget& widget, const QString& name);

} // namespace kernelarium::ui
