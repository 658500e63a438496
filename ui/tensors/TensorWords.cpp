// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tensors/TensorWords.h"

#include "core/tensorview/ValueText.h"
#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

#include <cmath>

namespace kernelarium::ui {

using tensorview::Role;
using verify::WriterInfo;

namespace {
QString tripleText(const std::array<std::uint32_t, 3>& t) {
    return QStringLiteral("(%1, %2, %3)").arg(t[0]).arg(t[1]).arg(t[2]);
}
} // namespace

QString elementText(double value, tensor::DType dtype, int digits) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    return QString::fromStdString(tensorview::valueText(value, dtype, digits));
}

QString indexText(const tensor::Shape& index) {
    return QString::fromStdString(tensor::toString(index));
}

QString subjectText(const tensorview::Entry& entry) {
    const auto number = qulonglong(entry.subject.number);
    switch (entry.subject.role) {
    case Role::input:
        return entry.name.empty() ? Words::tr("Input %1").arg(number)
                                  : Words::tr("Input %1: %2").arg(number).arg(QString::fromStdString(entry.name));
    case Role::output: return Words::tr("Output %1").arg(number);
    case Role::reference: return Words::tr("Reference %1").arg(number);
    case Role::difference: break;
    }
    return Words::tr("Difference %1").arg(number);
}

QString shapeText(const tensorview::Entry& entry) {
    const std::string_view type = tensor::name(entry.dtype);
    return QString::fromUtf8(type.data(), qsizetype(type.size())) + QLatin1Char(' ') + indexText(entry.shape);
}

QString figuresText(const tensorview::Statistics& s, tensor::DType dtype) {
    QStringList parts{s.elements == 1 ? Words::tr("1 element") : Words::tr("%1 elements").arg(wholeText(s.elements))};
    // What is wrong with it comes first: the line is cut at its end.
    const std::int64_t infinities = s.infinities + s.negativeInfinities;
    if (s.nans) parts << Words::tr("%1 NaN").arg(wholeText(s.nans));
    if (infinities) parts << Words::tr("%1 infinite").arg(wholeText(infinities));
    if (s.finite)
        parts
            << Words::tr("%1 to %2").arg(elementText(s.finite->smallest, dtype), elementText(s.finite->largest, dtype))
            << Words::tr("mean %1").arg(elementText(s.finite->mean, dtype))
            << Words::tr("deviation %1").arg(elementText(s.finite->deviation, dtype));
    else if (s.elements)
        parts << Words::tr("none is finite");
    if (s.zeros) parts << Words::tr("%1 zero").arg(wholeText(s.zeros));
    if (!s.nans && !infinities) parts << Words::tr("0 NaN, 0 infinite");
    return parts.join(QStringLiteral(" · "));
}

QString writerText(const WriterInfo& w) {
    switch (w.kind) {
    case WriterInfo::Kind::never: return Words::tr("nobody");
    case WriterInfo::Kind::call: return QString::fromStdString(w.call);
    case WriterInfo::Kind::kernel: break;
    }
    const QString place = Words::tr("block %1, thread %2").arg(tripleText(w.block), tripleText(w.thread));
    return w.launch ? Words::tr("%1, launch %2, %3").arg(QString::fromStdString(w.kernel)).arg(*w.launch + 1).arg(place)
                    : Words::tr("%1, %2").arg(QString::fromStdString(w.kernel), place);
}

QString storyText(const tensorview::Story& s, tensor::DType dtype) {
    const QString value =
        s.expected ? Words::tr("%1 is %2, expected %3.")
                         .arg(indexText(s.index), elementText(s.value, dtype), elementText(*s.expected, dtype))
                   : Words::tr("%1 is %2.").arg(indexText(s.index), elementText(s.value, dtype));
    if (s.writer.kind == WriterInfo::Kind::never) return value + QLatin1Char(' ') + Words::tr("Nobody ever wrote it.");
    if (s.writer.kind == WriterInfo::Kind::call && s.writer.call == "argument")
        return value + QLatin1Char(' ') + Words::tr("It is an argument's, as it came in.");
    QString text = value + QLatin1Char(' ') + Words::tr("Last written by %1").arg(writerText(s.writer));
    text += s.writer.line > 0 ? Words::tr(", line %1.").arg(s.writer.line) : QStringLiteral(".");
    if (s.history.stores > 1)
        text += QLatin1Char(' ') + Words::tr("%1 stores in all.").arg(wholeText(std::int64_t(s.history.stores)));
    return text;
}

QString historyText(const tensorview::Story& s, tensor::DType dtype) {
    constexpr std::size_t most = 12;
    const auto& list = s.history.list;
    const std::size_t first = list.size() > most ? list.size() - most : 0;
    QStringList lines;
    if (s.history.stores > list.size() - first)
        lines << Words::tr("%1 earlier stores").arg(wholeText(std::int64_t(s.history.stores - (list.size() - first))));
    for (std::size_t k = first; k < list.size(); ++k) {
        const double after = k + 1 < list.size() ? list[k + 1].before : s.value;
        QString line =
            QStringLiteral("%1 → %2  %3")
                .arg(elementText(list[k].before, dtype), elementText(after, dtype), writerText(list[k].writer));
        if (list[k].writer.line > 0) line += Words::tr(", line %1").arg(list[k].writer.line);
        lines << line;
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace kernelarium::ui
