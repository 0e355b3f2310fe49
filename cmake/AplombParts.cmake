# Dependencies. Set-up (scripts/setup) installs Pinocchio, MuJoCo and Eigen into .venv from PyPI wheels.
set(APLOMB_VENV "${CMAKE_SOURCE_DIR}/.venv" CACHE PATH "The Python environment that scripts/setup made")
if(NOT APLOMB_SITE_PACKAGES)  # given by python/build_backend.py when pip builds without set-up
  file(GLOB APLOMB_SITE_PACKAGES "${APLOMB_VENV}/lib/python3*/site-packages")
endif()
if(NOT EXISTS "${APLOMB_SITE_PACKAGES}/cmeel.prefix/include/pinocchio")
  message(FATAL_ERROR "Pinocchio is not in ${APLOMB_VENV}: run `make setup` first, it installs what the build needs.")
endif()
set(APLOMB_PREFIX "${APLOMB_SITE_PACKAGES}/cmeel.prefix")

# Pinocchio's own CMake files also look for its URDF parser and collision library, which are not used here. This is an
# imported target for the one library that is used. Its headers need Eigen and Boost from the same prefix.
add_library(aplomb_eigen INTERFACE IMPORTED)
target_include_directories(aplomb_eigen SYSTEM INTERFACE "${APLOMB_PREFIX}/include/eigen3")
# Eigen changes its allocator under a sanitizer, the prebuilt library does not: state that malloc aligns, as glibc's does.
target_compile_definitions(aplomb_eigen INTERFACE EIGEN_MALLOC_ALREADY_ALIGNED=1)

add_library(aplomb_pinocchio SHARED IMPORTED)
file(GLOB pinocchio_library "${APLOMB_PREFIX}/lib/libpinocchio_default.so")
set_target_properties(aplomb_pinocchio PROPERTIES IMPORTED_LOCATION "${pinocchio_library}")
target_include_directories(aplomb_pinocchio SYSTEM INTERFACE "${APLOMB_PREFIX}/include")
target_link_libraries(aplomb_pinocchio INTERFACE aplomb_eigen)
# As Pinocchio's own target sets them: its joint variant has more than Boost's default 20 members, and its
# algorithms for double come from the library instead of being compiled again.
target_compile_definitions(aplomb_pinocchio INTERFACE
  PINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION BOOST_MPL_LIMIT_LIST_SIZE=30 BOOST_MPL_LIMIT_VECTOR_SIZE=30
  BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS BOOST_FUSION_INVOKE_MAX_ARITY=12)

add_library(aplomb_tinyxml2 SHARED IMPORTED)
set_target_properties(aplomb_tinyxml2 PROPERTIES IMPORTED_LOCATION "${APLOMB_PREFIX}/lib/libtinyxml2.so")
target_include_directories(aplomb_tinyxml2 SYSTEM INTERFACE "${APLOMB_PREFIX}/include")

add_library(aplomb_mujoco SHARED IMPORTED)
file(GLOB mujoco_library "${APLOMB_SITE_PACKAGES}/mujoco/libmujoco.so.*")
set_target_properties(aplomb_mujoco PROPERTIES IMPORTED_LOCATION "${mujoco_library}")
target_include_directories(aplomb_mujoco SYSTEM INTERFACE "${APLOMB_SITE_PACKAGES}/mujoco/include")

# eiquadprog: reference solver for tests and benchmarks only, installed by `scripts/setup test`.
if(EXISTS "${APLOMB_PREFIX}/lib/libeiquadprog.so")
  add_library(aplomb_eiquadprog SHARED IMPORTED)
  set_target_properties(aplomb_eiquadprog PROPERTIES IMPORTED_LOCATION "${APLOMB_PREFIX}/lib/libeiquadprog.so")
  target_include_directories(aplomb_eiquadprog SYSTEM INTERFACE "${APLOMB_PREFIX}/include")
  target_link_libraries(aplomb_eiquadprog INTERFACE aplomb_eigen)
endif()

find_package(fmt REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)

find_package(Threads REQUIRED)

find_program(CCACHE ccache)
if(CCACHE)
  # No preprocessing by ccache itself, and no hashing of the precompiled headers for each file: a cache miss costs no more
  # than a compilation without ccache. Paths below this folder count relative to it: clones share what they compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1
    CCACHE_INODECACHE=1 "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${CCACHE}")
endif()

# aplomb_when_found(OPTION PACKAGE): an option that is AUTO becomes ON or OFF in the caller.
function(aplomb_when_found option package)
  if("${${option}}" STREQUAL "AUTO")
    find_package(${package} QUIET)
    set(${option} "${${package}_FOUND}" PARENT_SCOPE)
  endif()
endfunction()
