// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/stepper/StepWalk.h"
#include "ui/theme/Theme.h"

#include <QAbstractTableModel>
#include <array>
#include <vector>

namespace kernelarium::ui {

/// Shared memory after the step: rows of 32 words of 4 bytes, a column for each bank. Words that the step reads or
/// writes are marked; a bank's header says how many different words of it the step wants, which it gets one by one.
class SharedModel : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr int banks = 32;
    enum Mark : std::uint8_t { none = 0, read = 1, written = 2, changed = 4 };

    SharedModel(StepWalk& walk, const Theme& theme, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] int marksOf(int word) const;
    [[nodiscard]] int wordsOfBank(int bank) const { return m_wanted[std::size_t(bank)]; }
    /// The first word that the step reads or writes; invalid: none.
    [[nodiscard]] QModelIndex firstMarked() const;

private:
    void reset();
    void refresh();
    void note();
    [[nodiscard]] QString tip(std::size_t word) const;

    StepWalk& m_walk;
    const Theme& m_theme;
    std::vector<std::uint8_t> m_marks;
    std::array<int, banks> m_wanted{};
};

} // namespace kernelarium::ui
