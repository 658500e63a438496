// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Judged.h"
#include "core/tuning/space/Space.h"
#include "tests/ui_window/Room.h"

namespace kernelarium::ui {

class TunePage;

/// The window with a marked ReLU on the bench: 8 points, of which one is forbidden, half give wrong results and two
/// cannot be launched.
class TuningRoom : public Room {
public:
    using Room::Room;

    /// Opens the page with a text from a file of this name; waits until it has been read.
    [[nodiscard]] bool open(const QByteArray& text, const QString& name = QStringLiteral("relu.cu"));
    [[nodiscard]] TunePage& page() const;
    /// What the page shows is of the text as it stands, and nothing is on its way.
    [[nodiscard]] bool waitUntilLooked() const;
    [[nodiscard]] bool waitUntilEnded() const;
    [[nodiscard]] QStringList stores() const;
};

[[nodiscard]] QByteArray markedRelu();

/// A space of four parameters, one of them of words, and judged points of it: of every kind, with details.
[[nodiscard]] tuning::Space paperSpace();
[[nodiscard]] std::vector<tuning::Judged> paperPoints(const tuning::Space& space, std::size_t most);

} // namespace kernelarium::ui
