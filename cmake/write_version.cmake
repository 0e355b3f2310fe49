# Run at every build: writes version.cpp when the version or the commit changed.
#   cmake -DSOURCE=… -DTEMPLATE=… -DOUTPUT=… -DPROJECT_VERSION=… -P write_version.cmake
execute_process(COMMAND git -C "${SOURCE}" describe --always --dirty --abbrev=12 --exclude=*
  OUTPUT_VARIABLE APLOMB_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(APLOMB_COMMIT "unknown")
endif()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
