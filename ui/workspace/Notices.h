// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <QObject>
#include <QString>

namespace kernelarium::ui {

/// What the user is told in a line, whoever has something to say.
class Notices : public QObject {
    Q_OBJECT
public:
    explicit Notices(QObject* parent = nullptr)
        : QObject(parent) {}

    void post(const QString& text, bool isProblem = false) { Q_EMIT posted(text, isProblem, false); }
    /// A problem that is not over when something else is done.
    void postLasting(const QString& text) { Q_EMIT posted(text, true, true); }
    void postError(const Error& error) { post(QString::fromStdString(error.text()), true); }
    /// Of something that the user, or newer work, may have cancelled: that is no news.
    void postFailure(const Error& error) {
        if (error.code != "cancelled") postError(error);
    }

Q_SIGNALS:
    void posted(const QString& text, bool isProblem, bool lasts);
};

} // namespace kernelarium::ui
