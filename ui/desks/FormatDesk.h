// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/ToolMessages.h"
#include "ui/threads/ChildQueue.h"

#include <QObject>
#include <functional>
#include <optional>
#include <string>

namespace kernelarium::ui {

/// Formats texts with clang-format, in a child of its own: clang-tidy may take long.
class FormatDesk : public QObject {
    Q_OBJECT
public:
    /// `program`: kernelarium-cli, whose tools child runs clang-format.
    explicit FormatDesk(const QString& program, QObject* parent = nullptr);

    /// A path; empty: there is none. Without this call it is looked for.
    void setTool(const std::string& program) { m_tool = program; }
    /// `file`: where the text is from, for the style of its folder; empty: ours. A newer call replaces an older one,
    /// which ends with "cancelled".
    void format(protocol::FormatRequest request, const QString& file,
                std::function<void(Result<protocol::FormatAnswer>)> done);
    void cancel() { m_child.cancel("format"); }

private:
    std::optional<std::string> m_tool;
    ChildQueue m_child;
};

} // namespace kernelarium::ui
