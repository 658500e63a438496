// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_tuning/FakeSlurm.h"

#include <QDir>
#include <QFile>
#include <csignal>

namespace kernelarium::ui {

namespace {

// clang-format off: it takes the shell for C++
const char* const sbatchScript = R"SH(#!/bin/bash
D='FOLDER'
if [ -e "$D/refuse" ]; then
    echo 'sbatch: error: Batch job submission failed: Invalid partition name specified' >&2
    exit 1
fi
printf '%s\n' "$@" >> "$D/submitted"
n=$(( $(cat "$D/jobs" 2>/dev/null || echo 100) + 1 ))
echo $n > "$D/jobs"
for word in "$@"; do
    case $word in
    --array=*) list=${word#--array=} ;;
    --job-name=*) name=${word#--job-name=} ;;
    esac
done
echo "$name" > "$D/job-$n.name"
echo "$word" > "$D/job-$n.script"
for part in ${list//,/ }; do
    for task in $(seq ${part%-*} ${part#*-}); do echo PENDING > "$D/state-$n-$task"; done
done
echo $n
)SH";

const char* const squeueScript = R"SH(#!/bin/bash
D='FOLDER'
for word in "$@"; do
    case $word in
    --jobs=*) job=${word#--jobs=} ;;
    --name=*) name=${word#--name=} ;;
    esac
done
for file in "$D"/state-*; do
    [ -e "$file" ] || continue
    id=${file##*/state-}; n=${id%-*}; task=${id#*-}
    [ -n "$job" ] && [ "$job" != "$n" ] && continue
    [ -n "$name" ] && [ "$name" != "$(cat "$D/job-$n.name")" ] && continue
    state=$(cat "$file")
    if [ $state = PENDING ] && [ ! -e "$D/hold" ] && [ ! -e "$D/hold-$task" ]; then
        if [ -e "$D/fail" ] || [ -e "$D/fail-once" ]; then
            rm -f "$D/fail-once"
            state=NODE_FAIL
        else
            # Whether a child of nobody is still there cannot be asked: not everywhere does somebody bury it.
            SLURM_ARRAY_TASK_ID=$task SLURM_CPUS_PER_TASK=1 setsid bash -c 'bash "$1"; touch "$2"' task \
                "$(cat "$D/job-$n.script")" "$D/ended-$n-$task" > /dev/null 2>&1 < /dev/null &
            echo $! > "$D/pid-$n-$task"
            state=RUNNING
        fi
        echo $state > "$file"
    elif [ $state = RUNNING ] && [ -e "$D/ended-$n-$task" ]; then
        state=COMPLETED
        echo $state > "$file"
    fi
    echo "$n|$task|$state|node$task|None"
done
)SH";

const char* const scancelScript = R"SH(#!/bin/bash
D='FOLDER'
echo "$1" >> "$D/cancelled"
for file in "$D"/state-$1-*; do
    [ -e "$file" ] || continue
    case $(cat "$file") in PENDING | RUNNING) echo CANCELLED > "$file" ;; esac
    pid="$D/pid-${file##*/state-}"
    [ -e "$pid" ] && kill -- -$(cat "$pid") 2> /dev/null
done
exit 0
)SH";
// clang-format on

} // namespace

FakeSlurm::FakeSlurm(const QString& folder, bool installed)
    : m_folder(folder)
    , m_path(qgetenv("PATH")) {
    QDir().mkpath(m_folder + QStringLiteral("/bin"));
    const std::pair<const char*, const char*> programs[] = {
        {"sbatch", sbatchScript}, {"squeue", squeueScript}, {"scancel", scancelScript}};
    for (const auto& [name, script] : programs) {
        if (!installed) continue;
        QFile file(m_folder + QStringLiteral("/bin/") + QLatin1String(name));
        if (!file.open(QIODevice::WriteOnly)) continue;
        file.write(QByteArray(script).replace("FOLDER", m_folder.toUtf8()));
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    const QByteArray bin = (m_folder + QStringLiteral("/bin")).toUtf8();
    qputenv("PATH", installed ? bin + ':' + m_path : bin);
}

FakeSlurm::~FakeSlurm() {
    qputenv("PATH", m_path);
    const QStringList pids = QDir(m_folder).entryList({QStringLiteral("pid-*")});
    for (const QString& name : pids)
        if (const int pid = read(name).trimmed().toInt(); pid > 1) ::kill(-pid, SIGKILL);
}

QByteArray FakeSlurm::read(const QString& name) const {
    QFile file(m_folder + QLatin1Char('/') + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void FakeSlurm::set(const QString& mood, bool on) const {
    QFile file(m_folder + QLatin1Char('/') + mood);
    if (on)
        static_cast<void>(file.open(QIODevice::WriteOnly));
    else
        file.remove();
}

QString FakeSlurm::submitted() const {
    return QString::fromUtf8(read(QStringLiteral("submitted")));
}

int FakeSlurm::jobs() const {
    const int last = read(QStringLiteral("jobs")).trimmed().toInt();
    return last == 0 ? 0 : last - 100;
}

int FakeSlurm::cancelled() const {
    return int(read(QStringLiteral("cancelled")).count('\n'));
}

} // namespace kernelarium::ui
