// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/CompileMessages.h"
#include "ui/desks/Kernel.h"
#include "ui/threads/ChildQueue.h"
#include "ui/threads/Work.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace kernelarium::ui {

/// The compilation of the text as it stands. `answer` is the unit of the last one that finished.
struct CompileState : WorkState<std::shared_ptr<const compile::CompiledUnit>> {
    bool diagnosed = false; ///< the front end has spoken; ptxas may still be at work
    std::vector<compile::Diagnostic> diagnostics;
    double seconds = 0;       ///< from the last key to the end
    double toDiagnostics = 0; ///< from the request to the first diagnostics
};

/// Compiles the text on the bench while it is being typed: 250 ms after the last change, newest text only.
class CompileDesk : public QObject {
    Q_OBJECT
public:
    static constexpr int pauseMs = 250;

    explicit CompileDesk(std::vector<std::string> command, QObject* parent = nullptr);

    /// A new text. `generation` grows with every change of it.
    void setSource(const QString& text, quint64 generation);
    /// What texts are compiled for from now on; the one that there is anew where that makes a difference.
    void setTarget(const Target& target);
    /// Without waiting for the pause; does nothing when this text is compiled or being compiled already.
    void compileNow();
    void cancel();
    /// Through a new child: the toolkit is another one. What is there is compiled again.
    void startAnew();

    [[nodiscard]] const CompileState& state() const { return m_work.state(); }
    /// The compilation of this very text has ended, in whatever way.
    [[nodiscard]] bool isSettled() const;
    [[nodiscard]] ChildQueue& child() { return m_child; }

    /// Another source, a reference say, through the same child.
    void compileOther(const QString& text, const Target& target,
                      std::function<void(Result<std::shared_ptr<const compile::CompiledUnit>>)> done);

    /// SASS of a text that compiles, annotated as readSass() wants it. A newer call replaces an older one.
    void disassemble(const QString& text, const Target& target, std::function<void(Result<QString>)> done);
    /// The cubin of a text that compiles. A newer call replaces an older one.
    void assemble(const QString& text, const Target& target, std::function<void(Result<std::vector<std::byte>>)> done);
    [[nodiscard]] bool isDisassembling() const {
        return m_disassembly.isBusy() || m_second.isBusy() || m_assembly.isBusy();
    }

    /// A text compiled in another way, to be shown beside the first: with its SASS where it compiles and that is asked
    /// for. A newer call replaces an older one.
    struct Assembled {
        std::shared_ptr<const compile::CompiledUnit> unit; ///< never null; its `ok` may be false
        QString sass;
    };
    void assembleSecond(const QString& text, const Target& target, bool withSass,
                        std::function<void(Result<Assembled>)> done);

Q_SIGNALS:
    void changed();
    void disassemblingChanged();

private:
    using Unit = std::shared_ptr<const compile::CompiledUnit>;
    void start();
    void diagnose(quint64 ticket, std::vector<compile::Diagnostic> diagnostics);
    void end(quint64 ticket, Result<Unit> result);

    QString m_text;
    quint64 m_generation = 0;
    Target m_target;
    Work<Unit, CompileState> m_work;
    Work<QString> m_disassembly;
    Work<Assembled> m_second;
    Work<std::vector<std::byte>> m_assembly;
    QTimer m_pause;
    QElapsedTimer m_clock;
    ChildQueue m_child;
};

} // namespace kernelarium::ui
