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
target_compile_definitions(sb_settings INTERFACE SB_VERSION="${PROJECT_VERSION}")

# Qt strictness for launcher and gui: no implicit conversions from char*.
add_library(sb_qt_settings INTERFACE)
target_link_libraries(sb_qt_settings INTERFACE sb_settings)
target_compile_definitions(sb_qt_settings INTERFACE QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII
                                                    QT_NO_URL_CAST_FROM_STRING QT_NO_KEYWORDS)

# Code that runs once, and templates of JSON and command lines: quick to build is all that counts.
add_library(sb_cold_settings INTERFACE)
target_compile_options(sb_cold_settings INTERFACE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>)

# Test programs only check, in a release not optimised: what they check is compiled as users run it.
add_library(sb_test_settings INTERFACE)
target_compile_options(
  sb_test_settings INTERFACE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O0>
                             # Qt's folder of each test, which nothing here asks for, would make a precompiled header each.
                             $<$<COMPILE_LANGUAGE:CXX>:-UQT_TESTCASE_BUILDDIR> $<$<COMPILE_LANGUAGE:CXX>:-UQT_TESTCASE_SOURCEDIR>)

# sb_add_test(NAME <name> SOURCES <files> [LIBS <targets>] [LABELS <labels>] [ENV <A=B ...>]
#             [TIMEOUT <seconds>] [ALONE] [COST <seconds>] [FAMILIES <list>...])
# One Qt Test program. The time limit only ends a hang; it never judges speed. Tests run side by side,
# those of the highest COST first; ALONE: it needs the machine or the display for itself. FAMILIES: one
# test per entry, with SB_CUDA_FAMILIES set to it. The label "threads" puts it into what the thread
# sanitizer looks at (target thread_tests), "late" into what packaging/check builds while the others run:
# the target "early" is all that those need.
# What AUTOMOC would do, without its step and its file of includes for each of the many programs.
function(sb_test_mocs NAME)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${NAME}_moc)
  foreach(source ${ARGN})
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    file(STRINGS ${path} included REGEX "^#include \".*[.]moc\"$")
    if(included)
      cmake_path(GET path STEM stem)
      qt6_generate_moc(${path} ${folder}/${stem}.moc TARGET ${NAME})
      target_include_directories(${NAME} PRIVATE ${folder})
      set_property(SOURCE ${path} APPEND PROPERTY OBJECT_DEPENDS ${folder}/${stem}.moc)
    endif()
  endforeach()
endfunction()

add_custom_target(thread_tests)
add_custom_target(early)
function(sb_add_test)
  cmake_parse_arguments(T "ALONE" "NAME;TIMEOUT;COST" "SOURCES;LIBS;LABELS;ENV;FAMILIES" ${ARGN})
  add_executable(${T_NAME} ${T_SOURCES})
  set_target_properties(${T_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_include_directories(${T_NAME} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  sb_test_mocs(${T_NAME} ${T_SOURCES})
  target_link_libraries(${T_NAME} PRIVATE sb_settings sb_test_settings Qt6::Core Qt6::Test ${T_LIBS})
  target_compile_definitions(
    ${T_NAME} PRIVATE SB_SOURCE_DIR="${CMAKE_SOURCE_DIR}" SB_BIN_DIR="${CMAKE_BINARY_DIR}/bin")
  if(CMAKE_CURRENT_SOURCE_DIR MATCHES "tests/(kernels|engine)")
    target_link_libraries(${T_NAME} PRIVATE OpenMP::OpenMP_CXX)
    sb_share_precompiled(sb_precompiled_engine_tests ${T_NAME})
  elseif(CMAKE_CURRENT_SOURCE_DIR MATCHES "tests/gui")
    sb_share_precompiled(sb_precompiled_gui_tests ${T_NAME})
  else()
    sb_share_precompiled(sb_precompiled_tests ${T_NAME})
  endif()
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 1500) # a guard against hangs: seven tests at a time share what cores there are
  endif()
  if(NOT T_COST) # those over hosts, then those of several processes, wait longest
    set(T_COST 0)
    if("cluster" IN_LIST T_LABELS)
      set(T_COST 200)
    elseif("mpi" IN_LIST T_LABELS)
      set(T_COST 100)
    endif()
  endif()
  if("threads" IN_LIST T_LABELS)
    add_dependencies(thread_tests ${T_NAME})
  endif()
  if(NOT "late" IN_LIST T_LABELS)
    add_dependencies(early ${T_NAME})
  endif()
  set(tests ${T_NAME})
  set(number 0)
  if(T_FAMILIES)
    set(tests "")
  endif()
  foreach(families ${T_FAMILIES})
    math(EXPR number "${number} + 1")
    list(APPEND tests ${T_NAME}_${number})
    set(families_${T_NAME}_${number} "SB_CUDA_FAMILIES=${families}")
  endforeach()
  # Tests run side by side and must not queue behind one another (SCALEBENCH_MACHINE_LOCKS).
  # QtTest ends with 0 when everything was skipped; the line below turns that into a ctest skip.
  foreach(test ${tests})
    add_test(NAME ${test} COMMAND ${T_NAME})
    set_tests_properties(
      ${test}
      PROPERTIES TIMEOUT ${T_TIMEOUT} LABELS "${T_LABELS}" RUN_SERIAL ${T_ALONE} COST ${T_COST} ENVIRONMENT
                 "QTEST_FUNCTION_TIMEOUT=1800000;OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe;SCALEBENCH_MACHINE_LOCKS=off;SCALEBENCH_PREPARED_DIR=off;${T_ENV};${families_${test}}"
                 SKIP_REGULAR_EXPRESSION "Totals: 2 passed, 0 failed, [1-9][0-9]* skipped")
  endforeach()
endfunction()
