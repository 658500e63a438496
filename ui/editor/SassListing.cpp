// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/SassListing.h"

#include "core/sass/instruction/Control.h"
#include "core/text/KernelName.h"

#include <QRegularExpression>
#include <algorithm>

namespace kernelarium::ui {

namespace {

constexpr int instructionWidth = 62; ///< columns before what is said of the scheduling

class SassReader {
public:
    SassReader(PtxListing& listing, QString userFile)
        : m_listing(listing)
        , m_userFile(std::move(userFile)) {}

    void line(const QString& text) {
        if (const auto found = m_instruction.match(text); found.hasMatch()) {
            m_inSources = false;
            return instruction(found, text);
        }
        if (const auto found = m_secondHalf.match(text); found.hasMatch() && m_open >= 0) return control(found);
        if (const auto found = m_source.match(text); found.hasMatch()) {
            // Of lines that follow each other the first is the innermost, and the next says where that was inlined.
            if (!m_inSources || m_line == 0) sourceLine(text);
            m_inSources = true;
            return add(text.trimmed(), 0, true);
        }
        m_inSources = false;
        const QString plain = text.trimmed();
        if (const auto found = m_section.match(plain); found.hasMatch()) begin(found.captured(1).toStdString());
        if (plain.contains(QLatin1String("STO_CUDA_ENTRY")) && !m_listing.functions.empty()) {
            m_listing.functions.back().kind = PtxFunction::Kind::kernel;
        }
        const bool isLabel = plain.startsWith(QLatin1String(".L_")) && plain.endsWith(QLatin1Char(':'));
        if (isLabel && !m_listing.functions.empty()) return add(plain, 0, false);
        // Of the table's head and ruling nothing is left to say.
        if (plain.startsWith(QLatin1String("//")) && plain.contains(QLatin1String("-+-"))) return;
        add(text, 0, true);
    }

    void end() { close(); }

private:
    void begin(const std::string& mangled) {
        close();
        PtxFunction function;
        function.signature = QString::fromStdString(text::demangled(mangled));
        function.name = QString::fromStdString(text::kernelTitle(mangled));
        function.kind = PtxFunction::Kind::support;
        function.firstLine = int(m_listing.lines.size());
        m_listing.functions.push_back(std::move(function));
        m_line = 0;
    }

    void close() {
        m_open = -1;
        if (m_listing.functions.empty()) return;
        PtxFunction& function = m_listing.functions.back();
        if (function.lineCount == 0) function.lineCount = int(m_listing.lines.size()) - function.firstLine;
    }

    void instruction(const QRegularExpressionMatch& found, const QString& text) {
        QString shown = found.captured(1) + QStringLiteral("  ") + found.captured(2).trimmed() + QStringLiteral(" ;");
        // "// |  3  |  1  |": the first count is of the general registers.
        const auto live = m_live.match(text);
        m_registers = live.hasMatch() ? live.captured(1) : QString();
        if (m_line > 0 && !m_listing.functions.empty() && m_listing.functions.back().kind == PtxFunction::Kind::support)
            m_listing.functions.back().kind = PtxFunction::Kind::user;
        add(shown, m_line, false);
        m_open = int(m_listing.lines.size()) - 1;
        if (!m_registers.isEmpty()) comment(QString());
    }

    void control(const QRegularExpressionMatch& found) {
        comment(controlText(found.captured(1).toULongLong(nullptr, 16)));
        m_open = -1;
    }

    /// Behind the instruction that is still open.
    void comment(const QString& scheduling) {
        QString& shown = m_listing.lines[std::size_t(m_open)];
        shown = shown.section(QStringLiteral("  // "), 0, 0);
        while (shown.endsWith(QLatin1Char(' ')))
            shown.chop(1);
        QStringList parts;
        if (!scheduling.isEmpty()) parts << scheduling;
        if (!m_registers.isEmpty()) parts << QStringLiteral("%1 live").arg(m_registers);
        shown = shown.leftJustified(instructionWidth) + QStringLiteral("  // ") + parts.join(QStringLiteral("  "));
    }

    /// `//## File "a.h", line 3 inlined at "kernel.cu", line 7`: the first line of the user's own counts.
    void sourceLine(const QString& text) {
        m_line = 0;
        auto places = m_place.globalMatch(text);
        while (places.hasNext()) {
            const auto place = places.next();
            if (!place.captured(1).endsWith(m_userFile)) continue;
            m_line = place.captured(2).toInt();
            return;
        }
    }

    void add(const QString& text, int source, bool isDetail) {
        m_listing.lines.push_back(text);
        m_listing.sourceLines.push_back(source);
        m_listing.isDetail.push_back(isDetail ? 1 : 0);
    }

    PtxListing& m_listing;
    const QString m_userFile;
    const QRegularExpression m_instruction{QStringLiteral(R"(^\s*/\*([0-9a-f]{4,6})\*/\s+([^;]*);)")};
    const QRegularExpression m_secondHalf{QStringLiteral(R"(^\s*/\* 0x([0-9a-f]{16}) \*/)")};
    const QRegularExpression m_live{QStringLiteral(R"(//\s*\|\s*(\d+))")};
    const QRegularExpression m_source{QStringLiteral(R"(^\s*//##)")};
    const QRegularExpression m_place{QStringLiteral(R"re("([^"]*)",\s*line\s+(\d+))re")};
    const QRegularExpression m_section{QStringLiteral(R"(^\.section\s+\.text\.([^,\s]+))")};
    QString m_registers;
    int m_line = 0;
    bool m_inSources = false; ///< the line before named a source line, too
    int m_open = -1;          ///< the line of an instruction whose second half is still to come
};

} // namespace

QString controlText(quint64 upperHalf) {
    return QString::fromStdString(sass::text(sass::controlOf({0, upperHalf})));
}

PtxListing readSass(const QString& text, const std::stop_token& stop, const QString& userFile) {
    PtxListing listing;
    SassReader reader(listing, userFile);
    const QStringList lines = text.split(QLatin1Char('\n'));
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (i % 4096 == 0 && stop.stop_requested()) break;
        reader.line(lines[i]);
    }
    reader.end();
    std::stable_sort(listing.functions.begin(), listing.functions.end(),
                     [](const PtxFunction& a, const PtxFunction& b) { return a.kind < b.kind; });
    return listing;
}

} // namespace kernelarium::ui
