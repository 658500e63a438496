// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/TargetActions.h"

#include "ui/desks/DeviceDesk.h"
#include "ui/dialogs/DeviceDialog.h"
#include "ui/frame/Actions.h"
#include "ui/frame/HelpPanel.h"
#include "ui/frame/StatusLine.h"
#include "ui/frame/TargetMenu.h"
#include "ui/window/Docks.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/Place.h"

#include <QInputDialog>
#include <QToolButton>

namespace kernelarium::ui {

TargetActions::TargetActions(const Around& around, Docks& docks, StatusLine& status, Actions& actions, QWidget& window)
    : QObject(&window)
    , m_with(around)
    , m_docks(docks)
    , m_status(status)
    , m_actions(actions)
    , m_window(window)
    , m_menu(new TargetMenu(around.place, around.devices, &window)) {
    addPlaces();
    addSizeAndTime();
    fillMenu();
}

QMenu& TargetActions::menu() {
    return *m_menu;
}

QString TargetActions::onlyOnGpu() const {
    return m_with.place.target().onGpu() ? QString() : tr("the target is the emulator");
}

void TargetActions::addPlaces() {
    m_actions.add({QStringLiteral("target.choose"),
                   tr("C&hoose the target…"),
                   tr("Choose where kernels run: the emulator, a GPU, another machine"),
                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G),
                   QStringLiteral("device"),
                   [this] { m_status.target().showMenu(); },
                   {}});
    m_actions.add({QStringLiteral("target.addMachine"),
                   tr("&Add another machine…"),
                   tr("Run kernels on a machine that you reach by ssh"),
                   {},
                   {},
                   [this] { addMachine(); },
                   {}});
    m_actions.add({QStringLiteral("target.measure"),
                   tr("Measure the &device…"),
                   tr("Measure the GPU's peak rates for the roofline"),
                   {},
                   QStringLiteral("device"),
                   [this] { showDevice(); },
                   {}});
}

void TargetActions::addSizeAndTime() {
    const auto onlyGpu = [this] { return onlyOnGpu(); };
    /// An entry of a group of which one is checked.
    const auto addChoice = [this, onlyGpu](const char* action, const QString& text, const QString& tip,
                                           QString Target::*field, const QString& value,
                                           const std::function<void()>& then = {}) {
        m_actions.add({QLatin1String(action),
                       text,
                       tip,
                       {},
                       {},
                       [this, field, value, then] {
                           Target target = m_with.place.target();
                           target.*field = value;
                           m_with.place.setTarget(target);
                           m_actions.refresh(); // the check mark, also where nothing changed
                           if (then) then();
                       },
                       onlyGpu,
                       true,
                       [this, field, value] { return m_with.place.target().*field == value; }});
    };
    addChoice("target.smallSize", tr("Verify at s&mall size"),
              tr("Verify on the GPU with the shapes that the emulator takes"), &Target::size, QStringLiteral("small"));
    addChoice("target.fullSize", tr("Verify at &full size"), tr("Verify on the GPU with the task's published shapes"),
              &Target::size, QStringLiteral("full"));
    addChoice("target.bothSizes", tr("Verify at bo&th sizes"),
              tr("Verify on the GPU at the small size, then at the published one, which decides"), &Target::size,
              QStringLiteral("both"));
    addChoice("target.cold", tr("Time &cold"), tr("Flush the L2 cache before each call"), &Target::timeMode,
              QStringLiteral("cold"));
    addChoice("target.hot", tr("Time &hot"), tr("Make the calls back to back, with a warm cache"), &Target::timeMode,
              QStringLiteral("hot"));
    addChoice("target.server", tr("Time as a &server…"),
              tr("Send requests at random times at a given rate, and record the latency of each"), &Target::timeMode,
              QStringLiteral("server"), [this] { chooseRate(); });
    m_actions.add({QStringLiteral("target.baselines"),
                   tr("Also time &baselines"),
                   tr("Time cuBLAS, cuDNN and PyTorch on the same task, where available"),
                   {},
                   {},
                   [this] {
                       Target target = m_with.place.target();
                       target.baselines = !target.baselines;
                       m_with.place.setTarget(target);
                       m_actions.refresh();
                   },
                   onlyGpu,
                   true,
                   [this] { return m_with.place.target().baselines; }});
}

void TargetActions::fillMenu() {
    QList<QAction*> common;
    const auto line = [&] {
        auto* separator = new QAction(m_menu);
        separator->setSeparator(true);
        common << separator;
    };
    for (const char* name : {"target.addMachine", "-", "target.smallSize", "target.fullSize", "target.bothSizes", "-",
                             "target.cold", "target.hot", "target.server", "-", "target.baselines"}) {
        if (*name == '-')
            line();
        else
            common << m_actions.action(QLatin1String(name));
    }
    m_menu->setCommon(common);
    m_status.setTargetMenu(m_menu);
}

void TargetActions::addMachine() {
    auto* dialog = new QInputDialog(&m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Add another machine"));
    dialog->setLabelText(tr("user@host or user@host:port, reachable by ssh with a key and without prompts.\n"
                            "The program is copied there if it is missing. Kernels are compiled here."));
    dialog->setMinimumWidth(460);
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& text) {
        const Result<QString> host = m_with.devices.addHost(text);
        if (!host) {
            m_with.notices.post(QString::fromStdString(host.error().text()), true);
            return;
        }
        m_with.place.choose(*host, nullptr, 0);
        m_with.devices.look(*host);
    });
    dialog->open();
}

void TargetActions::chooseRate() {
    auto* dialog = new QInputDialog(&m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setInputMode(QInputDialog::DoubleInput);
    dialog->setWindowTitle(tr("Time as a server"));
    dialog->setLabelText(tr("Requests per second"));
    dialog->setDoubleRange(0.01, 1e6);
    dialog->setDoubleDecimals(2);
    dialog->setDoubleValue(m_with.place.target().rate);
    connect(dialog, &QInputDialog::doubleValueSelected, this, [this](double rate) {
        Target target = m_with.place.target();
        target.rate = rate;
        m_with.place.setTarget(target);
    });
    dialog->open();
}

void TargetActions::showDevice() {
    if (!m_device) {
        m_device = new DeviceDialog(m_with.place, m_with.devices, &m_window);
        connect(m_device, &DeviceDialog::helpRequested, this, [this] {
            m_docks.panel<HelpPanel>().showPage(QStringLiteral("device"));
            m_docks.show(QStringLiteral("help"));
        });
    }
    m_with.devices.readKept();
    m_device->show();
    m_device->raise();
    m_device->activateWindow();
}

} // namespace kernelarium::ui
