// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/SourceFiles.h"

#include "ui/threads/Ask.h"

#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <QRegularExpression>
#include <QSaveFile>
#include <QThreadPool>

namespace kernelarium::ui {

namespace {

Error bad(const QString& path, const QString& why, const QString& what) {
    return {"bad_input", (path + why).toStdString(), what.toStdString(), {}};
}

Result<QString> read(const QString& path) {
    const QFileInfo info(path);
    if (!info.exists()) return bad(path, QObject::tr(" does not exist."), QObject::tr("Check the name."));
    if (info.isDir()) return bad(path, QObject::tr(" is a folder."), QObject::tr("Choose a .cu file in it."));
    if (info.size() > largestSource)
        return bad(path, QObject::tr(" is too large (%1 MB; at most 60).").arg(info.size() / 1'000'000), QString());
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return bad(path, QObject::tr(" cannot be read: %1.").arg(file.errorString()), QString());
    const QByteArray bytes = file.read(largestSource + 1);
    if (bytes.contains('\0'))
        return bad(path, QObject::tr(" is not a text file."), QObject::tr("Choose a CUDA source."));
    return QString::fromUtf8(bytes);
}

template <class T>
void inPool(QObject* receiver, std::function<Result<T>()> work, std::function<void(Result<T>)> done) {
    QThreadPool::globalInstance()->start(
        [guard = QPointer<QObject>(receiver), work = std::move(work), done = std::move(done)] {
            auto outcome = std::make_shared<Result<T>>(work());
            // The application object outlives every receiver; whether this one does is asked in its own thread.
            deliver(qApp, [guard, outcome, done] {
                if (guard) done(std::move(*outcome));
            });
        });
}

} // namespace

void readSource(const QString& path, QObject* receiver, std::function<void(Result<QString>)> done) {
    inPool<QString>(
        receiver, [path] { return read(path); }, std::move(done));
}

void writeSource(const QString& path, const QString& text, QObject* receiver, std::function<void(Result<void>)> done) {
    inPool<void>(
        receiver,
        [path, text]() -> Result<void> {
            QSaveFile file(path);
            const QByteArray bytes = text.toUtf8();
            if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
                return Error{"unwritable_file",
                             QObject::tr("%1 cannot be written: %2.").arg(path, file.errorString()).toStdString(),
                             QObject::tr("Save it under another name.").toStdString(),
                             {}};
            return {};
        },
        std::move(done));
}

std::optional<task::TaskKey> taskNamedIn(const QString& text) {
    static const QRegularExpression line(QStringLiteral("^\\s*//\\s*(?:kernelarium:\\s*task|Task:)\\s+(\\d+)/(\\d+)"),
                                         QRegularExpression::MultilineOption);
    const auto match = line.match(text.left(4096));
    if (!match.hasMatch()) return std::nullopt;
    return task::TaskKey{match.captured(1).toInt(), match.captured(2).toInt()};
}

} // namespace kernelarium::ui
