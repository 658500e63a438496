// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/AbsentHeaders.h"

#include "resources/ShimHeaders.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

namespace kernelarium::compile {

namespace {

using Names = std::set<std::string_view>;

const Names& shimNames() {
    static const Names names = [] {
        Names all;
        for (const resources::ShimHeader& header : resources::shimHeaders())
            all.insert(header.name);
        return all;
    }();
    return names;
}

/// What lies directly in torch/ and pybind11/: there a misspelt name is one.
const Names torchFiles{"all.h",
                       "arg.h",
                       "autograd.h",
                       "csrc.h",
                       "cuda.h",
                       "custom_class.h",
                       "custom_class_detail.h",
                       "data.h",
                       "enum.h",
                       "expanding_array.h",
                       "extension.h",
                       "fft.h",
                       "imethod.h",
                       "jit.h",
                       "library.h",
                       "linalg.h",
                       "mps.h",
                       "nested.h",
                       "nn.h",
                       "optim.h",
                       "ordered_dict.h",
                       "python.h",
                       "script.h",
                       "serialize.h",
                       "sparse.h",
                       "special.h",
                       "torch.h",
                       "types.h",
                       "utils.h",
                       "version.h",
                       "xpu.h"};
const Names pybindFiles{"attr.h",
                        "buffer_info.h",
                        "cast.h",
                        "chrono.h",
                        "common.h",
                        "complex.h",
                        "eigen.h",
                        "embed.h",
                        "eval.h",
                        "functional.h",
                        "gil.h",
                        "gil_safe_call_once.h",
                        "iostream.h",
                        "native_enum.h",
                        "numpy.h",
                        "operators.h",
                        "options.h",
                        "pybind11.h",
                        "pytypes.h",
                        "stl.h",
                        "stl_bind.h",
                        "subinterpreter.h",
                        "type_caster_pyobject_ptr.h",
                        "typing.h",
                        "warnings.h",
                        "critical_section.h"};
const Names standard{"barrier",
                     "bit",
                     "cfenv",
                     "charconv",
                     "codecvt",
                     "compare",
                     "complex.h",
                     "concepts",
                     "coroutine",
                     "csetjmp",
                     "csignal",
                     "ctgmath",
                     "cuchar",
                     "cwctype",
                     "execution",
                     "expected",
                     "fenv.h",
                     "filesystem",
                     "format",
                     "fstream",
                     "iso646.h",
                     "latch",
                     "locale.h",
                     "memory_resource",
                     "numbers",
                     "print",
                     "ranges",
                     "regex",
                     "semaphore",
                     "setjmp.h",
                     "signal.h",
                     "span",
                     "stdalign.h",
                     "stdarg.h",
                     "stdbool.h",
                     "stop_token",
                     "streambuf",
                     "strstream",
                     "syncstream",
                     "tgmath.h",
                     "threads.h",
                     "uchar.h",
                     "valarray",
                     "version",
                     "wchar.h",
                     "wctype.h",
                     "ciso646",
                     "cstdalign",
                     "cstdbool",
                     "errno.h",
                     "bits/stdc++.h",
                     "experimental/filesystem",
                     "experimental/optional",
                     "ext/numeric",
                     "hash_map",
                     "stdatomic.h"};
const Names posix{"aio.h",        "alloca.h",      "arpa/inet.h",   "byteswap.h",     "cpuid.h",      "cxxabi.h",
                  "dirent.h",     "dlfcn.h",       "elf.h",         "endian.h",       "err.h",        "execinfo.h",
                  "fcntl.h",      "features.h",    "ftw.h",         "getopt.h",       "glob.h",       "libgen.h",
                  "link.h",       "malloc.h",      "mm_malloc.h",   "netdb.h",        "netinet/in.h", "numa.h",
                  "omp.h",        "poll.h",        "pthread.h",     "pwd.h",          "sched.h",      "search.h",
                  "semaphore.h",  "spawn.h",       "strings.h",     "sys/epoll.h",    "sys/file.h",   "sys/ioctl.h",
                  "sys/ipc.h",    "sys/mman.h",    "sys/param.h",   "sys/resource.h", "sys/select.h", "sys/shm.h",
                  "sys/socket.h", "sys/stat.h",    "sys/syscall.h", "sys/sysinfo.h",  "sys/times.h",  "sys/types.h",
                  "sys/uio.h",    "sys/utsname.h", "sys/wait.h",    "sysexits.h",     "syslog.h",     "termios.h",
                  "ucontext.h",   "utime.h",       "values.h"};

/// Of CUTLASS's tools, which lie outside its include folder: those of which the shim has what kernels take from them.
/// Of the empty ones nothing is taken; what is, the compiler names.
const std::map<std::string_view, std::string_view> standIns{{"cutlass/util/packed_stride.hpp", "cutlass_packed_stride"},
                                                            {"cutlass/util/device_memory.h", "cutlass_device_memory"},
                                                            {"cutlass/util/print_error.hpp", ""},
                                                            {"cutlass/util/helper_cuda.hpp", ""}};

bool startsWithOneOf(std::string_view name, std::initializer_list<std::string_view> starts) {
    return std::any_of(starts.begin(), starts.end(), [&](std::string_view s) { return name.starts_with(s); });
}

/// Whether `name` is a header of PyTorch: any below its folders, of `torch/` itself those that there are.
bool isOfTorch(std::string_view name) {
    if (name.starts_with("torch/"))
        return name.find('/', 6) != std::string_view::npos || torchFiles.contains(name.substr(6));
    return startsWithOneOf(name, {"ATen/", "c10/", "caffe2/", "THC/", "TH/"});
}

bool isOfPybind(std::string_view name) {
    if (!name.starts_with("pybind11/")) return false;
    return name.find('/', 9) != std::string_view::npos || pybindFiles.contains(name.substr(9));
}

/// Headers of the toolkit, and of libraries that are installed beside it.
bool isOfNvidia(std::string_view name) {
    return startsWithOneOf(name, {"cublas",       "cudaGL",     "cudalibxt",
                                  "cudaProfiler", "cudnn",      "cufft",
                                  "cufile",       "cupti",      "curand",
                                  "cusolver",     "cusparse",   "cutensor",
                                  "nccl",         "nppi",       "npp.h",
                                  "npps",         "nvToolsExt", "nvjpeg",
                                  "nvml",         "nvrtc",      "nvtx3/",
                                  "nvJitLink",    "nvblas",     "thrust/",
                                  "cub/",         "cuda/",      "cooperative_groups/",
                                  "texture_",     "surface_",   "cuda_texture",
                                  "cuda_surface", "nvshmem",    "nv/"});
}

bool isIntrinsics(std::string_view name) {
    return name.ends_with("intrin.h") && name.find('/') == std::string_view::npos;
}

} // namespace

bool AbsentHeaders::isOfShim(std::string_view name) {
    return shimNames().contains(name);
}

bool AbsentHeaders::isOfToolkit(std::string_view name) const {
    if (m_toolkit.include.empty() || name.empty() || name[0] == '/' || name.find("..") != std::string_view::npos ||
        shimNames().contains(name))
        return false;
    std::error_code ignored;
    const std::filesystem::path folder = m_toolkit.include;
    return std::filesystem::is_regular_file(folder / name, ignored) ||
           std::filesystem::is_regular_file(folder / "cccl" / name, ignored);
}

bool AbsentHeaders::take(std::string_view name) {
    if (shimNames().contains(name) || m_texts.contains(std::string(name)) || isOfToolkit(name)) return false;
    std::string text = "#pragma once\n";
    if (const auto own = standIns.find(name); own != standIns.end())
        text += own->second.empty() ? "" : "#include \"kernelarium/" + std::string(own->second) + ".h\"\n";
    else if (isOfTorch(name))
        text += "#include \"kernelarium/torch_everything.h\"\n";
    else if (isOfPybind(name))
        text += "#include \"kernelarium/py_module.h\"\n#include \"kernelarium/std_all.h\"\n";
    else if (standard.contains(name) || posix.contains(name) || isIntrinsics(name))
        text += "#include \"kernelarium/std_rare.h\"\n";
    else if (!isOfNvidia(name))
        return false;
    return m_texts.emplace(name, text).second;
}

bool AbsentHeaders::take(const std::vector<Diagnostic>& found) {
    bool taken = false;
    for (const Diagnostic& d : found) {
        const std::size_t open = d.text.find("open source file \"");
        if (open == std::string::npos) continue;
        const std::size_t first = d.text.find('"', open) + 1, last = d.text.find('"', first);
        if (last != std::string::npos) taken |= take(std::string_view(d.text).substr(first, last - first));
    }
    return taken;
}

} // namespace kernelarium::compile
