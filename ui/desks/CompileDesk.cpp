// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/CompileDesk.h"

#include "gpu/protocol/KernelClient.h"

namespace kernelarium::ui {

namespace {

protocol::CompileParameters parametersFor(const QString& text, const Target& target) {
    protocol::CompileParameters parameters;
    parameters.source = text.toStdString();
    parameters.arch = target.arch.toStdString();
    parameters.fastMath = target.fastMath;
    // What cannot be read was refused where it was typed; an attempt's may be of a later version.
    if (auto settings = text::settingsFromLine(target.compilerOptions.toStdString()))
        parameters.settings = std::move(*settings);
    parameters.texts = {"ptx", "log"};
    if (target.onGpu()) parameters.texts.insert("cubin");
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
    m_child.cancel("second");
    m_child.cancel("cubin");
    if (waited && m_work.cancel()) Q_EMIT changed();
}

void CompileDesk::startAnew() {
    m_child.startAnew();
    if (m_generation == 0) return;
    setSource(m_text, m_generation);
    start();
}

bool CompileDesk::isSettled() const {
    return state().stage != Stage::idle && !m_work.isBusy();
}

void CompileDesk::start() {
    m_pause.stop();
    const auto ticket = m_work.begin(m_generation, Former::kept);
    Q_EMIT changed();
    const auto early = [this, ticket](const protocol::EarlyDiagnostics& found) {
        deliver(this, [this, ticket, diagnostics = found.diagnostics] { diagnose(ticket, diagnostics); });
    };
    m_child.submit(ChildQueue::Call<Unit>{
        "editor",
        [early, text = m_text, target = m_target](const auto& child, const auto& call) {
            return protocol::KernelClient(child).compile(parametersFor(text, target), call, early);
        },
        {},
        [this, ticket](Result<Unit> result) { end(ticket, std::move(result)); }});
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
    const auto ticket = m_disassembly.begin();
    Q_EMIT disassemblingChanged();
    m_child.submit(ChildQueue::Call<QString>{"sass",
                                             [text, target](const auto& child, const auto& call) -> Result<QString> {
                                                 auto sass = protocol::KernelClient(child).disassemble(
                                                     parametersFor(text, target), call);
                                                 if (!sass) return sass.error();
                                                 return QString::fromStdString(*sass);
                                             },
                                             {},
                                             [this, ticket, done = std::move(done)](Result<QString> sass) {
                                                 if (m_disassembly.end(ticket, sass)) Q_EMIT disassemblingChanged();
                                                 done(std::move(sass));
                                             }});
}

void CompileDesk::assemble(const QString& text, const Target& target,
                           std::function<void(Result<std::vector<std::byte>>)> done) {
    using Bytes = std::vector<std::byte>;
    const auto ticket = m_assembly.begin();
    Q_EMIT disassemblingChanged();
    m_child.submit(ChildQueue::Call<Bytes>{
        "cubin",
        [text, target](const auto& child, const auto& call) -> Result<Bytes> {
            protocol::CompileParameters parameters = parametersFor(text, target);
            parameters.texts = {"cubin"};
            auto unit = protocol::KernelClient(child).compile(parameters, call);
            if (!unit) return unit.error();
            if (!(*unit)->ok) return Error{"bad_input", "The text does not compile.", "Diagnostics say where."};
            return (*unit)->cubin;
        },
        {},
        [this, ticket, done = std::move(done)](Result<Bytes> cubin) {
            if (m_assembly.end(ticket, cubin)) Q_EMIT disassemblingChanged();
            done(std::move(cubin));
        }});
}

void CompileDesk::assembleSecond(const QString& text, const Target& target, bool withSass,
                                 std::function<void(Result<Assembled>)> done) {
    const auto ticket = m_second.begin();
    Q_EMIT disassemblingChanged();
    m_child.submit(
        ChildQueue::Call<Assembled>{"second",
                                    [text, target, withSass](const auto& child, const auto& call) -> Result<Assembled> {
                                        protocol::KernelClient client(child);
                                        auto unit = client.compile(parametersFor(text, target), call);
                                        if (!unit) return unit.error();
                                        Assembled answer{std::move(*unit), {}};
                                        if (!withSass || !answer.unit->ok) return answer;
                                        auto sass = client.disassemble(parametersFor(text, target), call);
                                        if (!sass) return sass.error();
                                        answer.sass = QString::fromStdString(*sass);
                                        return answer;
                                    },
                                    {},
                                    [this, ticket, done = std::move(done)](Result<Assembled> answer) {
                                        if (m_second.end(ticket, answer)) Q_EMIT disassemblingChanged();
                                        done(std::move(answer));
                                    }});
}

void CompileDesk::compileOther(const QString& text, const Target& target, std::function<void(Result<Unit>)> done) {
    m_child.submit(ChildQueue::Call<Unit>{"other",
                                          [text, target](const auto& child, const auto& call) {
                                              return protocol::KernelClient(child).compile(parametersFor(text, target),
                                                                                           call);
                                          },
                                          {},
                                          std::move(done)});
}

} // namespace kernelarium::ui
