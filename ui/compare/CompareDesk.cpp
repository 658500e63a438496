// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/CompareDesk.h"

#include "core/archive/store/Archive.h"
#include "core/audit/RowCard.h"
#include "core/text/CompilerSettings.h"
#include "gpu/protocol/KernelClient.h"
#include "ui/desks/Desks.h"
#include "ui/threads/Ask.h"

namespace kernelarium::ui {

namespace {

QString said(const Error& error) {
    return QString::fromStdString(error.text());
}

/// The whole comparison, on the desk's thread.
class ComparisonRun {
public:
    struct Files {
        std::string program;
        std::filesystem::path archive;
        std::filesystem::path cards; ///< exported ones
    };
    using Hear = std::function<void(ComparisonPointer found, const QString& step)>;

    ComparisonRun(Files files, Target target, Hear hear, std::stop_token stop)
        : m_files(std::move(files))
        , m_target(std::move(target))
        , m_hear(std::move(hear))
        , m_stop(std::move(stop))
        , m_compiler(std::vector<std::string>{m_files.program, "worker", "compile"})
        , m_runner(runCommand()) {
        m_found.device = m_target.device.toUpper();
    }

    Result<ComparisonPointer> run(const ComparedKernel& a, const ComparedKernel& b) {
        Part parts[2] = {{a, &m_found.a}, {b, &m_found.b}};
        for (Part& part : parts)
            if (auto read = readText(part); !read) return read.error();
        tell(CompareDesk::tr("compiling"));
        for (Part& part : parts) {
            if (!compile(part)) return cancelled();
            tell(CompareDesk::tr("compiling"));
        }
        for (Part& part : parts) {
            tell(CompareDesk::tr("counting what %1 does").arg(part.side->title));
            if (!profile(part)) return cancelled();
        }
        if (m_found.a.profile && m_found.b.profile)
            m_found.counters = counterPairs(m_found.a.profile->counters, m_found.b.profile->counters);
        if (m_target.onGpu()) {
            tell(CompareDesk::tr("timing them in pairs"));
            if (!time(parts[0], parts[1])) return cancelled();
        }
        m_found.complete = true;
        return std::make_shared<const Comparison>(m_found);
    }

private:
    struct Part {
        ComparedKernel kernel;
        ComparedSide* side;
        std::shared_ptr<const compile::CompiledUnit> unit = {};
    };

    [[nodiscard]] std::vector<std::string> runCommand() const {
        std::vector<std::string> command{m_files.program, "worker", "run"};
        if (m_target.onGpu() && m_target.ordinal > 0)
            command.insert(command.end(), {"--gpu", std::to_string(m_target.ordinal)});
        return command;
    }
    [[nodiscard]] static Error cancelled() { return {"cancelled", "The comparison was cancelled."}; }
    /// False: the user has enough; else the error is the side's.
    bool take(const Error& error, QString& problem) const {
        if (error.code == "cancelled" || m_stop.stop_requested()) return false;
        problem = said(error);
        return true;
    }
    void tell(const QString& step) { m_hear(std::make_shared<const Comparison>(m_found), step); }
    [[nodiscard]] protocol::CallOptions options() const {
        protocol::CallOptions options;
        options.stop = m_stop;
        return options;
    }

    Result<void> readText(Part& part) {
        part.side->title = part.kernel.title;
        part.side->source = part.kernel.source;
        part.side->archivedMs = part.kernel.archivedMs;
        if (part.kernel.row == 0) {
            if (part.kernel.card || !part.kernel.task) return {};
            if (auto card = task::loadCard(part.kernel.task->level, part.kernel.task->task))
                part.kernel.card = std::make_shared<const task::Card>(std::move(*card));
            return {}; // without one it is compiled only
        }
        auto opened = archive::Archive::open(m_files.archive);
        if (!opened) return opened.error();
        auto text = opened->text(part.kernel.row, archive::TextKind::cudaCode);
        if (!text) return text.error();
        part.side->source = QString::fromStdString(text->value_or(""));
        if (part.kernel.card) return {};
        auto row = audit::readRowTask(*opened, part.kernel.row);
        auto card = row ? audit::cardForRow(*row, m_files.cards) : Result<task::Card>(row.error());
        if (card)
            part.kernel.card = std::make_shared<const task::Card>(std::move(*card));
        else
            part.side->problem = said(card.error());
        return {};
    }

