# `make package` (CPack): a Debian package and an archive that run without a compiler, on the Debian that built them and on
# later ones. Both hold one folder that needs nothing of ours elsewhere: the package as /opt/aplomb, with a link in
# /usr/bin; the archive anywhere.

# The two libraries that come from Debian, whose versions differ between releases. A component of its own: an installed
# copy on the machine that built it has Debian's.
foreach(target fmt::fmt yaml-cpp)
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL "SHARED_LIBRARY" OR kind STREQUAL "UNKNOWN_LIBRARY")
    install(PROGRAMS "$<TARGET_FILE:${target}>" DESTINATION "${CMAKE_INSTALL_LIBDIR}"
      RENAME "$<TARGET_SONAME_FILE_NAME:${target}>" COMPONENT bundled EXCLUDE_FROM_ALL)
  endif()
endforeach()

set(CPACK_PACKAGE_NAME aplomb)
set(CPACK_PACKAGE_VENDOR "the authors of aplomb")
set(CPACK_PACKAGE_CONTACT "the authors of aplomb <aplomb@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_SOURCE_DIR}/dist")
set(CPACK_GENERATOR DEB TXZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_INSTALL_CMAKE_PROJECTS
  "${CMAKE_BINARY_DIR};${PROJECT_NAME};ALL;/;${CMAKE_BINARY_DIR};${PROJECT_NAME};bundled;/")
string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" processor)
set(CPACK_PACKAGE_FILE_NAME "aplomb-${PROJECT_VERSION}-linux-${processor}")

set(CPACK_PACKAGING_INSTALL_PREFIX "/opt/aplomb")
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_SOURCE_DIR}/cmake/AplombPackageOptions.cmake")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# What every Debian of that age or later has; the rest is in the package.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36), libstdc++6 (>= 12), libgcc-s1")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  "${CMAKE_SOURCE_DIR}/cmake/package/postinst;${CMAKE_SOURCE_DIR}/cmake/package/prerm")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
