// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/superopt/search/GraphFile.h"
#include "core/superopt/search/UnitSearch.h"
#include "ui/threads/SerialThread.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

namespace kernelarium::ui {

/// What is searched, as it was found when it was looked at.
struct GraphSubject {
    superopt::GraphSearch search;
    std::shared_ptr<superopt::UnitSource> source;
    std::filesystem::path store;
    std::size_t units = 0;
    superopt::FoundTable table; ///< of earlier runs
};
using GraphSubjectPointer = std::shared_ptr<const GraphSubject>;

/// The kernel file of a graph that was found.
struct GraphKernel {
    std::string graph; ///< its hash
    kernelgen::Emitted file;
};
using GraphKernelPointer = std::shared_ptr<const GraphKernel>;

/// Where a search stands. Its answer is how it ended by itself; one that was stopped is cancelled.
struct GraphSearchState : WorkState<superopt::UnitSearchEnd> {
    superopt::UnitProgress progress;
    bool paused = false;
};

/// Looks at what a card asks the generator for, and runs one search at a time. What is found is in a store as it comes:
/// a stop, a closed window and a crash cost the units that are open, and the next start goes on.
class GraphSearchDesk : public QObject {
    Q_OBJECT
public:
    /// `folder`: of the stores.
    explicit GraphSearchDesk(std::filesystem::path folder, QObject* parent = nullptr);
    ~GraphSearchDesk() override;

    /// Ends a search of another subject.
    void look(superopt::GraphSearch search);
    void forget();
    [[nodiscard]] const WorkState<GraphSubjectPointer>& lookState() const { return m_look.state(); }
    [[nodiscard]] const GraphSubjectPointer& subject() const { return m_subject; } ///< null: nothing
    [[nodiscard]] const superopt::FoundTable& table() const { return m_table; }

    void start(std::size_t threads); ///< does nothing while one runs, or without a subject
    void pause();
    void goOn();
    void stop();
    [[nodiscard]] const GraphSearchState& state() const { return m_work.state(); }
    [[nodiscard]] bool isRunning() const { return m_work.isBusy(); }
    /// Writes the file of a graph; a newer wish replaces an older one, and one that is there already is kept.
    void write(const superopt::FoundCandidate& found);
    [[nodiscard]] const WorkState<GraphKernelPointer>& fileState() const { return m_file.state(); }
    /// The file of this graph; null: it is not there (yet).
    [[nodiscard]] GraphKernelPointer fileOf(const std::string& graph) const;
    /// Units that are not explored yet.
    [[nodiscard]] std::size_t openUnits() const;

Q_SIGNALS:
    void looked();
    void found();   ///< table()
    void written(); ///< fileState()
    void changed(); ///< state(); a few times a second at most while it runs

private:
    /// What the search's threads have found and the window has not heard yet.
    struct Mailbox {
        std::mutex mutex;
        std::vector<std::pair<tuning::JudgedKind, tuning::Judged>> judged;
        superopt::UnitProgress progress;
        bool announced = false;
    };
    void announce(const std::shared_ptr<Mailbox>& mailbox);
    void collect(const std::shared_ptr<Mailbox>& mailbox);

    std::filesystem::path m_folder;
    Work<GraphSubjectPointer> m_look;
    Work<superopt::UnitSearchEnd, GraphSearchState> m_work;
    Work<GraphKernelPointer> m_file;
    std::string m_writing; ///< the graph of m_file
    GraphSubjectPointer m_subject;
    superopt::FoundTable m_table;
    std::shared_ptr<tuning::Pause> m_pause;
    std::shared_ptr<Mailbox> m_mailbox; ///< of the newest search
    SerialThread m_reader;
    SerialThread m_searcher;
};

} // namespace kernelarium::ui
