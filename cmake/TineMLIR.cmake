# LLVM, MLIR and LLD 22 from the distribution's packages. Their headers come in as SYSTEM, so that our warnings can be errors.
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
find_package(LLD 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/lld)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
separate_arguments(TINE_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")

# What a library that sees MLIR is built with. The packages have RTTI and no exceptions: our code never throws through them.
add_library(tine_mlir INTERFACE)
target_include_directories(tine_mlir SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_compile_definitions(tine_mlir INTERFACE ${TINE_LLVM_DEFINITIONS})
target_link_libraries(tine_mlir INTERFACE MLIR LLVM)

# MLIR's headers cost 15 to 30 s a unit; one shared precompiled header brings that to about 1 s.
option(TINE_PCH "precompile MLIR's headers" ON)
function(tine_use_mlir target)
  target_link_libraries(${target} PUBLIC tine_mlir PRIVATE tine_warnings)
  if(TINE_PCH)
    if(NOT TARGET tine_mlir_pch)
      file(WRITE ${CMAKE_BINARY_DIR}/tine_mlir_pch.cpp "")
      add_library(tine_mlir_pch STATIC ${CMAKE_BINARY_DIR}/tine_mlir_pch.cpp)
      target_link_libraries(tine_mlir_pch PUBLIC tine_mlir)
      target_precompile_headers(tine_mlir_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/mlir_pch.h)
    endif()
    target_precompile_headers(${target} REUSE_FROM tine_mlir_pch)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL EXECUTABLE)  # -fPIE would not match the header's -fPIC
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${target} PRIVATE -fPIC)
    endif()
  endif()
endfunction()
