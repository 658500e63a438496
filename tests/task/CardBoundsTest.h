// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium {

/// What evaluating cards may cost: memory, work at small size, the time until a stop is seen.
class CardBoundsTest : public QObject {
    Q_OBJECT
private slots:
    void smallSizesKeepTheirBounds();
    void smallSizesKeepWhatDividesTheFullOnes();
    void freesWhatIsNoLongerUsed();
    void hostileSizesAreRefused();
    void stopsWithinAnOperator();
    void threadsGiveTheSame();
};

} // namespace kernelarium
