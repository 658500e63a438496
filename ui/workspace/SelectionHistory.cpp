// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/SelectionHistory.h"

namespace kernelarium::ui {

void SelectionHistory::visit(const QString& key) {
    if (!m_keys.empty() && m_keys[m_at] == key) return;
    if (!m_keys.empty()) m_keys.resize(m_at + 1);
    m_keys.push_back(key);
    if (m_keys.size() > longest) m_keys.erase(m_keys.begin());
    m_at = m_keys.size() - 1;
}

QString SelectionHistory::back() {
    return canGoBack() ? m_keys[--m_at] : QString();
}

QString SelectionHistory::forward() {
    return canGoForward() ? m_keys[++m_at] : QString();
}

} // namespace kernelarium::ui
