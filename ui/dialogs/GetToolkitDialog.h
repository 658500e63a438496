// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/ToolkitDesk.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QTreeWidget;

namespace kernelarium::ui {

/// What of the CUDA toolkit would be brought, from where and how large it is, and under which licence. Asks the source
/// when it opens; nothing is fetched before the licence is accepted. Bringing itself goes on in the desk.
class GetToolkitDialog : public QDialog {
    Q_OBJECT
public:
    explicit GetToolkitDialog(ToolkitDesk& desk, QWidget* parent = nullptr);
    ~GetToolkitDialog() override;

    /// Opens one; what it is accepted with is brought.
    static GetToolkitDialog* openOn(ToolkitDesk& desk, QWidget* parent);

    [[nodiscard]] const ToolkitDesk::Offered& offered() const { return m_offered; } ///< null: not yet
    [[nodiscard]] toolkit::Source source() const;
    [[nodiscard]] QString finding() const;
    [[nodiscard]] QCheckBox& accepts() { return *m_accepts; }
    [[nodiscard]] QPushButton& install() { return *m_install; }
    [[nodiscard]] QTreeWidget& wheels() { return *m_wheels; }
    void chooseFolder(const QString& folder); ///< of wheels, in place of the index

private:
    void build();
    void askSource();
    void showOffer(const Result<ToolkitDesk::Offered>& offer);
    void refresh();
    void say(const QString& text, const char* role);

    ToolkitDesk& m_desk;
    QRadioButton* m_fromIndex;
    QRadioButton* m_fromFolder;
    QLineEdit* m_index;
    QLineEdit* m_folder;
    QTreeWidget* m_wheels;
    QLabel* m_finding;
    QCheckBox* m_accepts;
    QPushButton* m_install = nullptr;
    ToolkitDesk::Offered m_offered;
    quint64 m_serial = 0;
};

} // namespace kernelarium::ui
