// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/FactsText.h"

#include "ui/words/Quantities.h"
#include "ui/words/VerdictWords.h"
#include "ui/words/Words.h"

#include <QStringList>

namespace kernelarium::ui {

namespace {

QString qt(const std::string& text) {
    return QString::fromStdString(text).toHtmlEscaped();
}

/// Rows of a name, a value and, muted, where the value comes from.
class Table {
public:
    explicit Table(const Palette& palette, bool narrow = false)
        : m_palette(palette)
        , m_narrow(narrow) {}

    void heading(const QString& text) {
        m_html += QStringLiteral("<tr><td colspan='3' style='padding:12px 0 4px 0'><b>%1</b></td></tr>")
                      .arg(text.toHtmlEscaped());
    }
    void row(const QString& name, const QString& value, const QString& note = {}) {
        if (value.isEmpty()) return;
        if (m_narrow) {
            m_html += QStringLiteral("<tr><td style='padding:2px 8px 2px 0; color:%1'>%2</td>"
                                     "<td colspan='2' align='right' style='padding:2px 0'>%3"
                                     "<span style='color:%1'> %4</span></td></tr>")
                          .arg(m_palette.muted.name(), name.toHtmlEscaped(), value, note.toHtmlEscaped());
            return;
        }
        m_html += QStringLiteral("<tr><td style='padding:2px 8px 2px 0; color:%1; white-space:nowrap'>%2</td>"
                                 "<td align='right' style='padding:2px 8px 2px 0; white-space:nowrap'>%3</td>"
                                 "<td style='padding:2px 0; color:%1%5'>%4</td></tr>")
                      .arg(m_palette.muted.name(), name.toHtmlEscaped(), value, note.toHtmlEscaped(),
                           note.size() <= shortNote ? QStringLiteral("; white-space:nowrap") : QString());
    }
    /// A value that may be long, in both columns.
    void wide(const QString& name, const QString& value) {
        if (value.isEmpty()) return;
        m_html += QStringLiteral("<tr><td style='padding:2px 8px 2px 0; color:%1%4'>%2</td>"
                                 "<td colspan='2' style='padding:2px 0'>%3</td></tr>")
                      .arg(m_palette.muted.name(), name.toHtmlEscaped(), value,
                           m_narrow ? QString() : QStringLiteral("; white-space:nowrap"));
    }
    /// One that has no room beside its name.
    void whole(const QString& name, const QString& value) {
        m_html += QStringLiteral(
                      "<tr><td colspan='3' style='padding:2px 0'><span style='color:%1'>%2</span>&nbsp; %3</td></tr>")
                      .arg(m_palette.muted.name(), name.toHtmlEscaped(), value);
    }
    [[nodiscard]] QString html() const {
        return QStringLiteral("<table cellspacing='0' cellpadding='0'>%1</table>").arg(m_html);
    }

private:
    static constexpr int shortNote = 14; ///< characters that stay on one line beside a value

