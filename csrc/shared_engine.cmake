# Defines tinytf_core as a library made by a separate build, in a folder of TINYTF_ENGINE_DIR for this compiler and these
# flags, so that the modules of all interpreters link the same one. The cache variable TINYTF_ENGINE holds the folder.
set(handed_over
    CMAKE_CXX_COMPILER CMAKE_CXX_FLAGS CMAKE_BUILD_TYPE CMAKE_TOOLCHAIN_FILE CMAKE_OSX_ARCHITECTURES
    CMAKE_OSX_DEPLOYMENT_TARGET CMAKE_OSX_SYSROOT TINYTF_SANITIZE TINYTF_TESTING TINYTF_UNITY)
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_TOOLCHAIN_FILE)
  list(APPEND handed_over CMAKE_SYSTEM_NAME CMAKE_SYSTEM_PROCESSOR CMAKE_AR CMAKE_RANLIB)
endif()
set(engine_arguments "")
foreach(name ${handed_over})
  if(NOT "${${name}}" STREQUAL "")
    string(REPLACE ";" "\\;" value "${${name}}")
    list(APPEND engine_arguments "-D${name}=${value}")
  endif()
endforeach()

string(SHA1 digest "${engine_arguments};$ENV{CXXFLAGS}")
string(SUBSTRING "${digest}" 0 8 digest)
get_filename_component(engines "${TINYTF_ENGINE_DIR}" ABSOLUTE BASE_DIR "${CMAKE_SOURCE_DIR}")
set(TINYTF_ENGINE "${engines}/engine-${CMAKE_CXX_COMPILER_ID}-${CMAKE_CXX_COMPILER_VERSION}-${CMAKE_SYSTEM_PROCESSOR}-${digest}"
    CACHE INTERNAL "Where the engine is built")
set(library "${TINYTF_ENGINE}/${CMAKE_STATIC_LIBRARY_PREFIX}tinytf_core${CMAKE_STATIC_LIBRARY_SUFFIX}")

add_custom_target(
  tinytf_engine
  COMMAND
    "${CMAKE_COMMAND}" "-DENGINE=${TINYTF_ENGINE}" "-DSOURCE=${CMAKE_SOURCE_DIR}" "-DGENERATOR=${CMAKE_GENERATOR}"
    "-DMAKE_PROGRAM=${CMAKE_MAKE_PROGRAM}" "-DEIGEN=${Eigen3_DIR}" "-DARGUMENTS=${engine_arguments}"
    -P "${CMAKE_SOURCE_DIR}/csrc/build_engine.cmake"
  BYPRODUCTS "${library}"
  USES_TERMINAL VERBATIM
  COMMENT "The engine, in ${TINYTF_ENGINE}")

add_library(tinytf_core STATIC IMPORTED)
set_target_properties(
  tinytf_core PROPERTIES IMPORTED_LOCATION "${library}" INTERFACE_INCLUDE_DIRECTORIES "${CMAKE_SOURCE_DIR}/csrc"
                         IMPORTED_NO_SYSTEM ON INTERFACE_LINK_LIBRARIES Threads::Threads)
if(TINYTF_TESTING)
  target_compile_definitions(tinytf_core INTERFACE TINYTF_TESTING)
endif()
add_dependencies(tinytf_core tinytf_engine)
