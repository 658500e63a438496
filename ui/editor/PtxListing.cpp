// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/PtxListing.h"

#include "core/text/KernelName.h"

#include <QHash>
#include <QRegularExpression>
#include <QStringView>
#include <algorithm>
#include <map>
#include <tuple>

namespace kernelarium::ui {

namespace {

/// Numbers at the beginning of a text, separated by blanks.
std::vector<int> leadingNumbers(QStringView text, int most) {
    std::vector<int> numbers;
    qsizetype i = 0;
    while (int(numbers.size()) < most) {
        while (i < text.size() && text[i].isSpace())
            ++i;
        const qsizetype start = i;
        while (i < text.size() && text[i].isDigit())
            ++i;
        if (i == start) break;
        numbers.push_back(text.mid(start, i - start).toInt());
    }
    return numbers;
}

class Reader {
public:
    Reader(PtxListing& listing, QString userFile)
        : m_listing(listing)
        , m_userFile(std::move(userFile)) {}

    void files() {
        for (const QString& line : m_listing.lines) {
            const QStringView text = QStringView(line).trimmed();
            if (!text.startsWith(QLatin1String(".file"))) continue;
            const std::vector<int> number = leadingNumbers(text.mid(5), 1);
            const qsizetype open = text.indexOf(QLatin1Char('"')), close = text.lastIndexOf(QLatin1Char('"'));
            if (!number.empty() && open >= 0 && close > open)
                m_isUser[number[0]] = text.mid(open + 1, close - open - 1).endsWith(m_userFile);
        }
    }

    void line(int index) {
        const QStringView text = QStringView(m_listing.lines[std::size_t(index)]).trimmed();
        auto& detail = m_listing.isDetail[std::size_t(index)];
        if (m_inSection) {
            detail = 1;
            if (text.endsWith(QLatin1Char('}'))) m_inSection = false;
            return;
        }
        if (text.startsWith(QLatin1String(".section"))) m_inSection = true;
        const bool location = text.startsWith(QLatin1String(".loc")) && text.size() > 4 && text[4].isSpace();
        if (m_inSection || location || text.startsWith(QLatin1String(".file"))) detail = 1;
        if (location) {
            m_current = locate(text.mid(5));
            m_direct = m_direct || m_locatedInUser;
        }
        if (m_depth == 0 && !m_header && isHeader(text)) begin(index, text);
        if (m_header && text.endsWith(QLatin1Char(';')) && !text.startsWith(QLatin1String(".param")))
            m_header = false; // a declaration
        const bool instruction = !text.isEmpty() && !text.endsWith(QLatin1Char(':')) && text != QLatin1String("}");
        if (m_depth > 0 && !detail && instruction) m_listing.sourceLines[std::size_t(index)] = m_current;
        braces(index, text);
    }

private:
    static bool isHeader(QStringView text) {
        if (!text.startsWith(QLatin1Char('.'))) return false;
        return text.contains(QLatin1String(".entry ")) || text.contains(QLatin1String(".func "));
    }

    void begin(int index, QStringView text) {
        m_header = true;
        m_function = {};
        m_function.firstLine = index;
        const bool kernel = text.contains(QLatin1String(".entry "));
        m_function.kind = kernel ? PtxFunction::Kind::kernel : PtxFunction::Kind::support;
        QStringView rest =
            text.mid(text.indexOf(kernel ? QLatin1String(".entry ") : QLatin1String(".func ")) + 6).trimmed();
        if (rest.startsWith(QLatin1Char('('))) rest = rest.mid(rest.indexOf(QLatin1Char(')')) + 1).trimmed();
        qsizetype end = 0;
        while (end < rest.size() &&
               (rest[end].isLetterOrNumber() || rest[end] == QLatin1Char('_') || rest[end] == QLatin1Char('$')))
            ++end;
        const std::string mangled = rest.left(end).toString().toStdString();
        m_function.signature = QString::fromStdString(text::demangled(mangled));
        m_function.name = QString::fromStdString(text::kernelTitle(mangled));
    }

    void braces(int index, QStringView text) {
        if (text.startsWith(QLatin1String("//"))) return;
        const qsizetype comment = text.indexOf(QLatin1String("//"));
        for (const QChar c : comment < 0 ? text : text.left(comment)) {
            if (c == QLatin1Char('{') && m_depth++ == 0 && m_header) {
                m_header = false;
                m_inBody = true;
                m_current = 0;
                m_direct = false;
            }
            if (c != QLatin1Char('}') || m_depth == 0 || --m_depth > 0 || !m_inBody) continue;
            m_inBody = false;
            m_function.lineCount = index + 1 - m_function.firstLine;
            if (m_function.kind == PtxFunction::Kind::support && m_direct) m_function.kind = PtxFunction::Kind::user;
            m_listing.functions.push_back(m_function);
        }
    }

