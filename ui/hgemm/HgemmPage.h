// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/hgemm/HgemmDesk.h"
#include "ui/theme/Theme.h"

#include <QWidget>

class QLabel;
class QStackedWidget;
class QToolButton;

namespace kernelarium::ui {

class LaboratoryView;
class Notices;
class PublishedView;
struct LaboratorySite;
struct WorkspacePaths;

/// Half-precision matrix multiplication, in two halves: what was published, and the laboratory, where products are
/// measured. A sentence over either says what it shows.
class HgemmPage : public QWidget {
    Q_OBJECT
public:
    HgemmPage(const LaboratorySite& site, Notices& notices, const WorkspacePaths& paths, Theme& theme,
              QWidget* parent = nullptr);

    void focusFirst(); ///< where the keyboard begins
    void import(const QStringList& files) { m_desk->import(files); }
    [[nodiscard]] HgemmDesk& desk() { return *m_desk; }
    [[nodiscard]] PublishedView& published() { return *m_published; }
    [[nodiscard]] LaboratoryView& laboratory() { return *m_laboratory; }
    [[nodiscard]] QToolButton& publishedButton() { return *m_toPublished; }
    [[nodiscard]] QToolButton& laboratoryButton() { return *m_toLaboratory; }
    [[nodiscard]] bool isInLaboratory() const; ///< else with what is published
    void setInLaboratory(bool inLaboratory);
    [[nodiscard]] QString headline() const;

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void openRequested(); ///< tables are to be chosen
    void backRequested();
    void stateChanged();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    QWidget* buildHead();
    void follow();
    void refresh();
    void refreshSentence();

    Notices& m_notices;
    Theme& m_theme;
    HgemmDesk* m_desk;
    QToolButton* m_back;
    QToolButton* m_toPublished;
    QToolButton* m_toLaboratory;
    QToolButton* m_open;
    QToolButton* m_save;
    QLabel* m_headline;
    QLabel* m_subline;
    PublishedView* m_published;
    LaboratoryView* m_laboratory;
    QStackedWidget* m_body;
    const HgemmDesk::Results* m_followed = nullptr;
};

} // namespace kernelarium::ui
