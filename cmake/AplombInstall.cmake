# `cmake --install build --prefix P` installs a copy that needs neither the clone nor .venv, and that can be moved.
install(DIRECTORY marker_sets robots scenarios DESTINATION "${CMAKE_INSTALL_DATADIR}/aplomb")
# The documents, which messages name as docs/NAME.md, and the examples.
install(FILES LICENSE NOTICE README.md CHANGELOG.md CITATION.cff DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs examples DESTINATION "${CMAKE_INSTALL_DOCDIR}" PATTERN CMakeLists.txt EXCLUDE)

# The program.
if(TARGET aplomb)
  add_dependencies(product aplomb)
  set_target_properties(aplomb PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS aplomb)
endif()

# The libraries from PyPI are installed beside ours.
file(GLOB libraries
  "${APLOMB_PREFIX}/lib/libpinocchio_default.so" "${APLOMB_PREFIX}/lib/libboost_serialization.so.*"
  "${APLOMB_PREFIX}/lib/libtinyxml2.so.*" "${APLOMB_SITE_PACKAGES}/mujoco/libmujoco.so.*")
install(PROGRAMS ${libraries} DESTINATION "${CMAKE_INSTALL_LIBDIR}")

# Our headers use Eigen types, whose ABI depends on the version: the same Eigen is installed with them.
install(DIRECTORY "${APLOMB_PREFIX}/include/eigen3/Eigen" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/aplomb_eigen3")
add_library(aplomb_installed_eigen INTERFACE)
set_target_properties(aplomb_installed_eigen PROPERTIES EXPORT_NAME eigen)
target_include_directories(aplomb_installed_eigen INTERFACE
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/aplomb_eigen3>")
get_target_property(eigen_definitions aplomb_eigen INTERFACE_COMPILE_DEFINITIONS)
target_compile_definitions(aplomb_installed_eigen INTERFACE ${eigen_definitions})
install(TARGETS aplomb_installed_eigen EXPORT aplombTargets)

# find_package(aplomb CONFIG)
include(CMakePackageConfigHelpers)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/aplomb")
install(EXPORT aplombTargets NAMESPACE aplomb:: DESTINATION "${package_folder}")
configure_package_config_file(cmake/aplombConfig.cmake.in "${CMAKE_BINARY_DIR}/aplombConfig.cmake"
  INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/aplombConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/aplombConfig.cmake" "${CMAKE_BINARY_DIR}/aplombConfigVersion.cmake"
  DESTINATION "${package_folder}")
