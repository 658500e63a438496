// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/PtxView.h"

#include "ui/editor/CodeStyle.h"
#include "ui/editor/LatestJob.h"
#include "ui/editor/PtxLexer.h"
#include "ui/editor/SassListing.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/ElidedLabel.h"
#include "ui/widgets/WrapLayout.h"
#include "ui/widgets/WrappedLabel.h"

#include <QComboBox>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace kernelarium::ui {

namespace {

using S = QsciScintilla;
// Of several backgrounds the one with the highest number is seen.
constexpr int bandMarkers = 0;       ///< bandCount of them: backgrounds by source line
constexpr int differentMarker = 10;  ///< background of lines that the other view does not have
constexpr int differentSign = 11;    ///< the same in the margin, as a shape
constexpr int chosenLineMarker = 12; ///< background of highlighted lines
constexpr int arrowMarker = 13;      ///< the same in the margin, as a shape
constexpr int mostBanded = 4000;     ///< lines: more take longer than a reader's key
constexpr int sourceMargin = 0;
constexpr int arrowMargin = 1;

struct AssemblyWords {
    QString name;
    QString about;
    QString choiceTip;
    QString details;
    QString detailsTip;
    QString purpose; ///< of the panel while it is empty
};

AssemblyWords wordsOf(Assembly assembly) {
    if (assembly == Assembly::ptx)
        return {PtxView::tr("PTX"),
                PtxView::tr("The PTX compiled from the source. Moving the cursor shows the source line."),
                PtxView::tr("Which PTX to show: kernels first, then the file's other functions, then support code"),
                PtxView::tr("Debug lines"),
                PtxView::tr("Show .loc and .file directives and debug sections too"),
                PtxView::tr("The PTX of the kernel appears here, beside the lines it comes from,\nas soon as the "
                            "source compiles.")};
    return {PtxView::tr("SASS"),
            PtxView::tr("The machine instructions compiled from the source. Moving the cursor shows the source line."),
            PtxView::tr("Which SASS to show: kernels first, then other functions"),
            PtxView::tr("Directives"),
            PtxView::tr("Show sections, attributes and encodings too.\nAfter each instruction: the barriers that it "
                        "waits for (B) and those that it sets after reading (R) or writing (W) its operands, whether "
                        "it yields (Y), how many cycles it stalls (S), and how many registers are live"),
            PtxView::tr("The machine instructions of the kernel appear here, beside the lines they come from,\nas soon "
                        "as the source compiles; nvdisasm of the CUDA Toolkit lists them.")};
}

/// Without a comment at its end, as SASS has them.
bool isInstruction(const QString& line) {
    const QString code = line.section(QStringLiteral("//"), 0, 0).trimmed();
    return code.endsWith(QLatin1Char(';')) && !code.startsWith(QLatin1Char('.'));
}

} // namespace

