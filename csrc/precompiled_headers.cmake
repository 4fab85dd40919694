# Headers with which most files of `target` begin are read once for all of them: that is half of the time of a small file.
# Not where there is a compiler cache, which cannot know files by what they include then; it saves more. A file includes
# what it needs all the same.
function(tinytf_precompile target)
  if(NOT CCACHE)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
