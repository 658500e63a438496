// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

namespace kernelarium::ui {

class Bench;
class PastTrials;

/// How the text on the bench stands: its newest time, and what there is to hold it against.
class Standing : public QObject {
    Q_OBJECT
public:
    Standing(Bench& bench, PastTrials& past, QObject* parent = nullptr);

    /// Another time of the same task at the same size.
    struct Rival {
        QString name; ///< "the archived", "PyTorch native"
        double milliseconds = 0;
        session::Timing::Origin origin = session::Timing::Origin::archived;
        QString device; ///< where it was taken; empty: the publishers do not say
    };
    struct Now {
        session::Timing time; ///< of the text as it stands, with nothing changed in how it is compiled
        std::vector<Rival> rivals;
    };
    /// Nothing: this text was not timed.
    [[nodiscard]] std::optional<Now> now() const;

    /// "9.25 µs modelled, 2.1× as fast as the archived, 0.97× PyTorch native"; empty: it was not timed.
    [[nodiscard]] QString sentence() const;
    /// What the numbers are, a line each; empty with the sentence.
    [[nodiscard]] QString explanation() const;

Q_SIGNALS:
    void changed();

private:
    Bench& m_bench;
    PastTrials& m_past;
};

} // namespace kernelarium::ui
