// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/CompileDesk.h"

#include "gpu/protocol/CompileMessages.h"
#include "gpu/protocol/Trial.h"

namespace kernelarium::ui {

CompileDesk::CompileDesk(std::vector<std::string> command, QObject* parent)
    : QObject(parent)
    , m_child(std::move(command)) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseMs);
    connect(&m_pause, &QTimer::timeout, this, &CompileDesk::start);
}

void CompileDesk::setSource(const QString& text, quint64 generation, const Target& target) {
    m_text = text;
    m_generation = generation;
    m_target = target;
    m_started = false;
    m_child.cancel("editor");
    m_clock.start();
    m_state.stage = Stage::waiting;
    m_state.generation = generation;
    m_state.diagnosed = false;
    m_state.error = {};
    m_pause.start();
    Q_EMIT changed();
}

void CompileDesk::compileNow() {
    if (m_generation == 0) return;
    const bool sameAgain = m_started && (m_state.stage == Stage::running || m_state.stage == Stage::finished);
    if (!sameAgain) start();
}

void CompileDesk::clear() {
    m_pause.stop();
    m_child.cancel("editor");
    m_generation = 0;
    m_state = {};
    Q_EMIT changed();
}

void CompileDesk::cancel() {
    const bool waited = m_pause.isActive();
    m_pause.stop();
    m_child.cancel("editor");
    m_child.cancel("other");
    m_child.cancel("sass");
    if (waited) {
        m_state.stage = Stage::cancelled;
        Q_EMIT changed();
    }
}

bool CompileDesk::isSettled() const {
    return m_generation != 0 && m_state.generation == m_generation && !isBusy(m_state.stage) &&
           m_state.stage != Stage::idle;
}

ChildQueue::Job<CompileDesk::Unit> CompileDesk::jobFor(const QString& text, const Target& target) {
    ChildQueue::Job<Unit> job;
    job.method = "compile";
    job.timeLimit = protocol::compileLimit;
    job.parameters = [text, target] {
        protocol::CompileParameters parameters;
        parameters.source = text.toStdString();
        parameters.arch = target.arch.toStdString();
        parameters.fastMath = target.fastMath;
        parameters.texts = {"ptx", "log"};
        if (target.onGpu()) parameters.texts.insert("cubin");
        return protocol::toJson(parameters);
    };
    job.convert = [](const nlohmann::json& json) -> Result<Unit> {
        auto unit = protocol::unitFromJson(json);
        if (!unit) return unit.error();
        return Unit(std::make_shared<const compile::CompiledUnit>(std::move(*unit)));
    };
    return job;
}

void CompileDesk::start() {
    m_pause.stop();
    m_started = true;
    m_state.stage = Stage::running;
    Q_EMIT changed();
    auto job = jobFor(m_text, m_target);
    job.tag = "editor";
    const quint64 started = m_generation;
    job.partial = [this, started](const nlohmann::json& part) {
        auto diagnostics = protocol::diagnosticsFromJson(part.value("diagnostics", nlohmann::json::array()));
        if (!diagnostics) return; // the whole answer is still to come
        deliver(this, [this, started, found = std::move(*diagnostics)] { diagnose(started, found); });
    };
    job.ended = [this, generation = m_generation](Result<Unit> result) { end(generation, std::move(result)); };
    m_child.submit(std::move(job));
}

void CompileDesk::diagnose(quint64 generation, std::vector<compile::Diagnostic> diagnostics) {
    if (generation != m_generation || m_state.stage != Stage::running) return;
    m_state.diagnosed = true;
    m_state.diagnostics = std::move(diagnostics);
    m_state.toDiagnostics = double(m_clock.elapsed()) / 1000;
    Q_EMIT changed();
}

void CompileDesk::end(quint64 generation, Result<Unit> result) {
    if (generation != m_generation) return; // an older text: its successor has an end of its own
    m_state.seconds = double(m_clock.elapsed()) / 1000;
    if (result) {
        m_state.stage = Stage::finished;
        m_state.unit = *result;
        m_state.diagnostics = (*result)->diagnostics;
        m_state.diagnosed = true;
    } else if (result.error().code == "cancelled") {
        if (!m_started) return; // replaced by the same text with another target
        m_state.stage = Stage::cancelled;
    } else {
        m_state.stage = Stage::failed;
        m_state.error = result.error();
    }
    Q_EMIT changed();
}

void CompileDesk::disassemble(const QString& text, const Target& target, std::function<void(Result<QString>)> done) {
    ChildQueue::Job<QString> job;
    job.method = "compile";
    job.tag = "sass";
    job.timeLimit = protocol::compileLimit;
    job.parameters = [text, target] {
        protocol::CompileParameters parameters;
        parameters.source = text.toStdString();
        parameters.arch = target.arch.toStdString();
        parameters.fastMath = target.fastMath;
        parameters.early = false;
        parameters.texts = {"sass"};
        return protocol::toJson(parameters);
    };
    job.convert = [](const nlohmann::json& json) -> Result<QString> {
        const auto sass = json.find("sass");
        if (sass == json.end() || !sass->is_string())
            return Error{"compile_error", "What does not compile has no machine code.",
                         "The Diagnostics panel says why."};
        return QString::fromStdString(sass->get<std::string>());
    };
    const quint64 serial = ++m_disassembly;
    job.ended = [this, serial, done = std::move(done)](Result<QString> sass) {
        if (serial == m_disassembly) {
            m_disassembling = false;
            Q_EMIT disassemblingChanged();
        }
        done(std::move(sass));
    };
    m_disassembling = true;
    Q_EMIT disassemblingChanged();
    m_child.submit(std::move(job));
}

void CompileDesk::compileOther(const QString& text, const Target& target, std::function<void(Result<Unit>)> done) {
    auto job = jobFor(text, target);
    job.tag = "other";
    job.ended = std::move(done);
    m_child.submit(std::move(job));
}

} // namespace kernelarium::ui
