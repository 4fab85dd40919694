# Compiles the files of `target` several at a time, as one: most of the time of a small file are the headers and templates
# that it shares with its neighbours. Files of one folder below `base` come together, at most `count` of them. What a file
# keeps to itself, in a namespace without a name, therefore has a name that no other file of its folder uses.
# TINYTF_UNITY=OFF compiles each by itself, which is quicker after an edit of one.
option(TINYTF_UNITY "Compile the files of a folder several at a time" ON)
function(tinytf_unity target base count)
  if(NOT TINYTF_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    file(RELATIVE_PATH unit "${base}" "${source}")
    if(unit MATCHES "^\\.\\.")
      continue()  # what is generated
    endif()
    get_filename_component(folder "${unit}" DIRECTORY)
    string(REPLACE "/" "_" folder "of_${folder}")
    math(EXPR ${folder} "${${folder}} + 1")
    math(EXPR part "(${${folder}} - 1) / ${count}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}_${part}")
  endforeach()
endfunction()
