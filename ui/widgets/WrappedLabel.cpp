// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/WrappedLabel.h"

#include <QEvent>

namespace kernelarium::ui {

WrappedLabel::WrappedLabel(QWidget* parent)
    : WrappedLabel(QString(), parent) {}

WrappedLabel::WrappedLabel(const QString& text, QWidget* parent)
    : QLabel(text, parent) {
    setWordWrap(true);
}

WrappedLabel::Content WrappedLabel::content() const {
    return {text(), textFormat(), textInteractionFlags(), margin(), indent(), wordWrap()};
}

int WrappedLabel::heightForWidth(int width) const {
    if (Content now = content(); now != m_content) {
        m_content = std::move(now);
        m_heights = {};
    }
    for (const Height& known : m_heights)
        if (known.width == width) return known.height;
    const int height = QLabel::heightForWidth(width);
    if (width >= 0) m_heights[m_next++ % m_heights.size()] = {width, height};
    return height;
}

void WrappedLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event); // fonts, styles, languages
    forget();
}

bool WrappedLabel::event(QEvent* event) {
    const auto type = event->type();
    if (type == QEvent::ContentsRectChange || type == QEvent::Polish || type == QEvent::DynamicPropertyChange ||
        type == QEvent::ScreenChangeInternal)
        forget();
    return QLabel::event(event);
}

} // namespace kernelarium::ui
