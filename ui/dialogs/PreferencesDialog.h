// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/CardDesk.h"
#include "ui/desks/KeptDesk.h"
#include "ui/desks/ToolkitDesk.h"

#include <QDialog>
#include <QTimer>

class QDialogButtonBox;
class QLabel;
class QLineEdit;

namespace kernelarium::ui {

/// What the user settles once: the Python that exports task cards, the CUDA toolkit that compiles, how many
/// compiled kernels are kept.
class PreferencesDialog : public QDialog {
    Q_OBJECT
public:
    PreferencesDialog(CardDesk& cards, ToolkitDesk& toolkits, KeptDesk& kept, QWidget* parent = nullptr);

    [[nodiscard]] QString python() const;  ///< empty: one is looked for
    [[nodiscard]] QString finding() const; ///< what the dialog says of it

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
    void probe();
    void sayMissing(const QString& why);
    void say(const QString& text, const char* role);

    CardDesk& m_cards;
    QLineEdit* m_python;
    QLabel* m_finding;
    QTimer m_pause; ///< of typing
    quint64 m_serial = 0;
};

} // namespace kernelarium::ui
