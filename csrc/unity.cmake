# Enables unity builds for `target`, because small files spend most of their compile time on headers and templates that
# they share. Groups at most `count` files of the same folder below `base`. Names in unnamed namespaces must therefore be
# unique within a folder. TINYTF_UNITY=OFF compiles each file separately, which is faster after an edit of a single file.
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
      continue()  # a generated file
    endif()
    get_filename_component(folder "${unit}" DIRECTORY)
    string(REPLACE "/" "_" folder "of_${folder}")
    math(EXPR ${folder} "${${folder}} + 1")
    math(EXPR part "(${${folder}} - 1) / ${count}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}_${part}")
  endforeach()
endfunction()
