// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabWidget>
#include <memory>

namespace kernelarium::compile {
struct CompiledUnit;
}

namespace kernelarium::ui {

class Bench;
class CompileDesk;
class Place;
class PtxView;
class ScheduleView;
class Theme;

/// The machine's instructions of the text on the bench, in two ways: with their schedule in columns, which we decode
/// ourselves, and as nvdisasm of the CUDA Toolkit lists them. Each is asked for once somebody looks at it.
class SassPanel : public QTabWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Place& place;
        CompileDesk& compiler;
    };
    SassPanel(const Around& around, Theme& theme, QWidget* parent = nullptr);

    /// Asks for what is looked at, where it is not of the newest text that compiles; does nothing while it is hidden.
    void follow();
    void clear(); ///< nothing is known of the new text yet
    void showSourceLine(int line);
    void showListing();
    void showSchedule();
    [[nodiscard]] bool isShowingListing() const;

    [[nodiscard]] PtxView& listing() { return *m_listing; }
    [[nodiscard]] ScheduleView& schedule() { return *m_schedule; }

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void sourceLineActivated(int line);
    void stateChanged();

private:
    using Unit = std::shared_ptr<const compile::CompiledUnit>;
    void followListing(const Unit& unit);
    void followSchedule(const Unit& unit);

    Around m_with;
    PtxView* m_listing;
    ScheduleView* m_schedule;
    int m_line = 0; ///< of the source, where the cursor is
    // Held: another one must not come to lie at the address of one that is gone.
    Unit m_listed; ///< that is shown, or asked for
    Unit m_read;
};

} // namespace kernelarium::ui
