// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QTextBrowser>

namespace kernelarium::ui {

/// A page of resources/help.
class HelpPanel : public QTextBrowser {
    Q_OBJECT
public:
    explicit HelpPanel(Theme& theme, QWidget* parent = nullptr);
    /// By the page's name ("verdict"); the general page where there is none of that name.
    void showPage(const QString& name);

    void showText(const QString& markdown);

private:
    QString m_page;
    QString m_written; ///< shown instead of a page
};

} // namespace kernelarium::ui
