// SPDX-License-Identifier: GPL-3.0-or-later
//
// The border between an archived file's host code and Kernelarium.
//
// Host code is compiled by NVRTC as device code and interpreted by the emulator; everything it asks of
// the outside world goes through the undefined functions below, which the emulator hands to gpu/host.
// Pointers are addresses of the interpreted program (generic addresses); strings are NUL-terminated.
// Errors do not come back as return values: gpu/host raises them as exceptions (see kl_throw) or ends the run.
#pragma once

typedef long long kl_handle; // a tensor in the host runtime's table; 0 is the undefined tensor

enum kl_kind : int {
    KL_NONE = 0,
    KL_BOOL = 1,        // i
    KL_INT = 2,         // i
    KL_DOUBLE = 3,      // d
    KL_TENSOR = 4,      // i: kl_handle
    KL_STRING = 5,      // p, count: characters (no terminator needed)
    KL_DTYPE = 6,       // i: c10::ScalarType's number
    KL_INT_LIST = 7,    // p: const long long[count]
    KL_DOUBLE_LIST = 8, // p: const double[count]
    KL_TENSOR_LIST = 9, // p: const kl_handle[count]
    KL_LIST = 10,       // p: const kl_value[count]
    KL_OBJECT = 11,     // i: handle of a Python-like object (dict, list, module, bound method) held by the runtime
    KL_DEVICE = 12,     // i: -1 CPU, else CUDA device index
    KL_POINTER = 13,    // p: an address, host or device
    KL_BOOL_LIST = 14,  // p: const unsigned char[count]
};

struct kl_value {
    int kind;
    int count;
    union {
        long long i;
        double d;
        const void* p;
    };
};

enum kl_info : int {
    KL_DIM = 0,
    KL_SIZE = 1,   // index: dimension (already normalised by the runtime when negative; raises IndexError)
    KL_STRIDE = 2, // index: dimension
    KL_NUMEL = 3,
    KL_DTYPE_OF = 4,
    KL_DATA = 5, // address of the first element; index: the expected ScalarType, -1 for any (raises on a mismatch)
    KL_IS_CONTIGUOUS = 6,
    KL_IS_CUDA = 7,
    KL_DEVICE_INDEX = 8,
    KL_ELEMENT_SIZE = 9,
    KL_STORAGE_OFFSET = 10,
    KL_REQUIRES_GRAD = 11,
};

