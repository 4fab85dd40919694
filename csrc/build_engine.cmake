# Builds the engine in the folder ENGINE, which several builds share; a lock serializes them. Configures it if it is new, if
# the ARGUMENTS changed, or if a cached tool no longer exists (an isolated build removes its tools), then with our tools.
file(MAKE_DIRECTORY "${ENGINE}")
file(LOCK "${ENGINE}/lock" GUARD PROCESS)

set(wanted "${SOURCE};${GENERATOR};${ARGUMENTS}")
set(configured "")
if(EXISTS "${ENGINE}/arguments.txt" AND EXISTS "${ENGINE}/CMakeCache.txt")
  file(READ "${ENGINE}/arguments.txt" configured)
  file(STRINGS "${ENGINE}/CMakeCache.txt" remembered REGEX "^(CMAKE_COMMAND|CMAKE_MAKE_PROGRAM|Eigen3_DIR):[A-Z]+=")
  foreach(entry ${remembered})
    string(REGEX REPLACE "^[^=]*=" "" path "${entry}")
    if(NOT EXISTS "${path}")
      set(configured "")
    endif()
  endforeach()
endif()

if(NOT configured STREQUAL wanted)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${ENGINE}" -G "${GENERATOR}" ${ARGUMENTS} -DTINYTF_PYTHON=OFF
            -DTINYTF_ENGINE_DIR= "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" "-DEigen3_DIR=${EIGEN}"
    COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE "${ENGINE}/arguments.txt" "${wanted}")
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${ENGINE}" --target tinytf_core COMMAND_ERROR_IS_FATAL ANY)
