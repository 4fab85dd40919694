# The engine, tinytf_core: everything except the Python module.

# One object library per room. A room's only include path is csrc/; a test checks which rooms may include each other. Code
# of a room that only tests need is in its folder `testing`.
function(tinytf_room name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/csrc/${name}/*.cc")
  if(NOT TINYTF_TESTING)
    list(FILTER sources EXCLUDE REGEX "/csrc/${name}/testing/")
  endif()
  add_library(room_${name} OBJECT ${sources})
  target_include_directories(room_${name} PUBLIC "${CMAKE_SOURCE_DIR}/csrc")
  tinytf_unity(room_${name} "${CMAKE_SOURCE_DIR}/csrc/${name}" 12)
  set_property(GLOBAL APPEND PROPERTY TINYTF_OBJECTS $<TARGET_OBJECTS:room_${name}>)
endfunction()

foreach(room base tensor services handles io op data graph runtime)
  tinytf_room(${room})
endforeach()
tinytf_keep_headers(Eigen3::Eigen Eigen unsupported)
set_source_files_properties("${CMAKE_SOURCE_DIR}/csrc/services/thread_pool.cc" PROPERTIES
                            SKIP_UNITY_BUILD_INCLUSION ON)  # configures Eigen before including it
target_link_libraries(room_services PRIVATE Eigen3::Eigen Threads::Threads)  # the thread pool's queue

include(csrc/kernels/kernels.cmake)
include(csrc/ops/ops.cmake)

get_property(TINYTF_OBJECTS GLOBAL PROPERTY TINYTF_OBJECTS)
add_library(tinytf_core STATIC ${TINYTF_OBJECTS})
target_include_directories(tinytf_core PUBLIC "${CMAKE_SOURCE_DIR}/csrc")
target_link_libraries(tinytf_core PUBLIC Threads::Threads)
if(TINYTF_TESTING)  # only for rooms that may include handles/; the others are the same in both builds
  target_compile_definitions(room_handles PRIVATE TINYTF_TESTING)
  target_compile_definitions(room_runtime PRIVATE TINYTF_TESTING)
  target_compile_definitions(tinytf_core PUBLIC TINYTF_TESTING)
endif()

if(TINYTF_CPP_TESTS)
  file(GLOB unit_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/cpp/*.cc")
  add_executable(tinytf_cpp_tests ${unit_sources})
  file(GLOB stress_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/stress/*.cc")
  add_executable(tinytf_stress ${stress_sources} "${CMAKE_SOURCE_DIR}/tests/cpp/main.cc")
  set_source_files_properties("${CMAKE_SOURCE_DIR}/tests/cpp/main.cc" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  foreach(binary tinytf_cpp_tests tinytf_stress)
    target_include_directories(${binary} PRIVATE "${CMAKE_SOURCE_DIR}")
    target_link_libraries(${binary} PRIVATE tinytf_core)
    tinytf_unity(${binary} "${CMAKE_SOURCE_DIR}/tests" 12)
    set_target_properties(${binary} PROPERTIES UNITY_BUILD_UNIQUE_ID TINYTF_FILE)
    tinytf_precompile(${binary} <algorithm> <memory> <random> <thread> "${CMAKE_SOURCE_DIR}/tests/cpp/harness.h"
                      "${CMAKE_SOURCE_DIR}/csrc/runtime/session/session.h")
  endforeach()
  if(NOT TINYTF_SANITIZE)
    # Compiling the unit tests takes far longer than running them, except for those that compute what kernels should.
    target_compile_options(tinytf_cpp_tests PRIVATE -O0)
    file(GLOB kernel_tests CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/cpp/test_kernels_*.cc")
    set_source_files_properties(${kernel_tests} PROPERTIES COMPILE_OPTIONS -O2 SKIP_PRECOMPILE_HEADERS ON)
  endif()
endif()
