// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/explain/Explanation.h"
#include "ui/threads/SerialThread.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <memory>

namespace kernelarium::ui {

/// A cubin as it was read: its kernels, those with loops first, each in the order of the file.
struct NativeCode {
    std::vector<std::byte> cubin;
    std::vector<sass::Explanation> kernels;
};
using NativeCodePointer = std::shared_ptr<const NativeCode>;

/// Decodes cubins and explains their kernels on a thread of its own. A newer cubin replaces an older one.
class NativeCodeDesk : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// `generation`: of the text that the cubin was compiled from.
    void read(std::vector<std::byte> cubin, quint64 generation);
    void cancel();
    void clear(); ///< there is nothing to read
    [[nodiscard]] const WorkState<NativeCodePointer>& state() const { return m_work.state(); }
    [[nodiscard]] bool isBusy() const { return m_work.isBusy(); }

Q_SIGNALS:
    void changed();

private:
    Work<NativeCodePointer> m_work;
    SerialThread m_thread;
};

/// The same, by whoever has a thread. Errors: those of sass::Cubin::read, "bad_input" without a kernel, "cancelled".
[[nodiscard]] Result<NativeCodePointer> readNativeCode(std::vector<std::byte> cubin, const std::stop_token& stop);

} // namespace kernelarium::ui
