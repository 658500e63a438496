// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/statistics/FigureTable.h"
#include "ui/widgets/WrappedLabel.h"

#include <QList>

namespace kernelarium::ui {

/// Marks the numbers of a sentence that lead to the kernels behind them.
///
///     Links links;
///     label->setSentence(tr("%1 fail").arg(links.to(wholeText(3), drill)), links);
class Links {
public:
    /// The number as it goes into the sentence; as it is where it leads nowhere.
    [[nodiscard]] QString to(const QString& number, DrillPointer drill);

private:
    friend class LinkedLabel;
    QList<DrillPointer> m_drills;
};

/// A sentence in plain words, some of whose numbers can be clicked or reached with Tab.
class LinkedLabel : public WrappedLabel {
    Q_OBJECT
public:
    explicit LinkedLabel(QWidget* parent = nullptr);

    void setSentence(const QString& sentence, const Links& links = {});
    [[nodiscard]] const QString& sentence() const { return m_sentence; } ///< without the links

Q_SIGNALS:
    void drilled(const DrillPointer& drill);

private:
    QString m_sentence;
    QList<DrillPointer> m_drills;
};

} // namespace kernelarium::ui
