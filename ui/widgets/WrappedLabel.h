// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <array>

namespace kernelarium::ui {

/// Words that wrap. It knows the heights that it has told: a page's layouts ask for those of a few widths over and
/// over, and QLabel lays its text out each time, which was a third of what showing a page took.
class WrappedLabel : public QLabel {
    Q_OBJECT
public:
    explicit WrappedLabel(QWidget* parent = nullptr);
    explicit WrappedLabel(const QString& text, QWidget* parent = nullptr);

    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Height {
        int width = -1;
        int height = 0;
    };
    /// What heights depend on and nobody tells of.
    struct Content {
        QString text;
        Qt::TextFormat format = Qt::AutoText;
        Qt::TextInteractionFlags interaction;
        int margin = 0, indent = 0;
        bool wraps = false;
        bool operator==(const Content&) const = default;
    };
    [[nodiscard]] Content content() const;
    void forget() { m_heights = {}; }

    mutable Content m_content;
    mutable std::array<Height, 8> m_heights{};
    mutable std::size_t m_next = 0; ///< the place of the oldest
};

} // namespace kernelarium::ui