PtxView::PtxView(Theme& theme, Assembly assembly, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_assembly(assembly)
    , m_job(new LatestJob(this)) {
    build();
    connect(&theme, &Theme::changed, this, &PtxView::applyTheme);
    applyTheme();
    setPtx({});
}

void PtxView::build() {
    const AssemblyWords words = wordsOf(m_assembly);
    m_choice = new QComboBox(this);
    m_choice->setAccessibleName(tr("Kernel or function"));
    m_choice->setToolTip(words.choiceTip);
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_choice->setMinimumContentsLength(4);
    m_details = new QToolButton(this);
    m_details->setText(words.details);
    m_details->setCheckable(true);
    m_details->setFocusPolicy(Qt::StrongFocus);
    m_details->setToolTip(words.detailsTip);
    m_summary = new ElidedLabel(Qt::ElideRight, this);
    m_summary->setProperty("role", QStringLiteral("muted"));
    m_summary->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    auto* bar = new QWidget(this);
    auto* row = new WrapLayout(bar, 8);
    row->setContentsMargins(8, 4, 8, 4);
    m_choice->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    row->addWidget(m_choice);
    row->addWidget(m_details);
    row->addWidget(m_summary);

    m_editor = new QsciScintilla(this);
    m_editor->setAccessibleName(words.name);
    m_editor->setAccessibleDescription(words.about);
    m_lexer = new PtxLexer(m_theme, m_editor);
    m_editor->setLexer(m_lexer);
    applyHabits(*m_editor);
    m_editor->setReadOnly(true);
    m_editor->setMargins(2);
    m_numbers = std::make_unique<LineNumbers>(*m_editor, sourceMargin);
    m_editor->setMarginType(arrowMargin, S::SymbolMargin);
    m_editor->setMarginMarkerMask(arrowMargin, 1 << arrowMarker | 1 << differentSign);
    m_editor->setMarginWidth(arrowMargin, 10);
    for (int band = 0; band < bandCount; ++band)
        m_editor->markerDefine(S::Background, bandMarkers + band);
    m_editor->markerDefine(S::Background, differentMarker);
    m_editor->markerDefine(S::RightTriangle, differentSign);
    m_editor->markerDefine(S::Background, chosenLineMarker);
    m_editor->markerDefine(S::LeftRectangle, arrowMarker);

    m_empty = new WrappedLabel(words.purpose, this);
    m_empty->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setSizePolicy(QSizePolicy::Ignored,
                           QSizePolicy::Ignored); // no height for a width: layouts ask for it often
    m_empty->setContentsMargins(24, 8, 24, 8);
    m_empty->setProperty("role", QStringLiteral("muted"));
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(m_editor, 1);
    m_pages = new QStackedLayout(this);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(page);
    setFocusProxy(m_editor);
    setTabOrder(m_choice, m_details);
    setTabOrder(m_details, m_editor);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &PtxView::showSelection);
    connect(m_details, &QToolButton::toggled, this, &PtxView::showSelection);
    connect(m_editor, &QsciScintilla::cursorPositionChanged, this, &PtxView::cursorMoved);
}

void PtxView::applyTheme() {
    m_lexer->restyle();
    ui::applyTheme(*m_editor, m_theme);
    const Palette& p = m_theme.colours();
    m_editor->setMarkerBackgroundColor(mixed(p.field, p.accent, p.dark ? 0.28 : 0.16), chosenLineMarker);
    m_editor->setMarkerBackgroundColor(p.accent, arrowMarker);
    for (int band = 0; band < bandCount; ++band)
        m_editor->setMarkerBackgroundColor(bandColour(p, band), bandMarkers + band);
    m_editor->setMarkerForegroundColor(p.accent, arrowMarker);
    m_editor->setMarkerBackgroundColor(mixed(p.field, p.suspicious, p.dark ? 0.24 : 0.14), differentMarker);
    m_editor->setMarkerBackgroundColor(p.suspicious, differentSign);
    m_editor->setMarkerForegroundColor(p.suspicious, differentSign);
    // A frame, so that the line under the cursor still shows whether it is highlighted.
    m_editor->setCaretLineFrameWidth(1);
    m_editor->setCaretLineBackgroundColor(mixed(p.line, p.accent, 0.5));
}

void PtxView::setPtx(const QString& text) {
    if (text.isEmpty()) {
        m_job->cancel();
        m_listing.reset();
        fillFunctions();
        showSelection();
        m_empty->setText(wordsOf(m_assembly).purpose);
        m_pages->setCurrentIndex(0);
        return;
    }
    m_job->start([this, text, assembly = m_assembly](const std::stop_token& stop) -> LatestJob::Deliver {
        auto listing =
            std::make_shared<const PtxListing>(assembly == Assembly::ptx ? readPtx(text, stop) : readSass(text, stop));
        return [this, listing] {
            m_listing = listing;
            fillFunctions();
            showSelection();
            m_pages->setCurrentIndex(1);
            Q_EMIT listingReady();
        };
    });
}

void PtxView::refuse(const QString& why) {
    setPtx({});
    m_empty->setText(why);
}

