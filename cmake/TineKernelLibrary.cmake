# tine_add_kernel_library(NAME [HEADERS header...] [KERNELS kernel...] [ALL] [TARGETS target...] [DESCRIPTION file]
#                         [ABI tine|ninetoothed] [TUNING file] [INCLUDE_DIRECTORIES folder...] [DEFINITIONS NAME[=VALUE]...]
#                         [OPTIONS word...] [SHARED])
#
# A library made by `tinec build`: NAME is a target to link (the static library, or with SHARED the shared one), whose
# include folder holds NAME.h and NAME.hpp. Either HEADERS with KERNELS (types and expressions, as for `--kernel`) or ALL
# (what the headers export), or a DESCRIPTION. TARGETS is by default `cpu`. OPTIONS are further words for `tinec build`. The
# library is built anew when a header, what it includes, or the compiler has changed.
function(tine_add_kernel_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ALL;SHARED" "DESCRIPTION;ABI;TUNING"
    "HEADERS;KERNELS;TARGETS;INCLUDE_DIRECTORIES;DEFINITIONS;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tine_add_kernel_library(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(arg_DESCRIPTION AND (arg_HEADERS OR arg_KERNELS OR arg_ALL))
    message(FATAL_ERROR "tine_add_kernel_library(${name}): DESCRIPTION names headers and kernels itself")
  elseif(NOT arg_DESCRIPTION AND NOT arg_HEADERS)
    message(FATAL_ERROR "tine_add_kernel_library(${name}): HEADERS or a DESCRIPTION is needed")
  elseif(arg_HEADERS AND NOT arg_KERNELS AND NOT arg_ALL)
    message(FATAL_ERROR "tine_add_kernel_library(${name}): KERNELS are needed, or ALL for what the headers export")
  endif()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name})
  set(words --name ${name} -o ${folder} --depfile ${folder}/${name}.d --cxx ${CMAKE_CXX_COMPILER} --quiet)
  set(inputs ${arg_DESCRIPTION} ${arg_TUNING})
  list(TRANSFORM inputs REPLACE "^([^/].*)$" "${CMAKE_CURRENT_SOURCE_DIR}/\\1")
  if(arg_DESCRIPTION)
    list(GET inputs 0 description)
    list(APPEND words --description ${description})
  else()
    # Several headers are one to the tool.
    set(text "#pragma once\n")
    foreach(header ${arg_HEADERS})
      cmake_path(ABSOLUTE_PATH header BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
      string(APPEND text "#include \"${header}\"\n")
      list(APPEND inputs ${header})
    endforeach()
    list(LENGTH arg_HEADERS count)
    if(count GREATER 1)
      set(header ${folder}/${name}.headers.hpp)
      file(CONFIGURE OUTPUT ${header} CONTENT "${text}" @ONLY)
    endif()
    list(APPEND words ${header})
    foreach(kernel ${arg_KERNELS})
      list(APPEND words --kernel ${kernel})
    endforeach()
    if(arg_ALL)
      list(APPEND words --all)
    endif()
  endif()
  foreach(target ${arg_TARGETS})
    list(APPEND words --target ${target})
  endforeach()
  foreach(i ${arg_INCLUDE_DIRECTORIES})
    cmake_path(ABSOLUTE_PATH i BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    list(APPEND words -I ${i})
  endforeach()
  foreach(d ${arg_DEFINITIONS})
    list(APPEND words -D ${d})
  endforeach()
  if(arg_ABI)
    list(APPEND words --abi ${arg_ABI})
  endif()
  if(arg_TUNING)
    list(GET inputs -1 tuning)
    list(APPEND words --tuning ${tuning})
  endif()

  add_custom_command(
    OUTPUT ${folder}/lib${name}.so
    BYPRODUCTS ${folder}/lib${name}.a ${folder}/${name}.h ${folder}/manifest.json
    COMMAND Tine::tinec build ${words} ${arg_OPTIONS}
    COMMAND ${CMAKE_COMMAND} -E touch_nocreate ${folder}/lib${name}.so
    DEPENDS ${inputs} Tine::tinec DEPFILE ${folder}/${name}.d
    COMMENT "Kernel library ${name}" VERBATIM)
  add_custom_target(${name}_build DEPENDS ${folder}/lib${name}.so)
  file(MAKE_DIRECTORY ${folder})
  if(arg_SHARED)
    add_library(${name} SHARED IMPORTED GLOBAL)
    set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${folder}/lib${name}.so IMPORTED_SONAME lib${name}.so)
  else()
    add_library(${name} STATIC IMPORTED GLOBAL)
    set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${folder}/lib${name}.a
      INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS}" IMPORTED_LINK_INTERFACE_LANGUAGES C)
  endif()
  set_target_properties(${name} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${folder})
  add_dependencies(${name} ${name}_build)
endfunction()