extern "C" {
// A call of a named operation. ATen operators use the names of exported graphs: "aten.conv2d.default",
// "aten.add.Tensor", "aten.sum.dim_IntList", with positional arguments in schema order (trailing defaults may be
// left out). Other families: "py.getattr", "py.call", "py.getitem", "py.contains", "py.hasattr", "py.len",
// "py.isinstance", "py.keys", "py.repr"; "torch.set_num_threads"-like settings as "torch.<name>".
// The shim also says "py.setattr", "py.setitem", "py.append" (list, value), "py.list", "py.tuple", "py.dict" (empty
// ones), "py.import" (name), "py.isinstance" (value, name of the kind: "list", "dict", ...); "aten.item.default"
// (answers with the number itself); "torch.tensor" (number or list, dtype, device or none), "torch.from_blob" (address,
// sizes, strides or none, dtype, device), "torch.manual_seed", "torch.allow_tf32_cublas". Factories take (size, ...,
// dtype, layout, device, pin_memory, memory_format) with keyword-only arguments in schema order. A memory format is its
// number as KL_INT. A plain number as the second operand keeps the graph's name: "aten.add.Tensor", but
// "aten.eq.Scalar". Operators that give a list (split, chunk, unbind) answer with one KL_TENSOR_LIST. The undefined
// tensor is KL_NONE as an argument and 0 in a list. Results are written to `results` (at most `capacity`; list payloads
// live in runtime memory until the run ends). Returns how many results there are.
__device__ int kl_call(const char* name, const kl_value* arguments, int count, kl_value* results, int capacity);

// A CUDA runtime, cuBLAS or stream call by its API name ("cudaMalloc", "cublasSgemm_v2"), arguments in order; output
// parameters are KL_POINTER to host storage. Returns the API's status code. Error texts are written to a buffer of 256
// characters: "cudaGetErrorString" (status, buffer). Of PyTorch's own: "torch.current_stream" (&stream, device),
// "torch.stream_from_pool" (&stream, high priority, device), "torch.set_current_stream" (stream), "torch.cublas_handle"
// (&h).
__device__ int kl_cuda(const char* api, const kl_value* arguments, int count);

// One number about a tensor.
__device__ long long kl_tensor_info(kl_handle tensor, int what, long long index);

// Module definition. `invoke(fn)` fetches its arguments with kl_arguments and answers with kl_return.
// `argument_names` is a comma-separated list (may be empty), defaults[i] has kind -1 where there is none. `types` has
// two bits for the result (1: void) and then for each of the first 31 parameters (1: a tensor, 2: a Tensor&).
__device__ void kl_define(const char* name, void (*invoke)(void*), void* fn, int arity, const char* argument_names,
                          const kl_value* defaults, unsigned long long types);
// The arguments of the call in progress, each in place of a value whose kind says what is wanted (a KL_* kind, or -1
// for as it is). Raises TypeError as pybind11 does where one cannot be converted.
__device__ void kl_arguments(kl_value* values, int count);
// The result of the call in progress; a tuple or list is a KL_LIST.
__device__ void kl_return(const kl_value* value);
// The name in PYBIND11_MODULE(name, m) or TORCH_LIBRARY, as a string; called once before the definitions.
__device__ void kl_module(const char* name);

// Exceptions. kl_try returns 0 when it is reached, and once more with 1 when an exception is thrown while the
// block is active: the interpreter goes back to the frame as it was at kl_try. kl_try_end leaves the block.
__device__ int kl_try();
__device__ void kl_try_end();
// Does nothing. Called with the address of a variable before kl_try, so that the compiler keeps the variable in memory:
// what a try block changed is then there when kl_try returns again.
__device__ void kl_touch(const volatile void* variable);
// Throws. `object` is the exception object's address (host heap), `type` an address unique to its static type,
// `type_name` and `what` for messages. Does not return.
[[noreturn]] __device__ void kl_throw(const void* object, const void* type, const char* type_name, const char* what);
[[noreturn]] __device__ void kl_rethrow();
// The runtime raises an exception of a type that its text makes, without an object, so that not every kernel carries the
// code that makes one. `types`: `type` as in kl_throw, and those of its bases behind it, up to a null. A TORCH_CHECK
// that says no more than this text; a CUDA call that failed with this status, by C10_CUDA_CHECK (both a c10::Error); and
// one of any type, whose text is what std::ostream makes of the pieces: KL_INT (count 1: it is unsigned), KL_DOUBLE,
// KL_DTYPE, and KL_STRING (count -1: up to its NUL).
[[noreturn]] __device__ void kl_check_failed(const void* const* types, const char* text);
[[noreturn]] __device__ void kl_cuda_failed(const void* const* types, int status);
[[noreturn]] __device__ void kl_fail(const void* const* types, const char* type_name, const kl_value* pieces, int count);
// Of the exception being handled: its object, its type address, its text. One of kl_fail and its kin has no object. One
// that the runtime raises of its own accord has no type either (it is a c10::Error, hence a std::exception).
__device__ const void* kl_caught_object();
__device__ const void* kl_caught_type();
__device__ const char* kl_caught_what();
// Whether the exception being handled, one without an object, is of this type or derives from it.
__device__ int kl_caught_is(const void* type);
__device__ void kl_catch_end();

// Host heap of the run (never freed before its end; initialised to nothing).
__device__ void* kl_alloc(unsigned long long bytes);
// std::cout, std::cerr, printf of host code: text as it is.
__device__ void kl_print(const char* text, long long length);
// printf of host code: format and a buffer of 8-byte arguments as device vprintf has it.
__device__ int kl_format(char* out, unsigned long long capacity, const char* format, const void* arguments);
}