    const Palette& m_palette;
    const bool m_narrow;
    QString m_html;
};

QString milliseconds(const std::optional<double>& value) {
    return value ? millisecondsText(*value) : QString();
}

QString originText(const Kernel& kernel, bool edited) {
    QString text;
    switch (kernel.origin) {
    case Kernel::Origin::archived: text = Words::tr("from the archive"); break;
    case Kernel::Origin::file: text = kernel.path; break;
    case Kernel::Origin::lesson: text = Words::tr("from a lesson"); break;
    case Kernel::Origin::fresh: text = Words::tr("not saved to a file yet"); break;
    case Kernel::Origin::none: break;
    }
    return edited ? text + Words::tr(", edited") : text;
}

/// The time of the text as it stands, and how many times as fast as others it is.
void addStanding(Table& table, const Standing::Now& standing) {
    const auto word = [](session::Timing::Origin origin) {
        const std::string_view name = session::name(origin);
        return QString::fromUtf8(name.data(), qsizetype(name.size()));
    };
    table.row(Words::tr("Time"), secondsText(standing.time.milliseconds / 1e3), word(standing.time.origin));
    for (const Standing::Rival& rival : standing.rivals)
        table.row(Words::tr("Against %1").arg(rival.name), speedupText(rival.milliseconds / standing.time.milliseconds),
                  word(rival.origin));
}

void addArchived(Table& table, const archive::KernelSummary& row) {
    const QString archived = Words::tr("archived");
    table.heading(Words::tr("Archive"));
    table.row(Words::tr("Claim"),
              claimText(!row.correct   ? archive::KernelTable::Correct::unknown
                        : *row.correct ? archive::KernelTable::Correct::yes
                                       : archive::KernelTable::Correct::no,
                        row.errorKind),
              archived);
    table.row(Words::tr("Runtime"), milliseconds(row.runtime), Words::tr("ms, archived"));
    table.row(Words::tr("PyTorch native"), milliseconds(row.nativeRuntime), Words::tr("ms, archived"));
    table.row(Words::tr("torch.compile"), milliseconds(row.compileRuntime), Words::tr("ms, archived"));
    table.row(Words::tr("Speed-up, native"), row.speedupNative ? speedupText(*row.speedupNative) : QString(), archived);
    table.row(Words::tr("Speed-up, compile"), row.speedupCompile ? speedupText(*row.speedupCompile) : QString(),
              archived);
    table.row(Words::tr("Largest difference"), row.maxDiff ? numberText(*row.maxDiff) : QString(), archived);
    table.wide(Words::tr("Source"), Words::tr("%1, of %2").arg(bytesText(double(row.codeBytes)), qt(row.origin)));
    table.whole(Words::tr("Label"), qt(row.label()));
}

} // namespace

QString factsHtml(const Kernel& kernel, bool edited, const VerdictFact& verdict,
                  const std::optional<Standing::Now>& standing, const Palette& palette, bool narrow) {
    if (kernel.isEmpty())
        return QStringLiteral("<p style='color:%1'>%2</p>")
            .arg(palette.muted.name(),
                 Words::tr("What the archive says about a kernel, its task and its PyTorch reference appear here. "
                           "Choose a kernel in the archive, or open a .cu file (Ctrl+O)."));
    QString html =
        QStringLiteral("<p><b>%1</b><br><span style='color:%2'>%3</span></p>")
            .arg(kernel.title.toHtmlEscaped(), palette.muted.name(), originText(kernel, edited).toHtmlEscaped());
    Table table(palette, narrow);
    table.heading(Words::tr("Here"));
    table.wide(Words::tr("Verdict"), verdict.kind.isEmpty() ? Words::tr("not verified yet")
                                                            : QStringLiteral("<span style='color:%1'>%2</span>")
                                                                  .arg(verdictColour(palette, verdict.kind).name(),
                                                                       verdict.text.toHtmlEscaped()));
    if (standing) addStanding(table, *standing);
    if (kernel.task)
        table.wide(
            Words::tr("Task"),
            QStringLiteral("%1/%2 %3")
                .arg(kernel.task->level)
                .arg(kernel.task->task)
                .arg(kernel.row ? operatorText(QString::fromStdString(kernel.row->opName)).toHtmlEscaped() : QString())
                .trimmed());
    if (!kernel.referenceName.isEmpty()) table.wide(Words::tr("Reference"), kernel.referenceName.toHtmlEscaped());
    if (!kernel.arguments.isEmpty())
        table.wide(Words::tr("Arguments"), kernel.arguments.join(QStringLiteral(", ")).toHtmlEscaped());
    if (kernel.row) addArchived(table, *kernel.row);
    html += table.html();
    if (!kernel.texts.error.isEmpty())
        html += QStringLiteral("<p><b>%1</b></p><pre style='white-space:pre-wrap'>%2</pre>")
                    .arg(Words::tr("Archived error"), kernel.texts.error.left(20000).toHtmlEscaped());
    return html;
}

QString taskHtml(const task::Card& card, const QString& size, const task::Cost* cost, const Palette& palette) {
    QString html =
        QStringLiteral("<p><b>%1 %2</b><br>%3</p>")
            .arg(qt(card.key()), operatorText(QString::fromStdString(card.name)).toHtmlEscaped(), qt(card.summary));
    Table table(palette);
    if (auto symbols = card.size(size.toStdString())) {
        if (auto shapes = task::tensorShapes(card, *symbols)) {
            table.heading(Words::tr("Tensors, %1 size").arg(size));
            for (std::size_t i = 0; i < card.tensors.size() && i < 40; ++i)
                table.row(QString::fromStdString(card.tensors[i].name), qt(tensor::toString((*shapes)[i])),
                          QString::fromUtf8(tensor::name(card.tensors[i].dtype).data(),
                                            qsizetype(tensor::name(card.tensors[i].dtype).size())));
        }
    }
    if (cost) {
        table.heading(Words::tr("Cost, %1 size").arg(size));
        table.row(Words::tr("Operations"), siText(cost->flops, QStringLiteral("FLOP")), Words::tr("modelled"));
        table.row(Words::tr("Compulsory traffic"), bytesText(cost->compulsoryBytes),
                  Words::tr("inputs and outputs once"));
        table.row(Words::tr("Unfused traffic"), bytesText(cost->unfusedBytes), Words::tr("each operator on its own"));
        if (cost->compulsoryBytes > 0 && cost->unfusedBytes > 0) {
            table.row(Words::tr("Intensity, fused"), numberText(cost->fusedIntensity()),
                      Words::tr("FLOP/byte, all operators in one kernel"));
            table.row(Words::tr("Intensity, unfused"), numberText(cost->unfusedIntensity()),
                      Words::tr("FLOP/byte, each operator on its own"));
        }
    }
    html += table.html();
    QStringList notes;
    if (!card.degenerate.empty())
        notes << Words::tr("Weak by construction: %1").arg(qt(card.degenerate).toHtmlEscaped());
    for (const auto& note : card.notes)
        notes << qt(note);
    if (!notes.isEmpty())
        html +=
            QStringLiteral("<p style='color:%1'>%2</p>").arg(palette.muted.name(), notes.join(QStringLiteral("<br>")));
    return html;
}

} // namespace kernelarium::ui
