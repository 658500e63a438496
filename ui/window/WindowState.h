// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonValue>
#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <vector>

class QMainWindow;

namespace kernelarium::ui {

class BenchReopener;
class SessionDesk;
class Settings;

/// What the window remembers from one start to the next: its place, and what its parts say of themselves. It is saved a
/// moment after the last change, and when the window closes.
class WindowState : public QObject {
    Q_OBJECT
public:
    WindowState(QMainWindow& window, SessionDesk& session, Settings& settings, BenchReopener& bench);

    /// A part's state by its key in the session file; restored in the order of these calls.
    void addState(const QString& key, std::function<QByteArray()> save, std::function<void(const QByteArray&)> restore);
    /// The same for what is kept as it is, after the window has its place.
    void addValue(const QString& key, std::function<QJsonValue()> save, std::function<void(const QJsonValue&)> restore);

    void restore();
    void save();
    void changedSoon(); ///< saved once changes pause

Q_SIGNALS:
    void firstStart(); ///< about to be shown, with nothing remembered: the window has its first size

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct State {
        QString key;
        std::function<QByteArray()> save;
        std::function<void(const QByteArray&)> restore;
    };
    struct Value {
        QString key;
        std::function<QJsonValue()> save;
        std::function<void(const QJsonValue&)> restore;
    };
    void aboutToShow();

    QMainWindow& m_window;
    SessionDesk& m_session;
    Settings& m_settings;
    BenchReopener& m_bench;
    std::vector<State> m_states;
    std::vector<Value> m_values;
    QTimer m_pause;
    bool m_restoring = false;
    bool m_shownBefore = false;
};

} // namespace kernelarium::ui
