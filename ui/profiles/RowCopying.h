// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAbstractItemView;
class QString;

namespace kernelarium::ui {

/// Gives a table or tree "Copy rows" (Ctrl+C) and "Copy all" in its context menu: cells separated by tabs, one line a
/// row, with the header. Rows below a row follow it.
void makeCopyable(QAbstractItemView& view);

/// The whole of a view's model, or the rows that are selected.
[[nodiscard]] QString textOfRows(const QAbstractItemView& view, bool onlySelected);

} // namespace kernelarium::ui