    /// `FILE LINE COLUMN [, function_name LABEL][, inlined_at FILE LINE COLUMN]` to a line of the user's file.
    int locate(QStringView text) {
        m_locatedInUser = false;
        const std::vector<int> at = leadingNumbers(text, 3);
        if (at.size() < 2) return 0;
        int line = 0;
        if (m_isUser.value(at[0], false)) {
            line = at[1];
            m_locatedInUser = true;
        } else if (const qsizetype inlined = text.indexOf(QLatin1String("inlined_at")); inlined >= 0) {
            const std::vector<int> caller = leadingNumbers(text.mid(inlined + 10), 3);
            if (caller.size() == 3) line = m_isUser.value(caller[0], false) ? caller[1] : seen(caller);
        }
        if (at.size() == 3) m_seen[{at[0], at[1], at[2]}] = line;
        return line;
    }

    /// The call site may itself be inlined code: its latest location knows where.
    int seen(const std::vector<int>& at) const {
        const auto found = m_seen.find({at[0], at[1], at[2]});
        return found == m_seen.end() ? 0 : found->second;
    }

    PtxListing& m_listing;
    QString m_userFile;
    QHash<int, bool> m_isUser;
    std::map<std::tuple<int, int, int>, int> m_seen;
    PtxFunction m_function;
    int m_depth = 0;
    int m_current = 0;
    bool m_header = false;
    bool m_inBody = false;
    bool m_inSection = false;
    bool m_direct = false;
    bool m_locatedInUser = false;
};

} // namespace

PtxListing readPtx(const QString& text, const std::stop_token& stop, const QString& userFile) {
    PtxListing listing;
    for (qsizetype start = 0; start < text.size();) {
        const qsizetype end = text.indexOf(QLatin1Char('\n'), start);
        const qsizetype stopAt = end < 0 ? text.size() : end;
        listing.lines.push_back(text.mid(start, stopAt - start));
        start = stopAt + 1;
    }
    listing.sourceLines.assign(listing.lines.size(), 0);
    listing.isDetail.assign(listing.lines.size(), 0);
    Reader reader(listing, userFile);
    reader.files();
    for (std::size_t i = 0; i < listing.lines.size(); ++i) {
        if (i % 4096 == 0 && stop.stop_requested()) break;
        reader.line(int(i));
    }
    std::stable_sort(listing.functions.begin(), listing.functions.end(),
                     [](const PtxFunction& a, const PtxFunction& b) { return a.kind < b.kind; });
    return listing;
}

std::vector<int> selectedLines(const PtxListing& listing, const PtxSelection& selection) {
    std::vector<int> shown;
    const auto add = [&](int first, int count) {
        bool blank = true;
        for (int i = first; i < first + count; ++i) {
            if (!selection.details && listing.isDetail[std::size_t(i)] != 0) continue;
            // What hiding leaves of the blank lines round a .loc is one.
            const bool isBlank = listing.lines[std::size_t(i)].trimmed().isEmpty();
            if (!selection.details && isBlank && blank) continue;
            blank = isBlank;
            shown.push_back(i);
        }
    };
    if (selection.function == -2) {
        add(0, int(listing.lines.size()));
        return shown;
    }
    for (std::size_t i = 0; i < listing.functions.size(); ++i) {
        const PtxFunction& function = listing.functions[i];
        const bool wanted =
            selection.function < 0 ? function.kind == PtxFunction::Kind::kernel : int(i) == selection.function;
        if (!wanted) continue;
        if (!shown.empty()) shown.push_back(-1); // a blank line between functions
        add(function.firstLine, function.lineCount);
    }
    return shown;
}

QString withPlainNames(const QString& line) {
    if (!line.contains(QLatin1String("_Z"))) return line;
    static const QRegularExpression mangled(
        QStringLiteral("(?<![A-Za-z0-9_$])(_Z[A-Za-z0-9_$]+?)(_param_\\d+)?(?![A-Za-z0-9_$])"));
    QString text;
    qsizetype end = 0;
    for (auto found = mangled.globalMatch(line); found.hasNext();) {
        const auto match = found.next();
        text += QStringView(line).mid(end, match.capturedStart() - end);
        text += QString::fromStdString(text::kernelTitle(match.captured(1).toStdString())) + match.captured(2);
        end = match.capturedEnd();
    }
    text += QStringView(line).mid(end);
    return text;
}

} // namespace kernelarium::ui
