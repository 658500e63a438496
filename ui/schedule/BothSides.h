// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/schedule/ScheduleResult.h"

#include <QWidget>

class QLabel;
class QTableView;

namespace kernelarium::ui {

class LinkStrip;
class ScheduleModel;
class Theme;

/// The code before and after a search side by side: instructions that were moved are lit and linked, control fields
/// that changed say what they were.
class BothSides : public QWidget {
    Q_OBJECT
public:
    explicit BothSides(Theme& theme, QWidget* parent = nullptr);

    void show(const ScheduleSubjectPointer& subject, const ScheduleVariantPointer& variant);
    /// Goes to an instruction by its place in the original, on both sides.
    void goTo(int instruction);

    [[nodiscard]] QTableView& before() { return *m_before; }
    [[nodiscard]] QTableView& after() { return *m_after; }
    [[nodiscard]] ScheduleModel& beforeModel() { return *m_beforeModel; }
    [[nodiscard]] ScheduleModel& afterModel() { return *m_afterModel; }
    [[nodiscard]] LinkStrip& links() { return *m_links; }
    [[nodiscard]] QString said() const;

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void stateChanged();

private:
    void buildTable(QTableView& table, ScheduleModel& model, const QString& name);
    int fill(const ScheduleSubjectPointer& subject, const ScheduleVariantPointer& variant);
    void follow(bool isAfter);

    Theme& m_theme;
    ScheduleModel* m_beforeModel;
    ScheduleModel* m_afterModel;
    QTableView* m_before;
    QTableView* m_after;
    LinkStrip* m_links;
    QLabel* m_said;
    ScheduleVariantPointer m_variant;
    bool m_quiet = false;
};

} // namespace kernelarium::ui
