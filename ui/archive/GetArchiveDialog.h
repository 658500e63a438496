// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hub/Get.h"

#include <QDialog>
#include <memory>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace kernelarium::ui {

class ArchiveDesk;

/// What of the published archive is to be downloaded, and where to. Asks the hub when it opens; the download itself
/// goes on in the window's status line.
class GetArchiveDialog : public QDialog {
    Q_OBJECT
public:
    /// `folder`: where downloads go unless another place is chosen.
    GetArchiveDialog(ArchiveDesk& desk, const QString& folder, QWidget* parent = nullptr);
    ~GetArchiveDialog() override;

    /// The files that are ticked.
    [[nodiscard]] hub::GetRequest request() const;
    [[nodiscard]] QString finding() const; ///< what it says of the hub's answer

private:
    void build();
    void askHub();
    void showFiles(const Result<std::shared_ptr<const hub::GetRequest>>& found);
    void refresh();
    void say(const QString& text, const char* role);

    ArchiveDesk& m_desk;
    QLineEdit* m_host;
    QLineEdit* m_into;
    QListWidget* m_files;
    QLabel* m_finding;
    QPushButton* m_ask;
    QPushButton* m_get = nullptr;
    std::shared_ptr<const hub::GetRequest> m_offered;
    quint64 m_serial = 0;
};

} // namespace kernelarium::ui
