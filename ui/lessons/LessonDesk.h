// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lessons/LessonsPage.h"
#include "ui/threads/SerialThread.h"
#include "ui/workspace/TakenHunks.h"

#include <QWidget>

namespace kernelarium::ui {

class Bench;
class RunDesk;
class SessionDesk;
class Settings;
struct KeptProfile;
class Trials;

/// The lessons page with the bench behind it: opens starters, has them verified and counted, and hands over
/// what came out.
class LessonDesk : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Trials& trials;
        RunDesk& runner;
        SessionDesk& session;
        Settings& settings;
    };
    LessonDesk(const Around& around, Theme& theme, QWidget* parent = nullptr);
    ~LessonDesk() override;
    [[nodiscard]] LessonsPage& page() { return *m_page; }

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

Q_SIGNALS:
    void dockRequested(const QString& name);
    /// Another text beside the one on the bench.
    void comparisonRequested(const QString& text, const HunkSource& source);

private:
    void load();
    void loadAgain(); ///< where somebody changed a lesson of the folders
    void addFolder(const QString& folder);
    void removeFolder(const QString& folder);
    void writeRecord(const QString& student, const QString& path);
    void lookAtStarter(const QString& lesson, const QString& step);
    enum class Text { kept, starter, solution };
    void openKernel(const QString& lesson, const QString& step, Text text);
    void compare(const QString& lesson, const QString& step);
    void check(const QString& lesson, const QString& step);
    void proceed();
    void finish(const QString& problem);
    [[nodiscard]] lesson::StepEvidence evidence() const;
    [[nodiscard]] std::string onlySize() const;
    [[nodiscard]] static lesson::StepEvidence counted(const KeptProfile& profile, const std::string& onlySize);

    Around m_with;
    LessonsPage* m_page;
    // The check that is under way; empty names: none.
    QString m_lesson;
    QString m_step;
    bool m_verifying = false;
    bool m_timing = false;
    quint64 m_generation = 0;
    bool m_hasProgress = false;
    std::string m_loaded;                               ///< lesson::identityOfFolders() of what is shown
    std::map<QString, lesson::StepEvidence> m_starters; ///< what was counted, by the starter's text
    SerialThread m_thread;
};

} // namespace kernelarium::ui
