// SPDX-License-Identifier: GPL-3.0-or-later
// The last stages of the tour: a lesson, begun and passed.
#include "core/lesson/Lesson.h"
#include "ui/lessons/LessonDesk.h"
#include "ui/source/EditorArea.h"
#include "ui/tour/Tour.h"
#include "ui/window/MainWindow.h"
#include "ui/workspace/Workspace.h"

#include <QPushButton>

namespace kernelarium::ui {

namespace {
const auto lessonName = QStringLiteral("coalescing");
const auto lessonStep = QStringLiteral("walk-along-the-rows");
} // namespace

void Tour::addLessonStages() {
    Workspace& workspace = m_window.workspace();
    LessonsPage& page = m_window.panel<LessonDesk>().page();
    const auto checked = [&workspace, &page] {
        return !workspace.trials().isBusy() && page.checkButton()->isEnabled() &&
               workspace.runner().verifyState().stage == ui::Stage::finished &&
               workspace.runner().verifyState().generation == workspace.bench().generation();
    };
    m_stages.push_back(
        {QStringLiteral("lesson"), tr("A lesson: what a sector is, and a kernel that wastes seven bytes of eight."),
         [this, &page] {
             m_window.editorArea().showPtx(false);
             m_window.showDock(QStringLiteral("lessons"));
             page.show(lessonName, lessonStep);
             page.starterButton()->click();
         },
         [&workspace] {
             return workspace.bench().kernel().origin == Kernel::Origin::lesson && workspace.compiler().isSettled();
         }});
    m_stages.push_back({QStringLiteral("lesson-checked"),
                        tr("Check: the result is right, but each request touches 32 sectors."),
                        [&page] { page.checkButton()->click(); }, checked, 180000});
    m_stages.push_back({QStringLiteral("lesson-passed"), tr("With the indices swapped the step is passed."),
                        [this, &page] {
                            const lesson::Step* found = page.find(page.currentLesson(), page.currentStep());
                            if (found)
                                m_window.workspace().bench().replaceSource(
                                    QString::fromStdString(found->kernel.solution));
                            page.checkButton()->click();
                        },
                        [checked, &page] { return checked() && page.nextButton()->isEnabled(); }, 180000});
}

} // namespace kernelarium::ui
