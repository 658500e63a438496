// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/threads/ChildQueue.h"
#include "ui/workspace/Kernel.h"
#include "ui/workspace/States.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace kernelarium::ui {

/// Compiles the text on the bench while it is being typed: 250 ms after the last change, newest text only.
class CompileDesk : public QObject {
    Q_OBJECT
public:
    static constexpr int pauseMs = 250;

    explicit CompileDesk(std::vector<std::string> command, QObject* parent = nullptr);

    /// A new text. `generation` grows with every change of it.
    void setSource(const QString& text, quint64 generation, const Target& target);
    /// Without waiting for the pause; does nothing when this text is compiled or being compiled already.
    void compileNow();
    /// Nothing to compile.
    void clear();
    void cancel();

    [[nodiscard]] const CompileState& state() const { return m_state; }
    /// The compilation of this very text has ended, in whatever way.
    [[nodiscard]] bool isSettled() const;
    [[nodiscard]] ChildQueue& child() { return m_child; }

    /// Another source, a reference say, through the same child.
    void compileOther(const QString& text, const Target& target,
                      std::function<void(Result<std::shared_ptr<const compile::CompiledUnit>>)> done);

    /// SASS of a text that compiles, annotated as readSass() wants it. A newer call replaces an older one.
    void disassemble(const QString& text, const Target& target, std::function<void(Result<QString>)> done);
    [[nodiscard]] bool isDisassembling() const { return m_disassembling; }

Q_SIGNALS:
    void changed();
    void disassemblingChanged();

private:
    using Unit = std::shared_ptr<const compile::CompiledUnit>;
    void start();
    void diagnose(quint64 generation, std::vector<compile::Diagnostic> diagnostics);
    void end(quint64 generation, Result<Unit> result);
    static ChildQueue::Job<Unit> jobFor(const QString& text, const Target& target);

    QString m_text;
    quint64 m_generation = 0;
    Target m_target;
    bool m_started = false; ///< the text as it stands was sent
    CompileState m_state;
    bool m_disassembling = false;
    quint64 m_disassembly = 0; ///< counts requests
    QTimer m_pause;
    QElapsedTimer m_clock;
    ChildQueue m_child;
};

} // namespace kernelarium::ui
