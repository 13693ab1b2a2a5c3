# SPDX-License-Identifier: GPL-3.0-or-later
# Compile settings and helpers shared by every target of the project.

# Interface target: warnings, version and sanitizers. Link it PRIVATE everywhere.
add_library(sb_settings INTERFACE)
target_compile_options(
  sb_settings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                        -Woverloaded-virtual>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  # It takes every reference got from a function that was given a temporary for one into it.
  target_compile_options(sb_settings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-dangling-reference>)
endif()
if(SCALEBENCH_WERROR)
  target_compile_options(sb_settings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(SCALEBENCH_UNITY)
  # It takes the grouped files for headers.
  target_compile_options(sb_settings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
endif()
# g++ spends a tenth of a group of files on collecting its garbage. Without that a group takes up to 1 GB.
if(SCALEBENCH_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  cmake_host_system_information(RESULT sb_memory QUERY TOTAL_PHYSICAL_MEMORY)
  cmake_host_system_information(RESULT sb_processors QUERY NUMBER_OF_LOGICAL_CORES)
  math(EXPR sb_needed "1500 * (${sb_processors} + 2)") # ninja's jobs, in MB
  if(sb_memory GREATER sb_needed)
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-heapsize=1500000>")
  endif()
endif()
target_compile_definitions(sb_settings INTERFACE SB_VERSION="${PROJECT_VERSION}")

# Qt strictness for launcher and gui: no implicit conversions from char*.
add_library(sb_qt_settings INTERFACE)
target_link_libraries(sb_qt_settings INTERFACE sb_settings)
target_compile_definitions(sb_qt_settings INTERFACE QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII
                                                    QT_NO_URL_CAST_FROM_STRING QT_NO_KEYWORDS)

# Code that runs once, and templates of JSON and command lines: quick to build is all that counts. So for the
# launcher as a whole: what it spends on millions of records is spent in Qt (performance.md, "How long the build takes").
add_library(sb_cold_settings INTERFACE)
target_compile_options(sb_cold_settings INTERFACE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>)

# Test programs only check, in a release not optimised: what they check is compiled as users run it.
add_library(sb_test_settings INTERFACE)
target_compile_options(
  sb_test_settings INTERFACE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O0>
                             # Qt's folder of each test, which nothing here asks for, would make a precompiled header each.
                             $<$<COMPILE_LANGUAGE:CXX>:-UQT_TESTCASE_BUILDDIR> $<$<COMPILE_LANGUAGE:CXX>:-UQT_TESTCASE_SOURCEDIR>)

# What AUTOMOC runs in the place of Qt's moc. Called where Qt is found.
macro(sb_moc_alone)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/moc CONTENT "#!/bin/sh
exec '${CMAKE_SOURCE_DIR}/packaging/cmake/moc-alone' '$<TARGET_FILE:Qt6::moc>' \"$@\"
"
       FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endmacro()
function(sb_automoc)
  # No header is generated. With CMake's default a library's first file would wait until all those it links
  # are built: the launcher's storeys one after the other, a file each.
  set_target_properties(${ARGN} PROPERTIES AUTOMOC ON AUTOMOC_EXECUTABLE ${CMAKE_BINARY_DIR}/moc AUTOGEN_ORIGIN_DEPENDS OFF)
endfunction()
