// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/Captioned.h"

#include <QLabel>
#include <QVBoxLayout>

namespace kernelarium::ui {

QWidget* captioned(const QString& caption, QWidget& view) {
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* label = new QLabel(caption);
    label->setProperty("role", "muted");
    label->setContentsMargins(8, 4, 8, 4);
    layout->addWidget(label);
    layout->addWidget(&view, 1);
    return box;
}

} // namespace kernelarium::ui
