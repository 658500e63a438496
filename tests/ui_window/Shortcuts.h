// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QString>
#include <vector>

class QWidget;

namespace kernelarium::ui {

/// A key that something in a window listens to, and where the focus must be for it.
struct BoundKey {
    QKeySequence key;
    const QWidget* scope; ///< null: anywhere in the window
    bool withChildren;    ///< of the scope
    const void* owner;
    QString name;
};

/// Actions, shortcuts, buttons with a shortcut or a mnemonic, and the menu bar's mnemonics.
[[nodiscard]] std::vector<BoundKey> boundKeys(QWidget& window);
/// Both may hear the same key press.
[[nodiscard]] bool collide(const BoundKey& a, const BoundKey& b);

} // namespace kernelarium::ui
