# Precompiles headers that most files of `target` include, which halves the compile time of a small file. Not used with a
# compiler cache, which saves more but cannot hash the included files of a precompiled header. Files must still include
# every header that they need.
function(tinytf_precompile target)
  if(NOT CCACHE)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
