// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/superopt/SuperoptBar.h"

#include "core/perf/DeviceSpec.h"
#include "ui/theme/Theme.h"
#include "ui/threads/Ask.h"
#include "ui/widgets/WrapLayout.h"
#include "ui/words/TaskNames.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDataStream>
#include <QLabel>
#include <QPoint>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

constexpr int followed = 0; ///< the first of tasks and devices

QWidget* captioned(const QString& caption, const QString& tip, QWidget& field) {
    auto* pair = new QWidget;
    auto* layout = new QVBoxLayout(pair);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* label = new QLabel(caption); // an empty one keeps the field on the others' line
    label->setBuddy(&field);
    if (!caption.isEmpty()) field.setAccessibleName(caption);
    field.setToolTip(tip);
    layout->addWidget(label);
    layout->addWidget(&field);
    return pair;
}

} // namespace

SuperoptBar::SuperoptBar(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_tasks(new QComboBox)
    , m_sizes(new QComboBox)
    , m_devices(new QComboBox)
    , m_anyInputs(new QCheckBox(tr("Any inputs")))
    , m_cancel(new QPushButton(tr("Cancel")))
    , m_progress(new QLabel) {
    m_progress->setProperty("role", "muted");
    m_progress->setFont(theme.captionFont());
    m_cancel->setToolTip(tr("End the search; what was shown before stays"));
    fill();
    auto* ending = new QWidget;
    auto* row = new QHBoxLayout(ending);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_cancel);
    row->addWidget(m_progress, 1);
    auto* fields = new WrapLayout(this, 8);
    fields->addWidget(captioned(tr("Task"), tr("Whose formulas are rewritten; type a number to go there"), *m_tasks));
    fields->addWidget(captioned(tr("Size"), tr("Sizes of the task's card"), *m_sizes));
    fields->addWidget(captioned(tr("Device"), tr("Whose bandwidth and peak make the bound"), *m_devices));
    fields->addWidget(captioned(
        {}, tr("Use no structure that the task states of its inputs, such as a triangle of zeros"), *m_anyInputs));
    fields->addWidget(captioned({}, {}, *ending));
    connect(m_tasks, &QComboBox::currentIndexChanged, this, &SuperoptBar::changed);
    connect(m_devices, &QComboBox::currentIndexChanged, this, &SuperoptBar::changed);
    connect(m_anyInputs, &QCheckBox::toggled, this, &SuperoptBar::changed);
    connect(m_sizes, &QComboBox::currentIndexChanged, this, [this] {
        m_size = m_sizes->currentText().toStdString();
        Q_EMIT changed();
    });
    connect(m_cancel, &QPushButton::clicked, this, &SuperoptBar::cancelRequested);
    setProgress(false, {});
}

void SuperoptBar::fill() {
    for (QComboBox* box : {m_tasks, m_devices}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(32);
    }
    m_sizes->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_tasks->addItem(QString());
    for (const task::TaskKey& key : task::builtInCards())
        m_tasks->addItem(taskText(key), QPoint(key.level, key.task));
    m_devices->addItem(QString());
    for (const perf::DeviceSpec& device : perf::deviceSpecs())
        m_devices->addItem(QString::fromStdString(device.name), QString::fromStdString(device.id));
    setFollowed({}, {});
    m_sizes->addItem(QString::fromStdString(m_size));
    ask<QStringList>(
        m_namer, this, "names", [](const std::stop_token& stop) -> Result<QStringList> { return taskNames(stop); },
        [this](Result<QStringList> names) {
            if (names) nameTasks(*names);
        });
}

void SuperoptBar::nameTasks(const QStringList& names) {
    for (int i = 0; i < std::min(m_tasks->count() - 1, int(names.size())); ++i)
        if (!names[i].isEmpty()) m_tasks->setItemText(i + 1, m_tasks->itemText(i + 1) + QLatin1String("  ") + names[i]);
}

std::optional<task::TaskKey> SuperoptBar::task() const {
    if (m_tasks->currentIndex() <= followed) return std::nullopt;
    const QPoint key = m_tasks->currentData().toPoint();
    return task::TaskKey{key.x(), key.y()};
}

const perf::DeviceSpec* SuperoptBar::device() const {
    if (m_devices->currentIndex() <= followed) return nullptr;
    return perf::findDeviceSpec(m_devices->currentData().toString().toStdString());
}

bool SuperoptBar::anyInputs() const {
    return m_anyInputs->isChecked();
}

QString SuperoptBar::progressText() const {
    return m_progress->text();
}

void SuperoptBar::setFollowed(const QString& task, const QString& device) {
    m_tasks->setItemText(followed, task.isEmpty() ? tr("Of the kernel on the bench")
                                                  : tr("Of the kernel on the bench: %1").arg(task));
    m_devices->setItemText(followed, device.isEmpty() ? tr("The target's") : tr("The target's: %1").arg(device));
}

void SuperoptBar::setSizes(const task::Card& card, const std::string& shown) {
    const QSignalBlocker quiet(m_sizes);
    m_sizes->clear();
    for (const auto& [name, symbols] : card.sizes) {
        QStringList values;
        for (const auto& [symbol, value] : symbols)
            values << QStringLiteral("%1 = %2").arg(QString::fromStdString(symbol)).arg(value);
        m_sizes->addItem(QString::fromStdString(name));
        m_sizes->setItemData(m_sizes->count() - 1, values.join(QStringLiteral(", ")), Qt::ToolTipRole);
    }
    m_sizes->setCurrentText(QString::fromStdString(shown));
}

void SuperoptBar::setProgress(bool busy, const QString& step) {
    const bool hadFocus = m_cancel->hasFocus();
    m_cancel->setVisible(busy);
    if (!busy && hadFocus) m_tasks->setFocus();
    m_progress->setText(!busy ? QString() : step.isEmpty() ? tr("looking for rewrites…") : step);
    m_progress->setVisible(busy);
}

QByteArray SuperoptBar::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    const auto key = task();
    out << QPoint(key ? key->level : 0, key ? key->task : 0) << QString::fromStdString(m_size)
        << m_devices->currentData().toString() << anyInputs();
    return state;
}

void SuperoptBar::restoreState(const QByteArray& state) {
    QPoint key;
    QString size, device;
    bool anyInputs = false;
    QDataStream in(state);
    in >> key >> size >> device >> anyInputs;
    if (in.status() != QDataStream::Ok) return;
    {
        const QSignalBlocker quietTasks(m_tasks), quietDevices(m_devices), quietInputs(m_anyInputs);
        m_tasks->setCurrentIndex(std::max(followed, m_tasks->findData(key)));
        m_devices->setCurrentIndex(device.isEmpty() ? followed : std::max(followed, m_devices->findData(device)));
        m_anyInputs->setChecked(anyInputs);
        if (!size.isEmpty()) m_size = size.toStdString();
    }
    Q_EMIT changed();
}

} // namespace kernelarium::ui
