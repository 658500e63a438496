// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QDialog>

class QTextBrowser;

namespace kernelarium::ui {

/// The version, the licence, and the libraries with theirs.
class AboutDialog : public QDialog {
    Q_OBJECT
public:
    explicit AboutDialog(const Theme& theme, QWidget* parent = nullptr);
    [[nodiscard]] QString text() const;

private:
    QTextBrowser* m_text;
};

} // namespace kernelarium::ui
