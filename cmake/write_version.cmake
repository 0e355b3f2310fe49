# Run at every build: writes version.cpp when the version or the commit changed.
#   cmake -DSOURCE=… -DTEMPLATE=… -DOUTPUT=… -DPROJECT_VERSION=… -P write_version.cmake
# The commit ends in -dirty when a file of the program differs from it. Documents, tests and scripts are no part of the
# program: `make results` writes documents while it measures, and its figures must remain those of a commit.
execute_process(COMMAND git -C "${SOURCE}" describe --always --abbrev=12 --exclude=*
  OUTPUT_VARIABLE APLOMB_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(APLOMB_COMMIT "unknown")
else()
  execute_process(COMMAND git -C "${SOURCE}" diff --quiet HEAD --
    apps bench/cases cmake marker_sets requirements robots scenarios src web CMakeLists.txt CMakePresets.json
    ERROR_QUIET RESULT_VARIABLE differs)
  if(differs)
    string(APPEND APLOMB_COMMIT "-dirty")
  endif()
endif()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
