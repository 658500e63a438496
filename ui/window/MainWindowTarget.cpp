// SPDX-License-Identifier: GPL-3.0-or-later
// The window's actions on where kernels run and how they are timed.
#include "ui/window/Actions.h"
#include "ui/window/DeviceDialog.h"
#include "ui/window/HelpPanel.h"
#include "ui/window/MainWindow.h"
#include "ui/window/StatusLine.h"
#include "ui/window/TargetMenu.h"

#include <QInputDialog>
#include <QToolButton>

namespace kernelarium::ui {

void MainWindow::addTargetActions() {
    m_targetMenu = new TargetMenu(m_workspace, this);
    m_actions->add({QStringLiteral("target.choose"),
                    tr("C&hoose the target…"),
                    tr("Choose where kernels run: the emulator, a GPU, another machine"),
                    QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G),
                    QStringLiteral("device"),
                    [this] { m_status->target().showMenu(); },
                    {}});
    m_actions->add({QStringLiteral("target.addMachine"),
                    tr("&Add another machine…"),
                    tr("Run kernels on a machine that you reach by ssh"),
                    {},
                    {},
                    [this] { addMachine(); },
                    {}});
    m_actions->add({QStringLiteral("target.measure"),
                    tr("Measure the &device…"),
                    tr("Measure what the GPU reaches, for the roofline"),
                    {},
                    QStringLiteral("device"),
                    [this] { showDevice(); },
                    {}});
    const auto onlyGpu = [this] { return m_workspace.target().onGpu() ? QString() : tr("the target is the emulator"); };
    m_actions->add({QStringLiteral("target.fullSize"),
                    tr("Verify at &full size"),
                    tr("Verify on the GPU with the task's published shapes"),
                    {},
                    {},
                    [this] {
                        Target target = m_workspace.target();
                        target.size =
                            target.size == QLatin1String("full") ? QStringLiteral("small") : QStringLiteral("full");
                        m_workspace.setTarget(target);
                        m_actions->refresh();
                    },
                    onlyGpu,
                    true,
                    [this] { return m_workspace.target().size == QLatin1String("full"); }});
    const auto addMode = [this, onlyGpu](const char* mode, const QString& text, const QString& tip) {
        const QString name = QLatin1String(mode);
        m_actions->add({QStringLiteral("target.") + name,
                        text,
                        tip,
                        {},
                        {},
                        [this, name] {
                            Target target = m_workspace.target();
                            target.timeMode = name;
                            m_workspace.setTarget(target);
                            m_actions->refresh(); // the check mark, also where nothing changed
                            if (name == QLatin1String("server")) chooseRate();
                        },
                        onlyGpu,
                        true,
                        [this, name] { return m_workspace.target().timeMode == name; }});
    };
    addMode("cold", tr("Time &cold"), tr("Flush the L2 cache before each call"));
    addMode("hot", tr("Time &hot"), tr("Make the calls back to back, with the cache as they leave it"));
    addMode("server", tr("Time as a &server…"),
            tr("Let requests come at random times at a rate, and take each one's latency"));
    m_actions->add({QStringLiteral("target.baselines"),
                    tr("Time &baselines, too"),
                    tr("Time cuBLAS, cuDNN and PyTorch at the same task, where they are there"),
                    {},
                    {},
                    [this] {
                        Target target = m_workspace.target();
                        target.baselines = !target.baselines;
                        m_workspace.setTarget(target);
                        m_actions->refresh();
                    },
                    onlyGpu,
                    true,
                    [this] { return m_workspace.target().baselines; }});
    QList<QAction*> common;
    const auto line = [&] {
        auto* separator = new QAction(m_targetMenu);
        separator->setSeparator(true);
        common << separator;
    };
    for (const char* name : {"target.addMachine", "-", "target.fullSize", "-", "target.cold", "target.hot",
                             "target.server", "-", "target.baselines"}) {
        if (*name == '-')
            line();
        else
            common << m_actions->action(QLatin1String(name));
    }
    m_targetMenu->setCommon(common);
    m_status->setTargetMenu(m_targetMenu);
}

void MainWindow::addMachine() {
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Add another machine"));
    dialog->setLabelText(tr("user@host or user@host:port, which ssh reaches with a key and without asking anything.\n"
                            "The program is copied there when it is missing. Kernels are compiled here."));
    dialog->setMinimumWidth(460);
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& text) {
        const Result<QString> host = m_workspace.devices().addHost(text);
        if (!host) {
            m_workspace.post(QString::fromStdString(host.error().text()), true);
            return;
        }
        m_workspace.choosePlace(*host, nullptr, 0);
        m_workspace.devices().look(*host);
    });
    dialog->open();
}

void MainWindow::chooseRate() {
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setInputMode(QInputDialog::DoubleInput);
    dialog->setWindowTitle(tr("Time as a server"));
    dialog->setLabelText(tr("Requests in a second"));
    dialog->setDoubleRange(0.01, 1e6);
    dialog->setDoubleDecimals(2);
    dialog->setDoubleValue(m_workspace.target().rate);
    connect(dialog, &QInputDialog::doubleValueSelected, this, [this](double rate) {
        Target target = m_workspace.target();
        target.rate = rate;
        m_workspace.setTarget(target);
    });
    dialog->open();
}

void MainWindow::showDevice() {
    if (!m_device) {
        m_device = new DeviceDialog(m_workspace, this);
        connect(m_device, &DeviceDialog::helpRequested, this, [this] {
            m_help->showPage(QStringLiteral("device"));
            showDock(QStringLiteral("help"));
        });
    }
    m_workspace.devices().readKept();
    m_device->show();
    m_device->raise();
    m_device->activateWindow();
}

} // namespace kernelarium::ui
