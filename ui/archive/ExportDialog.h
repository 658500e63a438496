// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/export/Export.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;

namespace kernelarium::ui {

/// Which kernels are taken out of the archive, in which form, and where to.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    /// How many are selected and shown; `folder`: where to suggest a place.
    ExportDialog(int chosen, int shown, bool onlyChosen, const QString& folder, QWidget* parent = nullptr);

    [[nodiscard]] bool onlyChosen() const;
    [[nodiscard]] archive::ExportFormat format() const;
    [[nodiscard]] QString path() const;

private:
    void suggest();
    void browse();
    void refresh();

    QString m_folder;
    QRadioButton* m_chosen;
    QRadioButton* m_shown;
    QComboBox* m_format;
    QLineEdit* m_path;
    QLabel* m_hint;
    QPushButton* m_export;
    bool m_suggested = true; ///< the path is not the user's yet
};

} // namespace kernelarium::ui