QString PtxView::emptyText() const {
    return m_empty->text();
}
bool PtxView::isEmpty() const {
    return m_pages->currentIndex() == 0;
}

void PtxView::fillFunctions() {
    const QSignalBlocker block(m_choice);
    const QString chosen = m_choice->currentText();
    m_choice->clear();
    if (!m_listing) return;
    const auto& functions = m_listing->functions;
    const auto kernels = std::count_if(functions.begin(), functions.end(), [](const PtxFunction& function) {
        return function.kind == PtxFunction::Kind::kernel;
    });
    m_choice->addItem(kernels == 0 ? tr("No kernels") : tr("All kernels"), -1);
    for (std::size_t i = 0; i < functions.size(); ++i) {
        if (i > 0 && functions[i].kind != functions[i - 1].kind) m_choice->insertSeparator(m_choice->count());
        m_choice->addItem(functions[i].name, int(i));
        m_choice->setItemData(m_choice->count() - 1, functions[i].signature, Qt::ToolTipRole);
    }
    m_choice->insertSeparator(m_choice->count());
    m_choice->addItem(tr("Whole text"), -2);
    const int again = m_choice->findText(chosen);
    // Without kernels the list of kernels would be blank.
    m_choice->setCurrentIndex(!chosen.isEmpty() && again > 0 ? again : kernels > 0 ? 0 : m_choice->count() - 1);
}

void PtxView::showSelection() {
    const QScopedValueRollback quiet(m_quiet, true);
    QString text;
    m_shownSource.clear();
    m_shownOfSource.clear();
    std::size_t instructions = 0;
    if (m_listing) {
        const bool isWhole = m_choice->currentData().toInt() == -2; // as it is assembled
        for (const int line : selectedLines(*m_listing, {m_choice->currentData().toInt(), m_details->isChecked()})) {
            const int source = line < 0 ? 0 : m_listing->sourceLines[std::size_t(line)];
            if (line >= 0)
                text +=
                    isWhole ? m_listing->lines[std::size_t(line)] : withPlainNames(m_listing->lines[std::size_t(line)]);
            text += QLatin1Char('\n');
            if (line >= 0 && isInstruction(m_listing->lines[std::size_t(line)])) ++instructions;
            if (source > 0) m_shownOfSource.emplace(source, int(m_shownSource.size()));
            m_shownSource.push_back(source);
        }
        text.chop(1);
    }
    markDifferent({});
    m_editor->setReadOnly(false);
    m_editor->setText(text);
    m_editor->setReadOnly(true);
    m_editor->SendScintilla(S::SCI_SETSCROLLWIDTH, 1UL);
    std::vector<int> numbers = m_shownSource;
    for (std::size_t i = numbers.size(); i-- > 1;)
        if (numbers[i] == numbers[i - 1]) numbers[i] = 0; // said once for a run
    m_numbers->set(std::move(numbers));
    paintBands();
    m_instructions = instructions;
    refreshSummary();
    highlight(true);
    Q_EMIT shownChanged();
}

std::vector<int> PtxView::bands() const {
    std::vector<int> lines;
    if (int(m_shownSource.size()) > mostBanded) return lines;
    for (auto entry = m_shownOfSource.begin(); entry != m_shownOfSource.end();
         entry = m_shownOfSource.upper_bound(entry->first))
        lines.push_back(entry->first);
    return lines;
}

void PtxView::paintBands() {
    for (int band = 0; band < bandCount; ++band)
        m_editor->markerDeleteAll(bandMarkers + band);
    if (int(m_shownSource.size()) > mostBanded) return;
    for (std::size_t i = 0; i < m_shownSource.size(); ++i)
        if (m_shownSource[i] > 0) m_editor->markerAdd(int(i), bandMarkers + m_shownSource[i] % bandCount);
}

void PtxView::refreshSummary() {
    const QString count = m_instructions == 1 ? tr("1 instruction") : tr("%L1 instructions").arg(m_instructions);
    m_summary->setText(m_caption.isEmpty() ? count : m_caption + QStringLiteral(" · ") + count);
    m_summary->setToolTip(m_summary->text());
}

