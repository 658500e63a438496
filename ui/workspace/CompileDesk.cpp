// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/CompileDesk.h"

#include "gpu/worker/CompileMessages.h"
#include "gpu/worker/Trial.h"

namespace kernelarium::ui {

namespace {

worker::CompileParameters parametersFor(const QString& text, const Target& target) {
    worker::CompileParameters parameters;
    parameters.source = text.toStdString();
    parameters.arch = target.arch.toStdString();
    parameters.fastMath = target.fastMath;
    return parameters;
}

} // namespace

CompileDesk::CompileDesk(std::vector<std::string> command, QObject* parent)
    : QObject(parent)
    , m_child(std::move(command)) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseMs);
    connect(&m_pause, &QTimer::timeout, this, &CompileDesk::start);
}

void CompileDesk::setSource(const QString& text, quint64 generation) {
    m_text = text;
    m_generation = generation;
    m_child.cancel("editor");
    m_clock.start();
    m_work.wait(generation, Former::kept);
    m_work.details().diagnosed = false;
    m_pause.start();
    Q_EMIT changed();
}

void CompileDesk::setTarget(const Target& target) {
    const bool anew = m_generation != 0 && !target.compilesAs(m_target);
    m_target = target;
    if (anew) setSource(m_text, m_generation);
}

void CompileDesk::compileNow() {
    if (m_generation != 0 && state().stage != Stage::running && state().stage != Stage::finished) start();
}

void CompileDesk::cancel() {
    const bool waited = m_pause.isActive();
    m_pause.stop();
    m_child.cancel("editor");
    m_child.cancel("other");
    m_child.cancel("sass");
    if (waited && m_work.cancel()) Q_EMIT changed();
}

bool CompileDesk::isSettled() const {
    return state().stage != Stage::idle && !m_work.isBusy();
}

ChildQueue::Job<CompileDesk::Unit> CompileDesk::jobFor(const QString& text, const Target& target) {
    ChildQueue::Job<Unit> job;
    job.method = "compile";
    job.timeLimit = worker::compileLimit;
    job.parameters = [text, target] {
        worker::CompileParameters parameters = parametersFor(text, target);
        parameters.emit = {"ptx", "log"};
        if (target.onGpu()) parameters.emit.insert("cubin");
        return worker::toJson(parameters);
    };
    job.convert = [](const nlohmann::json& json) -> Result<Unit> {
        auto unit = worker::unitFromJson(json);
        if (!unit) return unit.error();
        return Unit(std::make_shared<const compile::CompiledUnit>(std::move(*unit)));
    };
    return job;
}

void CompileDesk::start() {
    m_pause.stop();
    const auto ticket = m_work.begin(m_generation, Former::kept);
    Q_EMIT changed();
    auto job = jobFor(m_text, m_target);
    job.tag = "editor";
    job.partial = [this, ticket](const nlohmann::json& part) {
        auto diagnostics = worker::diagnosticsFromJson(part.value("diagnostics", nlohmann::json::array()));
        if (!diagnostics) return; // the whole answer is still to come
        deliver(this, [this, ticket, found = std::move(*diagnostics)] { diagnose(ticket, found); });
    };
    job.ended = [this, ticket](Result<Unit> result) { end(ticket, std::move(result)); };
    m_child.submit(std::move(job));
}

void CompileDesk::diagnose(quint64 ticket, std::vector<compile::Diagnostic> diagnostics) {
    if (!m_work.isOpen(ticket)) return;
    CompileState& state = m_work.details();
    state.diagnosed = true;
    state.diagnostics = std::move(diagnostics);
    state.toDiagnostics = double(m_clock.elapsed()) / 1000;
    Q_EMIT changed();
}

void CompileDesk::end(quint64 ticket, Result<Unit> result) {
    if (!m_work.end(ticket, std::move(result))) return; // an older text: its successor has an end of its own
    CompileState& state = m_work.details();
    state.seconds = double(m_clock.elapsed()) / 1000;
    if (state.stage == Stage::finished) {
        state.diagnostics = state.answer->diagnostics;
        state.diagnosed = true;
    }
    Q_EMIT changed();
}

void CompileDesk::disassemble(const QString& text, const Target& target, std::function<void(Result<QString>)> done) {
    ChildQueue::Job<QString> job;
    job.method = "compile";
    job.tag = "sass";
    job.timeLimit = worker::compileLimit;
    job.parameters = [text, target] {
        worker::CompileParameters parameters = parametersFor(text, target);
        parameters.early = false;
        parameters.emit = {"sass"};
        return worker::toJson(parameters);
    };
    job.convert = [](const nlohmann::json& json) -> Result<QString> {
        const auto sass = json.find("sass");
        if (sass == json.end() || !sass->is_string())
            return Error{"compile_error", "What does not compile has no machine code.",
                         "The Diagnostics panel says why."};
        return QString::fromStdString(sass->get<std::string>());
    };
    const auto ticket = m_disassembly.begin();
    job.ended = [this, ticket, done = std::move(done)](Result<QString> sass) {
        if (m_disassembly.end(ticket, sass)) Q_EMIT disassemblingChanged();
        done(std::move(sass));
    };
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
