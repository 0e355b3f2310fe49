# aplomb_precompile(TARGET KIND): the target uses cmake/precompiled.hpp as a precompiled header, which halves the build
# time. One header per KIND: modules (position independent), programs, tests (with GoogleTest).
option(APLOMB_PRECOMPILED "Parse common headers once; OFF shows what a file forgot to include" ON)

# The library is optimised for speed, its users for a short build: for tests gcc is fastest with -O1, clang with -O0. Hidden
# visibility keeps the less optimised template instantiations of users from replacing those of the library.
set(APLOMB_PROGRAM_OPTIONS -O1 -fvisibility=hidden)
set(APLOMB_TEST_OPTIONS $<IF:$<CXX_COMPILER_ID:GNU>,-O1,-O0> -fvisibility=hidden)

function(aplomb_precompile target kind)
  if(NOT APLOMB_PRECOMPILED)
    return()
  endif()
  set(source aplomb_precompiled_${kind})
  if(NOT TARGET ${source})
    file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/precompiled/${kind}.cpp" CONTENT "")
    add_library(${source} OBJECT "${CMAKE_BINARY_DIR}/precompiled/${kind}.cpp")
    target_compile_features(${source} PUBLIC cxx_std_20)
    target_link_libraries(${source} PRIVATE aplomb_eigen fmt::fmt aplomb_warnings)
    # By name, not by path: a header with the path of this folder in it would be another one in each clone.
    target_include_directories(${source} PRIVATE "${CMAKE_SOURCE_DIR}/cmake")
    target_precompile_headers(${source} PRIVATE <precompiled.hpp>)
    set_target_properties(${source} PROPERTIES CXX_CLANG_TIDY "")
    if(kind STREQUAL modules)
      set_target_properties(${source} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    elseif(kind STREQUAL programs)
      target_compile_options(${source} PRIVATE ${APLOMB_PROGRAM_OPTIONS})
    elseif(kind STREQUAL tests)
      target_link_libraries(${source} PRIVATE GTest::gtest)
      target_precompile_headers(${source} PRIVATE <gtest/gtest.h>)
      target_compile_options(${source} PRIVATE ${APLOMB_TEST_OPTIONS})
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${source} PRIVATE -fpch-preprocess)
    elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      target_compile_options(${source} PRIVATE -fpch-instantiate-templates)
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${source})
  target_link_libraries(${target} PRIVATE fmt::fmt)  # the same macros as there, or gcc rejects the precompiled header
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # needed by ccache
  endif()
endfunction()
