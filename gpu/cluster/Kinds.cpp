// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cluster/Kinds.h"

#include "gpu/cluster/AuditArray.h"
#include "gpu/cluster/GraphArray.h"
#include "gpu/cluster/Slurm.h"
#include "gpu/cluster/SweepArray.h"

#include <cstdlib>
#include <fmt/format.h>
#include <sstream>
#include <unistd.h>

namespace kernelarium::cluster {

namespace {

bool isOnPath(const std::string& program) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (!folder.empty() && ::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
    return false;
}

} // namespace

Result<std::unique_ptr<Engine>> makeEngine(std::string_view name) {
    if (name == "slurm") return std::unique_ptr<Engine>(std::make_unique<Slurm>());
    return Error{"bad_usage", fmt::format("`{}` is no cluster that is known here.", name), "Give slurm."};
}

bool isInstalled(std::string_view engine) {
    return engine == "slurm" && isOnPath("sbatch") && isOnPath("squeue") && isOnPath("scancel");
}

Result<std::unique_ptr<Work>> makeWork(const Plan& plan, const std::filesystem::path& folder) {
    if (plan.kind == sweepWork) return makeSweepWork(plan, folder);
    if (plan.kind == auditWork) return makeAuditWork(plan, folder);
    if (plan.kind == graphWork) return makeGraphWork(plan, folder);
    return Error{"newer_store", fmt::format("This array does `{}`, which is not known here.", plan.kind),
                 "Use the version of the program that submitted it."};
}

} // namespace kernelarium::cluster
