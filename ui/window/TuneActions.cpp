// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/TuneActions.h"

#include "ui/frame/Actions.h"
#include "ui/tuning/TunePage.h"
#include "ui/window/Pages.h"

namespace kernelarium::ui {

TuneActions::TuneActions(TunePage& page, Pages& pages, Actions& actions, QObject* parent)
    : QObject(parent)
    , m_page(page)
    , m_pages(pages) {
    const auto noSweep = [this] { return m_page.desk().isRunning() ? QString() : tr("no sweep is running"); };
    actions.add({QStringLiteral("tune.start"),
                 tr("T&une the kernel"),
                 tr("Try the points of the kernel's marks, or go on where an earlier sweep ended"),
                 {},
                 {},
                 [this] {
                     m_pages.open(QStringLiteral("tune"));
                     m_page.start();
                 },
                 [this] { return m_page.obstacle(); }});
    actions.add({QStringLiteral("tune.pause"),
                 tr("&Pause the tuning, or go on"),
                 tr("Begin no new points until it is said again"),
                 {},
                 {},
                 [this] { m_page.togglePause(); },
                 [this] {
                     if (!m_page.desk().isRunning()) return tr("no sweep is running");
                     return m_page.desk().isRunningHere() ? QString() : tr("an array of jobs cannot be paused");
                 }});
    actions.add({QStringLiteral("tune.stop"),
                 tr("&Stop the tuning"),
                 tr("End the sweep; its points are kept, and another start goes on"),
                 {},
                 {},
                 [this] {
                     if (!m_page.desk().isRunningHere()) m_pages.open(QStringLiteral("tune")); // it asks there
                     m_page.stop();
                 },
                 noSweep});
}

} // namespace kernelarium::ui
