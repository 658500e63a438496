// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "ui/threads/SerialThread.h"

#include <QMetaObject>
#include <QObject>
#include <QPointer>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>

namespace kernelarium::ui {

[[nodiscard]] inline Error cancelledError() {
    return {"cancelled", "Cancelled.", {}, {}};
}

/// Calls `handler` in the receiver's thread, unless the receiver is gone by then.
template <class Handler> void deliver(QObject* receiver, Handler handler) {
    QMetaObject::invokeMethod(receiver, std::move(handler), Qt::QueuedConnection);
}

/// Does `work` on the thread and hands its outcome to `done` in the receiver's thread. `done` is called exactly once,
/// with the result or an error ("cancelled" when it was replaced, cancelled, or the thread ended), unless the receiver
/// is gone: it must outlive the thread's end, which is the case where it owns the thread.
template <class T>
void ask(SerialThread& thread, QObject* receiver, std::string tag, std::function<Result<T>(std::stop_token)> work,
         std::function<void(Result<T>)> done) {
    auto finish = std::make_shared<std::function<void(Result<T>)>>(std::move(done));
    auto answer = [receiver, finish](Result<T> result) {
        auto shared = std::make_shared<Result<T>>(std::move(result));
        deliver(receiver, [finish, shared] { (*finish)(std::move(*shared)); });
    };
    thread.post(
        {std::move(tag),
         [work = std::move(work), answer](std::stop_token stop) {
             try {
                 Result<T> result = work(stop);
                 answer(stop.stop_requested() ? Result<T>(cancelledError()) : std::move(result));
             } catch (const std::bad_alloc&) {
                 answer(Error{"out_of_memory", "There is not enough memory for this.",
                              "Close what you do not need and try again."});
             } catch (const std::exception& failure) {
                 answer(Error{"internal", std::string("This failed unexpectedly: ") + failure.what() + ".", {}});
             }
         },
         [answer] { answer(cancelledError()); }});
}

} // namespace kernelarium::ui
