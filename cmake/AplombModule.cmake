# aplomb_module(NAME [LINKS aplomb::core ...] [PRIVATE_LINKS fmt::fmt ...] [HEADERS ...] SOURCES ...)
# declares the library of one room of src/aplomb/: C++20, our warnings, the headers to install, the install rule.
# LINKS are the rooms it uses (docs/architecture.md has the allowed ones; tests/architecture checks the includes).
# HEADERS are installed; private headers of the room are not listed.

add_library(aplomb_warnings INTERFACE)
target_compile_options(aplomb_warnings INTERFACE
  -Wall -Wextra -Wno-missing-field-initializers -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual -Werror
  $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-stringop-overread>  # false positives of gcc 12 in its own std::string
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)  # used by libstdc++ 12 inside its own std::stable_sort

add_custom_target(product COMMENT "The library and the program, without tests and benchmarks")

function(aplomb_module name)
  cmake_parse_arguments(ARG "" "" "LINKS;PRIVATE_LINKS;HEADERS;SOURCES" ${ARGN})
  set(target aplomb_${name})
  add_library(${target} SHARED ${ARG_SOURCES})
  add_library(aplomb::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} INSTALL_RPATH "$ORIGIN" VERSION ${PROJECT_VERSION} SOVERSION 0)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS "${CMAKE_SOURCE_DIR}/src" FILES ${ARG_HEADERS})
  target_link_libraries(${target} PUBLIC ${ARG_LINKS}
    PRIVATE ${ARG_PRIVATE_LINKS} $<BUILD_INTERFACE:aplomb_warnings>)
  target_link_libraries(${target} PUBLIC $<BUILD_INTERFACE:aplomb_eigen> $<INSTALL_INTERFACE:aplomb::eigen>)
  if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")  # a sanitizer's own symbols come with the program
    target_link_options(${target} PRIVATE LINKER:--no-undefined)  # an undefined symbol fails here, not when a user links
  endif()
  aplomb_precompile(${target} modules)
  install(TARGETS ${target} EXPORT aplombTargets FILE_SET HEADERS)
  add_dependencies(product ${target})
endfunction()

# aplomb_test(NAME LINKS ... SOURCES ... [FIGURES ...]): one test program for a folder of tests/.
# FIGURES names the tests (GoogleTest patterns) that repeat an experiment for statistics. Sanitizer builds, two to ten
# times slower, omit them: other tests run the same code once.
function(aplomb_test name)
  cmake_parse_arguments(ARG "" "" "LINKS;SOURCES;FIGURES" ${ARGN})
  add_executable(${name}_test ${ARG_SOURCES})
  target_include_directories(${name}_test PRIVATE "${CMAKE_SOURCE_DIR}/tests")
  target_link_libraries(${name}_test PRIVATE ${ARG_LINKS} aplomb_warnings GTest::gtest_main fmt::fmt)
  target_compile_definitions(${name}_test PRIVATE
    APLOMB_PROGRAM="${CMAKE_BINARY_DIR}/aplomb" APLOMB_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_compile_options(${name}_test PRIVATE ${APLOMB_TEST_OPTIONS})
  aplomb_precompile(${name}_test tests)
  set_target_properties(${name}_test PROPERTIES CXX_CLANG_TIDY "")  # clang-tidy checks the library and the program, not the tests
  set(filter)
  if(ARG_FIGURES AND CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    list(JOIN ARG_FIGURES ":" left_out)
    set(filter TEST_FILTER "-${left_out}")
  endif()
  gtest_discover_tests(${name}_test ${filter} DISCOVERY_MODE PRE_TEST PROPERTIES LABELS ${name} TIMEOUT 600)
endfunction()
