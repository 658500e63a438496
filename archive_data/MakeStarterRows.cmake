# Writes the starter archive's rows as JSON lines.
#   cmake -DKERNELS=FOLDER -DOUT=FILE.jsonl [-DTENSOR_CORES=ON] -P MakeStarterRows.cmake
# A kernel's facts stand in the comment at its head; README.md in kernels/ describes the form. Columns are those of
# the published archive, measured ones null, and three of our own: Idea, Look_At and Parent.
cmake_minimum_required(VERSION 3.24)

# Kernels that use tensor cores; left out unless TENSOR_CORES is on.
set(tensor_core_kernels level_1/001/tensor_core.cu)

function(json_string out text)
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "\t" "\\t" text "${text}")
    string(REPLACE "\r" "\\r" text "${text}")
    string(REPLACE "\n" "\\n" text "${text}")
    set(${out} "\"${text}\"" PARENT_SCOPE)
endfunction()

# One field of the head comment; its further lines are indented to the column of the first.
function(head_field out label text file)
    if(NOT "${text}" MATCHES "\n// ${label}: +([^\n]+(\n//          [^\n]+)*)\n")
        message(FATAL_ERROR "${file}: the head has no field \"${label}:\"")
    endif()
    string(REGEX REPLACE "\n// +" " " value "${CMAKE_MATCH_1}")
    set(${out} "${value}" PARENT_SCOPE)
endfunction()

function(kernel_row out path file)
    file(READ "${path}" code)
    head_field(task "Task" "${code}" "${file}")
    head_field(name "Name" "${code}" "${file}")
    head_field(parent "Parent" "${code}" "${file}")
    head_field(idea "Idea" "${code}" "${file}")
    head_field(look "Look at" "${code}" "${file}")

    if(NOT "${task}" MATCHES "^([0-9]+)/([0-9]+) ([^ ]+)$")
        message(FATAL_ERROR "${file}: Task is \"${task}\"; it should be LEVEL/TASK and the operator's published name")
    endif()
    set(level "${CMAKE_MATCH_1}")
    set(number "${CMAKE_MATCH_2}")
    set(op "${CMAKE_MATCH_3}")
    set(folder "00${number}")
    string(REGEX REPLACE "^0*(...)$" "\\1" folder "${folder}")
    if(NOT "${file}" STREQUAL "level_${level}/${folder}/${name}.cu")
        message(FATAL_ERROR "${file}: its head says it is level_${level}/${folder}/${name}.cu")
    endif()
    set(parent_json null)
    if(NOT "${parent}" STREQUAL "none")
        if(NOT EXISTS "${KERNELS}/level_${level}/${folder}/${parent}.cu")
            message(FATAL_ERROR "${file}: its parent ${parent} is not in the same task")
        endif()
        json_string(parent_json "${parent}")
    endif()
    json_string(op_json "${op}")
    json_string(name_json "${name}")
    json_string(idea_json "${idea}")
    json_string(look_json "${look}")
    json_string(code_json "${code}")

    set(row "{\"Op_Name\": ${op_json}, \"Level_ID\": ${level}, \"Task_ID\": ${number}, \"Kernel_Name\": ${name_json}")
    foreach(measured CUDA_Runtime PyTorch_Native_Runtime PyTorch_Compile_Runtime CUDA_Speedup_Native
            CUDA_Speedup_Compile)
        string(APPEND row ", \"${measured}\": null")
    endforeach()
    string(APPEND row ", \"CUDA_Code\": ${code_json}")
    foreach(absent PyTorch_Code_Module PyTorch_Code_Functional Correct Max_Diff Error NCU_Profile Torch_Profile
            Clang_Tidy)
        string(APPEND row ", \"${absent}\": null")
    endforeach()
    string(APPEND row ", \"Idea\": ${idea_json}, \"Look_At\": ${look_json}, \"Parent\": ${parent_json}}")

    # What a reader will get back must be the file, to the byte.
    string(JSON read_back GET "${row}" CUDA_Code)
    if(NOT "${read_back}" STREQUAL "${code}")
        message(FATAL_ERROR "${file}: its text does not survive JSON; is there a control character in it?")
    endif()
    set(${out} "${row}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE files RELATIVE "${KERNELS}" "${KERNELS}/*.cu")
list(SORT files)
if(NOT TENSOR_CORES)
    list(REMOVE_ITEM files ${tensor_core_kernels})
endif()
if(NOT files)
    message(FATAL_ERROR "no kernels under ${KERNELS}")
endif()

# Written beside and renamed, so that a failure leaves no half a file behind.
file(WRITE "${OUT}.new" "")
foreach(file ${files})
    kernel_row(row "${KERNELS}/${file}" "${file}")
    file(APPEND "${OUT}.new" "${row}\n")
endforeach()
file(RENAME "${OUT}.new" "${OUT}")
list(LENGTH files count)
message(STATUS "${count} starter kernels")
