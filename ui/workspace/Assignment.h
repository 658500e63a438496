// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/Versions.h"
#include "core/task/Card.h"
#include "ui/desks/CardDesk.h"

#include <QObject>
#include <QStringList>
#include <memory>
#include <optional>

namespace kernelarium::ui {

class ArchiveDesk;
class Bench;
class Notices;

/// What the kernel on the bench is called with and held against: the card of its task, built in or exported; another
/// kernel; or stated arguments.
class Assignment : public QObject {
    Q_OBJECT
public:
    Assignment(Bench& bench, ArchiveDesk& archive, CardDesk& cards, Notices& notices, QObject* parent = nullptr);

    /// The card of the kernel's task; null where it has none.
    [[nodiscard]] const std::shared_ptr<const task::Card>& card() const { return m_card; }
    void load(); ///< another kernel, or another task of it

    void setTask(std::optional<task::TaskKey> task);
    void setReference(const QString& path);          ///< a .cu file; empty: the task's card
    void setReferenceKernel(const QString& label);   ///< another kernel of the open archive
    void setArguments(const QStringList& arguments); ///< of forward, where there is no task

    /// How it is compiled besides (core/text/CompilerSettings.h), and which function of its module is called.
    void setBuild(const QString& compilerOptions, const QString& function);

    /// Whether the kernel is an archive's and its task has no built-in card: one may be exported.
    [[nodiscard]] bool isUnknownTask() const;
    [[nodiscard]] QString exportObstacle() const; ///< why no card can be exported now; empty when one can
    void exportCard();                            ///< from the row's PyTorch code; what comes out is posted
    /// Why the kernel cannot be held against anything; empty when it can.
    [[nodiscard]] QString verifyObstacle() const;

    /// Of the program, the card and the checks that a verdict found now would be of.
    [[nodiscard]] audit::Versions versions() const;

Q_SIGNALS:
    void changed(); ///< task, card, reference or arguments

private:
    [[nodiscard]] audit::RowTask rowTask() const;
    void loadOwnCard();
    void exported();
    void takeReference(const QString& key, const QString& text, const QString& name);

    Bench& m_bench;
    ArchiveDesk& m_archive;
    CardDesk& m_cards;
    Notices& m_notices;
    std::shared_ptr<const task::Card> m_card;
    std::string m_cardVersion; ///< of an exported card
};

} // namespace kernelarium::ui
