// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

namespace kernelarium::ui {

/// The kernels that were on the bench, by key, as a browser keeps pages.
class SelectionHistory {
public:
    void visit(const QString& key);
    [[nodiscard]] bool canGoBack() const { return m_at > 0; }
    [[nodiscard]] bool canGoForward() const { return m_at + 1 < m_keys.size(); }
    [[nodiscard]] QString back(); ///< the key that is now current; empty when there is none before
    [[nodiscard]] QString forward();

private:
    static constexpr std::size_t longest = 200;
    std::vector<QString> m_keys;
    std::size_t m_at = 0;
};

} // namespace kernelarium::ui
