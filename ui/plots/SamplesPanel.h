// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"
#include "ui/plots/SamplesPlot.h"

#include <QWidget>
#include <vector>

class QComboBox;
class QLabel;
class QTextBrowser;

namespace kernelarium::ui {

class Notices;
class PastTrials;
class SessionDesk;
class Trials;

/// The measured times of the attempts at the kernel on the bench, sample by sample: one attempt, or two of
/// the same device, size and mode.
class SamplesPanel : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Trials& trials;
        PastTrials& past;
        SessionDesk& session;
        Notices& notices;
    };
    SamplesPanel(const Around& around, Theme& theme, QWidget* parent = nullptr);

    void showAttempt(qint64 attempt);
    [[nodiscard]] SamplesPlot& plot() { return *m_plot; }
    [[nodiscard]] QComboBox& first() { return *m_first; }
    [[nodiscard]] QComboBox& second() { return *m_second; }
    [[nodiscard]] QString sentence() const;
    [[nodiscard]] QString facts() const;

private:
    using Sets = std::vector<SampleSet>;
    struct Entry {
        qint64 attempt = 0;
        QString text;
        QString kind; ///< device, size and mode: only the same are compared
    };
    void refresh();
    void fill(const std::vector<session::AttemptSummary>& attempts);
    void fillSecond();
    void load();
    void show(const Sets& sets);

    Around m_with;
    SamplesPlot* m_plot;
    QComboBox* m_first;
    QComboBox* m_second;
    QLabel* m_sentence;
    QTextBrowser* m_facts;
    QWidget* m_bar;
    std::vector<Entry> m_entries;
    qint64 m_wanted = 0; ///< an attempt to show once it is listed
};

} // namespace kernelarium::ui
