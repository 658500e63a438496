// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/WindowState.h"

#include "ui/desks/SessionDesk.h"
#include "ui/window/BenchReopener.h"
#include "ui/workspace/Settings.h"

#include <QEvent>
#include <QGuiApplication>
#include <QJsonObject>
#include <QMainWindow>
#include <QScreen>

namespace kernelarium::ui {

namespace {

constexpr int changePauseMs = 800;
constexpr QSize firstWindowSize(1440, 900);
constexpr QSize frameRoom(16, 48); ///< of the window's title bar and frame, at most
const auto geometryKey = QStringLiteral("geometry");

QString encoded(const QByteArray& bytes) {
    return QString::fromLatin1(bytes.toBase64());
}

QByteArray decoded(const QJsonValue& value) {
    return QByteArray::fromBase64(value.toString().toLatin1());
}

} // namespace

WindowState::WindowState(QMainWindow& window, SessionDesk& session, Settings& settings, BenchReopener& bench)
    : QObject(&window)
    , m_window(window)
    , m_session(session)
    , m_settings(settings)
    , m_bench(bench) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(changePauseMs);
    connect(&m_pause, &QTimer::timeout, this, &WindowState::save);
    window.installEventFilter(this);
}

void WindowState::addState(const QString& key, std::function<QByteArray()> save,
                           std::function<void(const QByteArray&)> restore) {
    m_states.push_back({key, std::move(save), std::move(restore)});
}

void WindowState::addValue(const QString& key, std::function<QJsonValue()> save,
                           std::function<void(const QJsonValue&)> restore) {
    m_values.push_back({key, std::move(save), std::move(restore)});
}

void WindowState::changedSoon() {
    if (!m_restoring && m_session.isReady() && m_window.isVisible()) m_pause.start();
}

void WindowState::save() {
    m_pause.stop();
    if (!m_session.isReady()) return;
    QJsonObject window;
    window[geometryKey] = encoded(m_window.saveGeometry());
    for (const State& state : m_states)
        window[state.key] = encoded(state.save());
    for (const Value& value : m_values)
        window[value.key] = value.save();
    m_settings.set(setting::window, window);
    m_bench.save();
}

void WindowState::restore() {
    m_restoring = true;
    const QJsonObject window = m_settings.get(setting::window);
    if (!window.isEmpty()) {
        const QByteArray geometry = decoded(window[geometryKey]);
        m_window.restoreGeometry(geometry);
        for (const State& state : m_states)
            state.restore(decoded(window[state.key]));
        m_window.restoreGeometry(geometry); // the panels' widths had made it wider
        for (const Value& value : m_values)
            value.restore(window[value.key]);
    }
    m_bench.restore();
    m_restoring = false;
}

bool WindowState::eventFilter(QObject* watched, QEvent* event) {
    if (watched != &m_window) return QObject::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::Show: aboutToShow(); break;
    case QEvent::Resize:
    case QEvent::Move: changedSoon(); break;
    case QEvent::Close: save(); break;
    default: break;
    }
    return false;
}

void WindowState::aboutToShow() {
    if (std::exchange(m_shownBefore, true) || m_settings.isSet(setting::window)) return;
    QSize size = firstWindowSize;
    // With its title bar it has to fit on the screen. Off screen there is none to fit on.
    if (QGuiApplication::platformName() != QLatin1String("offscreen"))
        size = size.boundedTo(m_window.screen()->availableGeometry().size() - frameRoom);
    m_window.resize(size);
    Q_EMIT firstStart();
}

} // namespace kernelarium::ui
