# kernels/*.cc (dispatch) are compiled once; kernels/isa/*.cc once per level, each time in another namespace.
file(GLOB kernel_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/csrc/kernels/*.cc")
add_library(room_kernels OBJECT ${kernel_sources})
target_include_directories(room_kernels PUBLIC "${CMAKE_SOURCE_DIR}/csrc")
set_property(GLOBAL APPEND PROPERTY TINYTF_OBJECTS $<TARGET_OBJECTS:room_kernels>)

# Levels instantiate the same templates and inline functions (ours and the standard library's) with different flags. The
# linker would keep one copy of each weak symbol for the whole program, possibly the one with AVX-512 code. Therefore, with
# several levels, each level is joined into one object in which only the entry point is global. Unique symbols cannot be
# made local, so they are disabled.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-fno-gnu-unique TINYTF_HAS_NO_GNU_UNIQUE)
set(isa_options -fno-math-errno -fno-trapping-math)
if(TINYTF_HAS_NO_GNU_UNIQUE)
  list(APPEND isa_options -fno-gnu-unique)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  list(APPEND isa_options -Wno-pass-failed)  # TINYTF_IVDEP permits vectorization, but does not require it.
else()
  set(avx512_options -Wno-maybe-uninitialized)  # For the headers of the intrinsics.
endif()

file(GLOB isa_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/csrc/kernels/isa/*.cc")
function(tinytf_isa_level level)
  add_library(kernels_${level} OBJECT ${isa_sources})
  set_target_properties(kernels_${level} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
  target_include_directories(kernels_${level} PRIVATE "${CMAKE_SOURCE_DIR}/csrc")
  target_compile_definitions(kernels_${level} PRIVATE TINYTF_ISA=${level})
  target_compile_options(kernels_${level} PRIVATE ${isa_options} ${ARGN})
endfunction()

# Loops mainly need vectorization. The rest of -O3 takes a third of the compile time and pays off only in the files below
# (measured). With several levels, the generic one is for old processors and a reference for tests.
set(vectorizing ${TINYTF_KERNEL_OPTIMIZATION})
set(reference ${TINYTF_KERNEL_OPTIMIZATION})
if(NOT TINYTF_SANITIZE)
  set(reference -O1)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(vectorizing -O2 -ftree-vectorize -fvect-cost-model=dynamic)
  endif()
  foreach(file gemm conv conv_depthwise update random random_draws copy_transpose cast_through)
    set_source_files_properties("${CMAKE_SOURCE_DIR}/csrc/kernels/isa/${file}.cc" PROPERTIES
                                COMPILE_OPTIONS ${TINYTF_KERNEL_OPTIMIZATION})
  endforeach()
endif()

function(tinytf_join_level level)
  set(joined "${CMAKE_BINARY_DIR}/kernels_${level}.o")
  string(LENGTH ${level} length)
  add_custom_command(
    OUTPUT "${joined}"
    COMMAND "${CMAKE_LINKER}" -r --force-group-allocation -o "${joined}" "$<TARGET_OBJECTS:kernels_${level}>"
    COMMAND "${CMAKE_OBJCOPY}" --wildcard
            "--keep-global-symbol=_ZN6tinytf7kernels${length}${level}10fill_tableE*" "${joined}"
    DEPENDS "$<TARGET_OBJECTS:kernels_${level}>"
    COMMENT "Joining the ${level} kernels"
    COMMAND_EXPAND_LISTS VERBATIM)
  set_source_files_properties("${joined}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set_property(GLOBAL APPEND PROPERTY TINYTF_OBJECTS "${joined}")
endfunction()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND CMAKE_SYSTEM_NAME STREQUAL "Linux")  # Needs GNU ld and objcopy.
  tinytf_isa_level(generic ${reference})
  tinytf_isa_level(avx2 ${vectorizing} -mavx2 -mfma -mf16c -mbmi2)
  tinytf_isa_level(avx512 ${vectorizing} -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx2 -mfma -mf16c -mbmi2 ${avx512_options})
  foreach(level generic avx2 avx512)
    tinytf_join_level(${level})
  endforeach()
  target_compile_definitions(room_kernels PRIVATE TINYTF_X86_LEVELS)
else()
  tinytf_isa_level(generic ${vectorizing})
  set_property(GLOBAL APPEND PROPERTY TINYTF_OBJECTS $<TARGET_OBJECTS:kernels_generic>)
endif()
