// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensorview/Query.h"
#include "ui/desks/RunJob.h"

#include <QWidget>
#include <optional>

class QBoxLayout;
class QLabel;
class QPushButton;

namespace kernelarium::ui {

/// Who wrote an element, and where one can go from there.
class StoryBar : public QWidget {
    Q_OBJECT
public:
    explicit StoryBar(QWidget* parent = nullptr);

    void say(const QString& text); ///< without a story
    void tell(const tensorview::Story& story, bool ofThisText, tensor::DType dtype = tensor::DType::Float32);
    void offerEmulator(const QString& text);
    [[nodiscard]] const std::optional<tensorview::Story>& story() const { return m_story; }
    [[nodiscard]] QString text() const;

    /// The line of the last writer; 0: none is known, or the text is another.
    [[nodiscard]] int line() const;
    /// Where to step through to see the store.
    [[nodiscard]] std::optional<StepTarget> stepTarget() const;

    [[nodiscard]] QPushButton& lineButton() { return *m_line; }
    [[nodiscard]] QPushButton& stepButton() { return *m_step; }
    [[nodiscard]] QPushButton& ofLineButton() { return *m_ofLine; }
    [[nodiscard]] QPushButton& ofThreadButton() { return *m_ofThread; }
    [[nodiscard]] QPushButton& emulatorButton() { return *m_emulator; }

Q_SIGNALS:
    void lineRequested(int line);
    void stepRequested();
    void writtenRequested(const verify::WriterFilter& filter);
    void emulatorRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    [[nodiscard]] bool isOfKernel() const;

    std::optional<tensorview::Story> m_story;
    bool m_ofThisText = true;
    QBoxLayout* m_layout;
    QLabel* m_text;
    QPushButton* m_line;
    QPushButton* m_step;
    QPushButton* m_ofLine;
    QPushButton* m_ofThread;
    QPushButton* m_emulator;
};

} // namespace kernelarium::ui