    bool compile(Part& part) {
        protocol::CompileParameters parameters;
        parameters.source = part.side->source.toStdString();
        parameters.arch = m_target.arch.toStdString();
        parameters.fastMath = m_target.fastMath;
        parameters.early = false;
        parameters.texts = {"ptx", "log"};
        if (m_target.onGpu()) parameters.texts.insert("cubin");
        auto settings = text::settingsFromLine(part.kernel.compilerOptions.toStdString());
        if (!settings) return take(settings.error(), part.side->problem);
        parameters.settings = std::move(*settings);
        auto unit = m_compiler.compile(parameters, options());
        if (!unit) return take(unit.error(), part.side->problem);
        part.unit = *unit;
        part.side->ptx = QString::fromStdString(part.unit->ptx);
        if (!part.unit->ok) {
            part.side->problem = CompareDesk::tr("it does not compile");
            return true;
        }
        auto sass = m_compiler.disassemble(parameters, options());
        if (!sass) return take(sass.error(), part.side->sassProblem);
        part.side->sass = QString::fromStdString(*sass);
        return true;
    }

    [[nodiscard]] protocol::RunParameters runOf(const Part& part) const {
        protocol::RunParameters parameters;
        parameters.unit = part.unit;
        parameters.card = part.kernel.card;
        parameters.size = "full";
        parameters.seed = m_target.seed;
        return parameters;
    }

    bool profile(Part& part) {
        if (!part.unit || !part.unit->ok) return !m_stop.stop_requested();
        if (!part.kernel.card) {
            if (part.side->problem.isEmpty()) part.side->problem = CompareDesk::tr("it has no task to be run with");
            return true;
        }
        protocol::ProfileParameters parameters;
        parameters.run = runOf(part);
        parameters.run.backend = "emulator"; // which counts
        parameters.device = m_target.device.toStdString();
        auto summary = m_runner.profile(parameters, options());
        if (!summary) return take(summary.error(), part.side->problem);
        if (summary->end != "finished") part.side->problem = QString::fromStdString(summary->reason);
        part.side->profile = std::make_shared<const protocol::ProfileSummary>(std::move(*summary));
        return true;
    }

    bool time(const Part& a, const Part& b) {
        const bool bothRun = a.unit && b.unit && a.unit->ok && b.unit->ok && a.kernel.card && b.kernel.card;
        if (!bothRun) return true; // its problem is said
        if (!m_target.host.isEmpty()) {
            m_found.pairsProblem = CompareDesk::tr("the GPU is on another machine");
            return true;
        }
        if (task::writeCard(*a.kernel.card) != task::writeCard(*b.kernel.card)) {
            m_found.pairsProblem = CompareDesk::tr("they solve different tasks");
            return true;
        }
        protocol::TimeParameters parameters;
        parameters.run = runOf(a);
        parameters.run.backend = "cuda";
        parameters.mode = m_target.timeMode == QLatin1String("server") ? "cold" : m_target.timeMode.toStdString();
        parameters.energy = false;
        parameters.against = b.unit;
        parameters.againstName = b.kernel.title.toStdString();
        auto summary = m_runner.time(parameters, options());
        if (!summary) return take(summary.error(), m_found.pairsProblem);
        if (summary->end != "finished")
            m_found.pairsProblem = QString::fromStdString(summary->reason);
        else
            m_found.pairs = std::move(summary->against);
        return true;
    }

    Files m_files;
    Target m_target;
    Hear m_hear;
    std::stop_token m_stop;
    protocol::KernelClient m_compiler;
    protocol::KernelClient m_runner;
    Comparison m_found;
};

} // namespace

CompareDesk::CompareDesk(const WorkspacePaths& paths, QObject* parent)
    : QObject(parent)
    , m_paths(paths) {}

CompareDesk::~CompareDesk() = default;

void CompareDesk::start(const ComparedKernel& a, const ComparedKernel& b, const Target& target,
                        const QString& archive) {
    const auto ticket = m_work.begin();
    m_work.details().found.reset();
    Q_EMIT changed();
    const ComparisonRun::Files files{m_paths.program.toStdString(), archive.toStdString(),
                                     (m_paths.dataFolder + QStringLiteral("/tasks")).toStdString()};
    ask<ComparisonPointer>(
        m_thread, this, "compare",
        [this, files, a, b, target, ticket](const std::stop_token& stop) {
            const auto hear = [this, ticket](ComparisonPointer found, const QString& step) {
                deliver(this, [this, ticket, found = std::move(found), step] {
                    if (!m_work.progress(ticket, step)) return;
                    m_work.details().found = found;
                    Q_EMIT changed();
                });
            };
            return ComparisonRun(files, target, hear, stop).run(a, b);
        },
        [this, ticket](Result<ComparisonPointer> result) {
            const ComparisonPointer found = result ? *result : nullptr;
            if (!m_work.end(ticket, std::move(result))) return;
            if (found) m_work.details().found = found;
            Q_EMIT changed();
        });
}

void CompareDesk::cancel() {
    m_thread.cancel("compare");
}

} // namespace kernelarium::ui
