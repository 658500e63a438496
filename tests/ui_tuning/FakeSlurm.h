// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace kernelarium::ui {

/// sbatch, squeue and scancel as scripts of our own, first on PATH while it lives. They keep what they know as files;
/// each squeue begins what is pending, and the tasks are real processes that do their work.
class FakeSlurm {
public:
    /// `installed`: false is a PATH on which nothing is.
    explicit FakeSlurm(const QString& folder, bool installed = true);
    ~FakeSlurm(); ///< ends what still runs
    FakeSlurm(const FakeSlurm&) = delete;
    FakeSlurm& operator=(const FakeSlurm&) = delete;

    /// "hold": nothing begins, "hold-2": the second task does not; "refuse": sbatch refuses; "fail": machines fail;
    /// "fail-once": one does, once.
    void set(const QString& mood, bool on = true) const;
    [[nodiscard]] QString submitted() const; ///< the words of every sbatch, a line each
    [[nodiscard]] int jobs() const;
    [[nodiscard]] int cancelled() const; ///< calls of scancel

private:
    [[nodiscard]] QByteArray read(const QString& name) const;
    QString m_folder;
    QByteArray m_path;
};

} // namespace kernelarium::ui
