// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/hgemm/TableChoice.h"

#include "core/hgemm/laboratory/TableDevices.h"

#include <fmt/format.h>

namespace kernelarium::cli {

namespace {

/// Of a GPU of that name; empty: of the table's first device.
Result<TableChoice> rowsFor(const LaboratoryOptions& options, const std::string& gpu) {
    const Result<std::vector<hgemm::BestRow>> table = tableOf(options);
    if (!table) return table.error();
    if (table->empty())
        return Error{"nothing_found", "The table is empty.", "Give --table, as `hgemm tune --out` writes it."};
    TableChoice choice{{}, hgemm::deviceFor(*table, gpu), gpu};
    if (!options.device.empty()) {
        Result<std::string> named = hgemm::deviceNamed(*table, options.device);
        if (!named) return named.error();
        choice.device = std::move(*named);
    }
    choice.rows = hgemm::rowsOf(*table, choice.device);
    return choice;
}

} // namespace

std::string TableChoice::text() const {
    return fmt::format("chosen from the table's rows of an {}{}", device,
                       gpu.empty() || gpu == device ? "" : fmt::format(", while the GPU is an {}", gpu));
}

Result<TableChoice> chosenRows(const LaboratoryOptions& options) {
    return rowsFor(options, {});
}

Result<std::string> gpuAtHand(const LaboratoryOptions& options, protocol::KernelClient& client,
                              const protocol::CallOptions& call) {
    const Result<protocol::DeviceList> list = client.devices(call);
    if (!list) return list.error();
    if (const protocol::DeviceSummary* gpu = list->gpu(options.place.gpu)) return gpu->name;
    // The driver's own advice is to take the emulator, which has no such times.
    return Error{"missing_component",
                 list->missing ? list->missing->message : fmt::format("There is no GPU number {}.", options.place.gpu),
                 "Products are measured on a GPU alone: install NVIDIA's driver, check that nvidia-smi lists it, or "
                 "name another machine with --target."};
}

Result<TableChoice> chosenRows(const LaboratoryOptions& options, protocol::KernelClient& client,
                               const protocol::CallOptions& call) {
    if (Result<TableChoice> refused = rowsFor(options, {}); !refused) return refused.error(); // before a child starts
    const Result<std::string> gpu = gpuAtHand(options, client, call);
    if (!gpu) return gpu.error();
    return rowsFor(options, *gpu);
}

} // namespace kernelarium::cli
