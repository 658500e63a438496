// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QString;
class QWidget;

namespace kernelarium::ui {

/// The view below a line that says what it shows, as one of several side by side.
[[nodiscard]] QWidget* captioned(const QString& caption, QWidget& view);

} // namespace kernelarium::ui
