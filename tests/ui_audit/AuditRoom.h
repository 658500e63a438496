// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui_window/Room.h"

namespace kernelarium::ui {

/// The program's window on a copy of the starter archive in a folder of its own, so that verdicts come beside it.
class AuditRoom : public Room {
public:
    using Room::Room;
    [[nodiscard]] QString database() const { return paths.starterArchive; }
    /// The verdicts in the file, by label.
    [[nodiscard]] QHash<QString, audit::StoredVerdict> stored() const;
    /// Puts a verdict into the file as an audit of an earlier version would have.
    void store(qint64 row, verify::VerdictKind kind, const std::string& reason, bool stale = false) const;
};

} // namespace kernelarium::ui
