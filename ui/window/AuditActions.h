// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

class Actions;
class ArchivePanel;
class AuditPage;
class Docks;

/// The actions that begin and pause an audit of the archive.
class AuditActions : public QObject {
    Q_OBJECT
public:
    AuditActions(AuditPage& page, ArchivePanel& archive, Docks& docks, Actions& actions, QObject* parent);

private:
    AuditPage& m_page;
    Docks& m_docks;
};

} // namespace kernelarium::ui
