// libtine is made of static libraries; this file only gives CMake a source. See CMakeLists.txt and libtine.map.
