// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/FormatDesk.h"

#include "gpu/protocol/ToolClient.h"

namespace kernelarium::ui {

FormatDesk::FormatDesk(const QString& program, QObject* parent)
    : QObject(parent)
    , m_child({program.toStdString(), "worker", "tools"}) {}

void FormatDesk::format(protocol::FormatRequest request, const QString& file,
                        std::function<void(Result<protocol::FormatAnswer>)> done) {
    request.program = m_tool;
    request.file = file.toStdString();
    ChildQueue::Call<protocol::FormatAnswer> call;
    call.tag = "format";
    call.make = [request = std::move(request)](const auto& child, const auto& options) {
        return protocol::ToolClient(child).format(request, options);
    };
    call.ended = std::move(done);
    m_child.submit(std::move(call));
}

} // namespace kernelarium::ui
