// SPDX-License-Identifier: GPL-3.0-or-later
// How the page follows what its desk found.
#include "ui/desks/ArchiveDesk.h"
#include "ui/statistics/ChartPlot.h"
#include "ui/statistics/FigureView.h"
#include "ui/statistics/StatisticsPage.h"
#include "ui/statistics/StatisticsSection.h"
#include "ui/widgets/EmptyState.h"
#include "ui/words/Quantities.h"

#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <cmath>
#include <utility>

namespace kernelarium::ui {

void StatisticsPage::refresh() {
    const FigureSource& source = m_desk->source();
    if (source.findings != m_shown) {
        m_shown = source.findings;
        refreshFigures();
    }
    if (source.profiles != m_shownProfiles || !source.profiles) {
        m_shownProfiles = source.profiles;
        refreshProfiles();
    }
    refreshSentences();
    refreshEmpty();
}

/// A section is filled when it is seen: all at once would keep the window waiting.
void StatisticsPage::fill(Section section) {
    if (!m_shown || !std::exchange(m_outdated[section], false)) return;
    const FigureSource& source = m_desk->source();
    switch (section) {
    case overview: m_tables[overview][0]->setTable(groupFigures(source)); break;
    case tasks:
        m_tables[tasks][0]->setTable(taskFigures(source));
        refreshRanks();
        break;
    case fast: m_charts[fast]->setData(fastChart(source, m_fastOf->currentIndex() == 0)); break;
    case speedups: m_charts[speedups]->setData(speedupChart(source)); break;
    case errors: m_tables[errors][0]->setTable(errorFigures(source)); break;
    case words:
        m_tables[words][0]->setTable(wordFigures(source));
        m_charts[words]->setData(wordChart(source));
        break;
    case contradictions: m_tables[contradictions][0]->setTable(contradictionFigures(source)); break;
    default: break; // profiles come later, kernels by a click
    }
}

void StatisticsPage::refreshFigures() {
    if (!m_shown) return;
    const FigureSource& source = m_desk->source();
    m_outdated.fill(true);
    // A list of rows may be of another archive.
    m_tables[kernels][0]->setTable(kernelFigures(source, tr("Kernels"), {}));
    m_pages[kernels]->setSentence(tr("Click a number anywhere: kernels that a search cannot name are listed here."));
    const auto& all = m_shown->archived.groups.tasks;
    const bool known = std::any_of(all.begin(), all.end(), [this](const auto& group) {
        return group.level == m_rankLevel && group.task == m_rankTask;
    });
    if (!known) {
        m_rankLevel = all.empty() ? 0 : int(all.front().level);
        m_rankTask = all.empty() ? 0 : int(all.front().task);
    }
    fill(Section(std::max(0, m_list->currentRow())));
    m_list->item(contradictions)
        ->setText(m_shown->contradictions.empty()
                      ? tr("Contradictions")
                      : tr("Contradictions %1").arg(wholeText(std::int64_t(m_shown->contradictions.size()))));
    m_pages[contradictions]->setSentence(m_shown->judged.empty()
                                             ? tr("None of these kernels was verified here: Audit (Alt+U) does, and "
                                                  "what contradicts the archive is listed here.")
                                             : tr("Archived as correct, and refuted by a verdict of ours: %1 of %2 "
                                                  "verified kernels. Both are shown; neither is hidden by the other.")
                                                   .arg(wholeText(std::int64_t(m_shown->contradictions.size())),
                                                        wholeText(std::int64_t(m_shown->judged.size()))));
}

void StatisticsPage::refreshRanks() {
    if (m_shown) m_tables[tasks][1]->setTable(rankFigures(m_desk->source(), m_rankLevel, m_rankTask));
}

void StatisticsPage::refreshProfiles() {
    const FigureSource& source = m_desk->source();
    m_tables[profiles][0]->setTable(metricFigures(source));
    m_tables[profiles][1]->setTable(checkFigures(source));
    m_tables[profiles][2]->setTable(ruleFigures(source));
    QString sentence;
    Links links;
    const auto listed = [&](const QString& title, std::int64_t number, const std::vector<std::uint32_t>& rows) {
        return links.to(wholeText(number),
                        rows.empty() ? nullptr : drillTo(source, title, {}, [rows] { return rows; }));
    };
    const auto kernelsOf = [&](const QString& title, const std::vector<std::uint32_t>& rows) {
        return listed(title, std::int64_t(rows.size()), rows);
    };
    if (source.profiles) {
        const auto* read = &source.profiles->archived;
        const auto* rest = &source.profiles->standing;
        sentence =
            tr("Archived profiles. clang-tidy: %1 kernels, %2 warnings, %3 per kernel (median %4). Nsight Compute: %5 "
               "kernels. A kernel counts as fast or slow against the median of its task's profiled correct kernels.")
                .arg(kernelsOf(tr("Kernels with a clang-tidy report"), read->tidiedRows),
                     listed(tr("Kernels with a warning of clang-tidy"), read->warnings, read->warnedRows),
                     std::isnan(read->meanWarnings) ? QStringLiteral("–") : numberText(read->meanWarnings),
                     std::isnan(read->medianWarnings) ? QStringLiteral("–") : numberText(read->medianWarnings),
                     kernelsOf(tr("Kernels with a Nsight Compute profile"), read->profiledRows));
        if (!source.findings->bothSame() && rest->tidied > 0)
            sentence +=
                QLatin1Char(' ') +
                tr("Without those that fail our checks: %1 warnings per kernel (median %2) of %3, %4 of Nsight Compute.")
                    .arg(numberText(rest->meanWarnings), numberText(rest->medianWarnings),
                         kernelsOf(tr("Kernels with a clang-tidy report, without those that fail here"),
                                   rest->tidiedRows),
                         kernelsOf(tr("Kernels with a Nsight Compute profile, without those that fail here"),
                                   rest->profiledRows));
        if (read->unreadable > 0)
            sentence += QLatin1Char(' ') + tr("%1 cells have another format and were not read.")
                                               .arg(listed(tr("Kernels with a cell in another format"),
                                                           read->unreadable, read->unreadableRows));
        if (read->tidied == 0 && read->profiled == 0) sentence = tr("None of these kernels has an archived profile.");
    } else if (m_desk->profileStage() == Stage::cancelled) {
        sentence = tr("Reading the profiles was cancelled. \"Compute again\" reads them.");
    } else if (m_desk->profileStage() == Stage::failed) {
        sentence = QString::fromStdString(m_desk->error().text());
    } else {
        sentence = tr("The profiles are being read.");
    }
    m_pages[profiles]->setSentence(sentence, links);
}

void StatisticsPage::refreshSentences() {
    const bool ended = m_desk->stage() == Stage::cancelled || m_desk->stage() == Stage::failed ||
                       m_desk->profileStage() == Stage::cancelled || m_desk->profileStage() == Stage::failed;
    m_again->setVisible(ended && !m_desk->isBusy());
    if (!m_shown) {
        m_headline->setSentence(tr("What does the archive say?"));
        m_subline->setSentence({});
        return;
    }
    const auto& archived = m_shown->archived.groups.all;
    const auto& standing = m_shown->standing.groups.all;
    const FigureSource& source = m_desk->source();
    const auto counted = [&source, table = source.table, findings = m_shown](const QString& title,
                                                                             archive::Figure figure, bool second) {
        return drillTo(source, title, {}, [table, findings, figure, second] {
            const auto& of = second ? findings->standing : findings->archived;
            return archive::rowsBehind(*table, of.rows, of.groups.all, figure);
        });
    };
    Links head;
    const auto both = [&](double before, double after, const QString& title, archive::Figure figure) {
        const QString first = head.to(percentText(before), before > 0 ? counted(title, figure, false) : nullptr);
        if (m_shown->bothSame()) return first;
        return tr("%1 (%2 without the %3 kernels that fail here)")
            .arg(
                first,
                head.to(percentText(after),
                        after > 0 ? counted(tr("%1, without those that fail here").arg(title), figure, true) : nullptr),
                head.to(wholeText(std::int64_t(m_shown->failing.size())),
                        drillTo(source, tr("Kernels that fail here"), {}, [rows = m_shown->failing] { return rows; })));
    };
    if (archived.speedupsNative > 0) {
        const QString native = both(archived.shareFasterThanNative, standing.shareFasterThanNative,
                                    tr("Correct and faster than native"), archive::Figure::fasterThanNative);
        const QString compiled = both(archived.shareFasterThanCompile, standing.shareFasterThanCompile,
                                      tr("Correct and faster than torch.compile"), archive::Figure::fasterThanCompile);
        m_headline->setSentence(tr("%1 of the correct kernels are faster than PyTorch native, %2 than torch.compile.")
                                    .arg(native, compiled),
                                head);
    } else {
        m_headline->setSentence(tr("None of these kernels is archived as correct with a speed-up."));
    }
    Links below;
    const auto listed = [&](const QString& title, std::vector<std::uint32_t> rows) {
        const QString number = wholeText(std::int64_t(rows.size()));
        return below.to(number,
                        rows.empty() ? nullptr : drillTo(source, title, {}, [rows = std::move(rows)] { return rows; }));
    };
    const QString kernels =
        below.to(wholeText(archived.rows), counted(tr("All kernels"), archive::Figure::rows, false));
    const QString tasks =
        below.to(wholeText(archived.tasks), counted(tr("The kernels of these tasks"), archive::Figure::rows, false));
    QStringList facts{tr("%1 kernels of %2 tasks, as archived").arg(kernels, tasks)};
    if (!m_shown->judged.empty()) {
        std::vector<std::uint32_t> contradicted;
        for (const auto& contradiction : m_shown->contradictions)
            contradicted.push_back(contradiction.row);
        const QString judged = listed(tr("Verified here"), m_shown->judged);
        const QString fail = listed(tr("Failing our checks"), m_shown->failing);
        facts << tr("%1 verified here: %2 fail, %3 of them archived as correct")
                     .arg(judged, fail, listed(tr("Archived as correct, failing our checks"), std::move(contradicted)));
    } else {
        facts << tr("none was verified here");
    }
    if (m_desk->stage() == Stage::running) facts << tr("computing again");
    if (m_desk->stage() == Stage::cancelled) facts << tr("cancelled: these are the numbers before");
    if (m_desk->stage() == Stage::failed) facts << QString::fromStdString(m_desk->error().text());
    m_subline->setSentence(facts.join(QStringLiteral(" · ")), below);
}

void StatisticsPage::refreshEmpty() {
    const auto& table = m_with.archive.table();
    const bool hasRows = m_shown && !m_shown->archived.rows.empty();
    const bool first = m_body->currentIndex() == 1 && hasRows;
    m_body->setCurrentIndex(hasRows ? 0 : 1);
    if (first && m_back->hasFocus()) m_list->setFocus(Qt::OtherFocusReason); // there was nothing else to go to
    if (hasRows) return;
    m_empty->setAction({}, {});
    if (!table) {
        m_empty->setTexts(
            tr("No archive is open"),
            tr("This page counts what an archive claims: how many kernels are correct, how fast they are, and what "
               "of it stands where they were verified here."));
        m_empty->setAction(tr("Open an archive…"), tr("Open a Kernelarium archive, or import one"));
    } else if (m_desk->stage() == Stage::failed) {
        m_empty->setTexts(tr("The statistics could not be computed"), QString::fromStdString(m_desk->error().text()));
        m_empty->setAction(tr("Compute again"), tr("Try again"));
    } else if (m_desk->stage() == Stage::cancelled) {
        m_empty->setTexts(tr("Cancelled"), tr("Nothing was computed."));
        m_empty->setAction(tr("Compute again"), tr("Count the kernels of the archive"));
    } else if (table->size() == 0) {
        m_empty->setTexts(tr("This archive is empty"),
                          tr("There is nothing to count: import rows into it first (File, Import rows)."));
    } else if (m_shown) {
        m_empty->setTexts(tr("The Archive panel shows no kernel"),
                          tr("There is nothing to count: change the search, or choose the whole archive above."));
    } else {
        m_empty->setTexts(tr("Counting…"),
                          tr("The numbers appear in a moment; those read from profiles a little later."));
    }
}

} // namespace kernelarium::ui
