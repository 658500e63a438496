// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/service/Server.h"

namespace kernelarium::service {

/// The tools child's work: programs of this machine that are not ours (gpu/tools), one at a time, each confined or
/// trusted as its own header says. Parameters and results are those of gpu/protocol/ToolMessages.h:
///   tidy         TidyRequest, TidyAnswer
///   format       FormatRequest, FormatAnswer
///   ncu          NcuRequest, [launches]
///   stalls       NcuRequest, [lines]
///   python       {"chosen": a path or a name on PATH, or empty}, Python
///   export_card  ExportRequest, the card
/// Errors: those of the tools.
class ToolService : public Service {
public:
    [[nodiscard]] std::string kind() const override { return "tools"; }
    [[nodiscard]] std::vector<std::string> capabilities() const override {
        return {"tidy", "format", "ncu", "stalls", "python", "export_card"};
    }
    Result<nlohmann::json> handle(const protocol::Request& request, const Progress& progress,
                                  std::stop_token stop) override;
};

} // namespace kernelarium::service
