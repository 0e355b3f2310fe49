# The archive has one folder, to be unpacked anywhere; the Debian package is in /opt.
if(CPACK_GENERATOR STREQUAL "TXZ")
  set(CPACK_PACKAGING_INSTALL_PREFIX "/")
endif()
