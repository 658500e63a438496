// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/Kernel.h"
#include "ui/desks/SessionDesk.h"

#include <QJsonObject>
#include <QObject>

namespace kernelarium::ui {

/// One value that is remembered from one start to the next: its key in the session file and what it is without one.
template <class T> struct Setting {
    const char* key;
    T fallback{};
};

/// Where the user was when the program ended.
struct LastBench {
    QString archive; ///< its path
    QString kernel;  ///< its key
};

/// All that is remembered, with its defaults. The session file keeps texts: a bool is "on" or "off", lists have a line
/// for each entry, the rest is JSON or plain text.
namespace setting {

inline const Setting<Target> target{"target"};    ///< how kernels are compiled and run, and where: on the emulator
inline const Setting<QStringList> hosts{"hosts"}; ///< machines besides this one, "user@host:port": none
inline const Setting<QString> python{"python"};   ///< the Python with PyTorch: empty, one is looked for
inline const Setting<bool> archivedTidy{"archived_tidy", true}; ///< the archive's clang-tidy findings in the margin
inline const Setting<bool> liveTidy{"live_tidy", true};         ///< clang-tidy over the text as it is typed
inline const Setting<LastBench> bench{"bench"};                 ///< the starter archive, and no kernel
inline const Setting<QJsonObject> window{"window"}; ///< geometry, docks, columns, theme, recent files: as first shown
inline const Setting<QByteArray> lessons{"lesson_progress"};       ///< JSON of lesson::Progress: nothing done
inline const Setting<QStringList> lessonFolders{"lesson_folders"}; ///< a teacher's lessons: none
inline const Setting<QString> student{"student"};                  ///< the name in class records: not asked yet
inline const Setting<QByteArray> takenHunks{"taken_hunks"};        ///< TakenHunks::toJson(): none
/// JSON of the card of the user's own that a kernel has, by the kernel's key: none.
inline const Setting<QByteArray> cardPaths{"card_paths"};
/// JSON of an import that was not done when the program ended: none.
inline const Setting<QByteArray> interruptedImport{"import"};

} // namespace setting

/// The remembered values, typed, in the session file. Known from ready() of the session on; before it they are their
/// fallbacks.
class Settings : public QObject {
    Q_OBJECT
public:
    explicit Settings(SessionDesk& session, QObject* parent = nullptr);

    template <class T> [[nodiscard]] T get(const Setting<T>& setting) const {
        return isSet(setting) ? read(m_session.value(QLatin1String(setting.key)), setting.fallback) : setting.fallback;
    }
    /// On its way to the disk at once.
    template <class T> void set(const Setting<T>& setting, const T& value) { keep(setting.key, written(value)); }
    /// Whether there is a value, be it the fallback's.
    template <class T> [[nodiscard]] bool isSet(const Setting<T>& setting) const {
        return !m_session.value(QLatin1String(setting.key)).isEmpty();
    }
    template <class T> [[nodiscard]] static bool isOf(const QString& key, const Setting<T>& setting) {
        return key == QLatin1String(setting.key);
    }

    static QStringList keys(); ///< of all

Q_SIGNALS:
    void changed(const QString& key); ///< see isOf(); when the session is read, for every key that it has

private:
    void keep(const char* key, const QByteArray& value);

    static Target read(const QByteArray& text, const Target& fallback);
    static QStringList read(const QByteArray& text, const QStringList& fallback);
    static QString read(const QByteArray& text, const QString& fallback);
    static bool read(const QByteArray& text, bool fallback);
    static LastBench read(const QByteArray& text, const LastBench& fallback);
    static QJsonObject read(const QByteArray& text, const QJsonObject& fallback);
    static QByteArray read(const QByteArray& text, const QByteArray& fallback);
    static QByteArray written(const Target& value);
    static QByteArray written(const QStringList& value);
    static QByteArray written(const QString& value);
    static QByteArray written(bool value);
    static QByteArray written(const LastBench& value);
    static QByteArray written(const QJsonObject& value);
    static QByteArray written(const QByteArray& value);

    SessionDesk& m_session;
};

} // namespace kernelarium::ui
