// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/manual/Surroundings.h"

namespace kernelarium::manual {

Section environmentSection(std::vector<std::pair<std::string, std::string>> own) {
    Section section{"Environment", std::move(own)};
    section.entries.insert(
        section.entries.end(),
        {{"CUDA_PATH, CUDA_HOME", "The folder of the CUDA toolkit, where it is not in a usual place."},
         {"XDG_DATA_HOME", "Where a user's files are kept, in place of ~/.local/share."},
         {"XDG_CACHE_HOME", "Where a user's files are kept that can be made again, in place of ~/.cache."},
         {"KERNELARIUM_COMPILED", "The folder where compiled kernels are kept, an absolute path; none keeps none."},
         {"KERNELARIUM_PYTHON", "The Python with PyTorch, where none is named otherwise."},
         {"KERNELARIUM_DUCKDB", "DuckDB's library, which reads Parquet; no other is tried then."},
         {"KERNELARIUM_SSH", "The program that reaches another machine, in place of ssh."},
         {"KERNELARIUM_BUNDLE", "The portable bundle that is copied to another machine."},
         {"KERNELARIUM_TOOLKIT_INDEX", "The index that the CUDA toolkit is brought from, in place of the public one."},
         {"KERNELARIUM_HUB_RETRY_MS", "Milliseconds until a failed download is tried again the first time; 1000 by "
                                      "default."},
         {"KERNELARIUM_ISA",
          "Vector instructions of the emulator: avx512, avx2 or baseline; by default the widest that "
          "the processor has."}});
    return section;
}

Section filesSection() {
    return {"Files",
            {{"~/.local/share/kernelarium/archive.sqlite", "The user's own archive."},
             {"~/.local/share/kernelarium/sessions.sqlite", "The session file: attempts, drafts, saved searches."},
             {"~/.local/share/kernelarium/toolkit", "The CUDA toolkit that the program brought."},
             {"~/.local/share/kernelarium/tasks", "Task cards exported from rows of an archive."},
             {"~/.cache/kernelarium/compiled", "Compiled kernels, bounded; see kernelarium-cli cache."},
             {"ARCHIVE.verdicts",
              "Our verdicts on the kernels of an archive, beside it; in ~/.local/share/kernelarium/verdicts where "
              "that folder cannot be written."},
             {"../share/kernelarium/starter.sqlite", "Seen from the programs' folder: the starter archive."},
             {"../lib/kernelarium/libduckdb.so",
              "Seen from the programs' folder: DuckDB's library, where the system has none of its own."}}};
}

} // namespace kernelarium::manual
