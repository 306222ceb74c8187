# FILE needs no library of LLVM.
execute_process(COMMAND readelf -d ${FILE} OUTPUT_VARIABLE dynamic RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "readelf failed on ${FILE}")
endif()
if(dynamic MATCHES "NEEDED[^\n]*(LLVM|MLIR|lld|tine-compiler)")
  message(FATAL_ERROR "${FILE} links the compiler:\n${dynamic}")
endif()