void PtxView::setCaption(const QString& caption) {
    m_caption = caption;
    refreshSummary();
}

QString PtxView::summary() const {
    return m_summary->text();
}

void PtxView::showAs(const PtxView& other) {
    m_choice->hide();
    m_details->hide();
    m_details->setChecked(other.m_details->isChecked());
    chooseFunction(other.chosenFunction());
}

QString PtxView::chosenFunction() const {
    return m_choice->currentText();
}

std::vector<std::string> PtxView::shownLines() const {
    std::vector<std::string> lines;
    if (m_shownSource.empty()) return lines;
    for (const QString& line : m_editor->text().split(QLatin1Char('\n')))
        lines.push_back(line.toStdString());
    return lines;
}

void PtxView::markDifferent(const std::vector<int>& lines) {
    if (lines.empty() && m_different.empty()) return;
    for (const int marker : {differentMarker, differentSign})
        m_editor->markerDeleteAll(marker);
    m_different = lines;
    for (const int line : m_different)
        for (const int marker : {differentMarker, differentSign})
            m_editor->markerAdd(line, marker);
}

bool PtxView::goToNextDifferent() {
    if (m_different.empty()) return false;
    int line = 0, index = 0;
    m_editor->getCursorPosition(&line, &index);
    std::vector<int> firsts; // of each run of lines
    for (std::size_t i = 0; i < m_different.size(); ++i)
        if (i == 0 || m_different[i] != m_different[i - 1] + 1) firsts.push_back(m_different[i]);
    const auto next = std::upper_bound(firsts.begin(), firsts.end(), line);
    const int to = next == firsts.end() ? firsts.front() : *next;
    m_editor->setCursorPosition(to, 0);
    const long third = m_editor->SendScintilla(S::SCI_LINESONSCREEN) / 3;
    m_editor->SendScintilla(S::SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(std::max(0L, to - third)));
    return true;
}

void PtxView::showSourceLine(int line) {
    m_sourceLine = line;
    highlight(true);
}

void PtxView::highlight(bool scroll) {
    const QScopedValueRollback quiet(m_quiet, true);
    m_editor->markerDeleteAll(chosenLineMarker);
    m_editor->markerDeleteAll(arrowMarker);
    m_highlighted.clear();
    if (m_sourceLine <= 0) return;
    const auto [first, last] = m_shownOfSource.equal_range(m_sourceLine);
    for (auto entry = first; entry != last; ++entry)
        m_highlighted.push_back(entry->second);
    for (const int line : m_highlighted) {
        m_editor->markerAdd(line, chosenLineMarker);
        m_editor->markerAdd(line, arrowMarker);
    }
    if (!scroll || m_highlighted.empty()) return;
    const int line = m_highlighted.front();
    m_editor->SendScintilla(S::SCI_GOTOLINE, static_cast<unsigned long>(line));
    const long third = m_editor->SendScintilla(S::SCI_LINESONSCREEN) / 3;
    m_editor->SendScintilla(S::SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(std::max(0L, line - third)));
}

void PtxView::cursorMoved() {
    if (m_quiet) return;
    int line = 0, index = 0;
    m_editor->getCursorPosition(&line, &index);
    const int source = line < int(m_shownSource.size()) ? m_shownSource[std::size_t(line)] : 0;
    if (source <= 0 || source == m_sourceLine) return;
    m_sourceLine = source;
    highlight(false);
    Q_EMIT sourceLineActivated(source);
}

QStringList PtxView::functions() const {
    QStringList names;
    if (m_listing)
        for (const PtxFunction& function : m_listing->functions)
            names.append(function.name);
    return names;
}

bool PtxView::chooseFunction(const QString& name) {
    const int index = m_choice->findText(name);
    if (index < 0) return false;
    m_choice->setCurrentIndex(index);
    return true;
}

void PtxView::setDetails(bool shown) {
    m_details->setChecked(shown);
}

} // namespace kernelarium::ui
