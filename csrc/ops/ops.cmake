# Every file under csrc/ops defines TINYTF_OPS(<folder>_<file>) { … }. This generates a function that calls all of them, so
# that the linker cannot drop a registration and the order of static initializers does not matter. Classes and helpers
# that files of a family share are in its folder `shared` and have no registration.
file(GLOB_RECURSE op_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/csrc/ops/*.cc")
set(declarations "")
set(calls "")
set(families "")
foreach(source ${op_sources})
  file(RELATIVE_PATH unit "${CMAKE_SOURCE_DIR}/csrc/ops" "${source}")
  if(unit MATCHES "/shared/")
    continue()
  endif()
  string(REGEX REPLACE "/.*" "" family "${unit}")
  string(REGEX REPLACE "\\.cc$" "" unit "${unit}")
  string(REPLACE "/" "_" unit "${unit}")
  if(NOT family IN_LIST families)
    list(APPEND families "${family}")
    string(APPEND calls "  ops.begin_family(\"${family}\");\n")
  endif()
  string(APPEND declarations "void register_${unit}(OpRegistry&, KernelRegistry&, VariantForms&);\n")
  string(APPEND calls "  register_${unit}(ops, kernels, forms);\n")
endforeach()
file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/all_ops.cc" CONTENT
"// Generated from the files under csrc/ops.
#include \"op/all_ops.h\"
#include \"op/registration.h\"

namespace tinytf {
namespace ops {
${declarations}}  // namespace ops

void register_all_ops(OpRegistry& ops, KernelRegistry& kernels, VariantForms& forms) {
  using namespace tinytf::ops;
${calls}}

}  // namespace tinytf
")
add_library(room_ops OBJECT ${op_sources} "${CMAKE_BINARY_DIR}/all_ops.cc")
target_include_directories(room_ops PUBLIC "${CMAKE_SOURCE_DIR}/csrc")
tinytf_unity(room_ops "${CMAKE_SOURCE_DIR}/csrc/ops" 8)
set_property(GLOBAL APPEND PROPERTY TINYTF_OBJECTS $<TARGET_OBJECTS:room_ops>)
tinytf_precompile(room_ops <algorithm> <vector> "${CMAKE_SOURCE_DIR}/csrc/op/common_shapes.h"
                  "${CMAKE_SOURCE_DIR}/csrc/op/registration.h")
