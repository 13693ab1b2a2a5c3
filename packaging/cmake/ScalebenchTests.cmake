# SPDX-License-Identifier: GPL-3.0-or-later
# Test programs: sb_add_test(), and what joins several of them into one.

# What AUTOMOC would do, without its step and its file of includes for each of the many programs.
function(sb_test_mocs NAME)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${NAME}_moc)
  file(MAKE_DIRECTORY ${folder})
  foreach(source ${ARGN})
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    file(STRINGS ${path} included REGEX "^#include \".*[.]moc\"$")
    if(included)
      cmake_path(GET path STEM stem)
      set(alone ${CMAKE_SOURCE_DIR}/packaging/cmake/moc-alone)
      set(folders "$<TARGET_PROPERTY:${NAME},INCLUDE_DIRECTORIES>")
      set(definitions "$<TARGET_PROPERTY:${NAME},COMPILE_DEFINITIONS>")
      add_custom_command(
        OUTPUT ${folder}/${stem}.moc
        COMMAND ${alone} $<TARGET_FILE:Qt6::moc> "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
                "$<$<BOOL:${folders}>:-I$<JOIN:${folders},;-I>>" -o ${folder}/${stem}.moc ${path}
        DEPENDS ${alone} ${path}
        COMMAND_EXPAND_LISTS VERBATIM)
      target_include_directories(${NAME} PRIVATE ${folder})
      set_property(SOURCE ${path} APPEND PROPERTY OBJECT_DEPENDS ${folder}/${stem}.moc)
      set_property(GLOBAL APPEND PROPERTY SB_MOCS_OF_${NAME} ${folder}/${stem}.moc)
    endif()
  endforeach()
endfunction()

# Links the many test programs in a third of the time, where the system has it.
if(SCALEBENCH_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  find_program(SB_GOLD ld.gold)
  mark_as_advanced(SB_GOLD)
endif()

# What every test program has. KIND: the folder of tests/ that it comes from.
function(sb_test_program NAME KIND)
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_include_directories(${NAME} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(${NAME} PRIVATE sb_settings sb_test_settings Qt6::Core Qt6::Test ${ARGN})
  if(SB_GOLD)
    target_link_options(${NAME} PRIVATE -fuse-ld=gold)
  endif()
  target_compile_definitions(
    ${NAME} PRIVATE SB_SOURCE_DIR="${CMAKE_SOURCE_DIR}" SB_BIN_DIR="${CMAKE_BINARY_DIR}/bin")
  if(KIND MATCHES "kernels|engine")
    target_link_libraries(${NAME} PRIVATE OpenMP::OpenMP_CXX)
    sb_share_precompiled(sb_precompiled_engine_tests ${NAME})
  elseif(KIND STREQUAL "gui")
    sb_share_precompiled(sb_precompiled_gui_tests ${NAME})
  else()
    sb_share_precompiled(sb_precompiled_tests ${NAME})
  endif()
endfunction()

# A small test takes a second of processor time before its first line: headers that its neighbours read
# too, templates, a link. Joined, each is a namespace of one file (packaging/cmake/join-tests); the
# program does what it is called, so each test still has its name, in ctest, ninja and the build folder.
set(SB_JOINED_TESTS 48)
macro(sb_join_test KIND) # of sb_add_test(), with its variables
  set(late "")
  if("late" IN_LIST T_LABELS)
    set(late _late)
  endif()
  get_property(begun GLOBAL PROPERTY SB_JOINED_${KIND}${late})
  list(LENGTH begun count)
  math(EXPR count "${count} / ${SB_JOINED_TESTS} + 1")
  set(joined ${KIND}${late}_tests_${count})
  set_property(GLOBAL APPEND PROPERTY SB_JOINED_${KIND}${late} ${T_NAME})
  set_property(GLOBAL APPEND PROPERTY SB_JOINED_PROGRAMS ${joined})
  list(GET T_SOURCES 0 source)
  cmake_path(ABSOLUTE_PATH source NORMALIZE)
  set_property(GLOBAL APPEND PROPERTY SB_${joined}_TESTS ${T_NAME}=${source})
  set_property(GLOBAL PROPERTY SB_${joined}_KIND ${KIND})
  set_property(GLOBAL APPEND PROPERTY SB_${joined}_LIBS ${T_LIBS})
  set_property(GLOBAL APPEND PROPERTY SB_${joined}_DEFINITIONS ${T_DEFINITIONS})
  foreach(source ${T_SOURCES})
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    set_property(GLOBAL APPEND PROPERTY SB_${joined}_SOURCES ${source})
  endforeach()
  add_custom_target(${T_NAME})
endmacro()

# At the end of tests/, when all are known.
function(sb_finish_joined_tests)
  get_property(programs GLOBAL PROPERTY SB_JOINED_PROGRAMS)
  list(REMOVE_DUPLICATES programs)
  foreach(program ${programs})
    foreach(part TESTS KIND LIBS DEFINITIONS SOURCES)
      get_property(${part} GLOBAL PROPERTY SB_${program}_${part})
    endforeach()
    list(REMOVE_DUPLICATES SOURCES)
    set(main ${CMAKE_CURRENT_BINARY_DIR}/${program}.cpp)
    set(tested "")
    foreach(test ${TESTS})
      string(REGEX MATCH "^([^=]+)=(.*)$" test ${test})
      set(name ${CMAKE_MATCH_1})
      list(APPEND tested ${CMAKE_MATCH_2})
      file(CREATE_LINK ${program} ${CMAKE_BINARY_DIR}/tests/${name} SYMBOLIC)
    endforeach()
    set(script ${CMAKE_SOURCE_DIR}/packaging/cmake/join-tests)
    add_custom_command(
      OUTPUT ${main} COMMAND python3 ${script} ${main} ${TESTS} DEPENDS ${script} ${tested}
      COMMENT "Joining ${program}")
    list(REMOVE_ITEM SOURCES ${tested})
    add_executable(${program} ${main} ${SOURCES})
    sb_test_mocs(${program} ${tested} ${SOURCES})
    # The joined file is what includes them.
    get_property(mocs GLOBAL PROPERTY SB_MOCS_OF_${program})
    set_property(SOURCE ${main} APPEND PROPERTY OBJECT_DEPENDS ${mocs} ${tested})
    list(REMOVE_DUPLICATES LIBS)
    sb_test_program(${program} ${KIND} ${LIBS})
    target_compile_definitions(${program} PRIVATE ${DEFINITIONS})
    foreach(test ${TESTS})
      string(REGEX REPLACE "=.*" "" test ${test})
      add_dependencies(${test} ${program})
    endforeach()
  endforeach()
endfunction()

# sb_add_test(NAME <name> SOURCES <files> [LIBS <targets>] [DEFINITIONS <A=B ...>] [LABELS <labels>] [ENV <A=B ...>]
#             [TIMEOUT <seconds>] [ALONE] [COST <seconds>] [FAMILIES <list>...] [OWN])
# One Qt Test program. The time limit only ends a hang; it never judges speed. Tests run side by side,
# those of the highest COST first; ALONE: it needs the machine or the display for itself. FAMILIES: one
# test per entry, with SB_CUDA_FAMILIES set to it. The label "threads" puts it into what the thread
# sanitizer looks at (target thread_tests), "late" into what packaging/check builds while the others run:
# the target "early" is all that those need. With SCALEBENCH_UNITY tests of one folder are joined into
# programs (sb_join_test), but not one that is given more than the arguments here: OWN.
add_custom_target(thread_tests)
add_custom_target(early)
function(sb_add_test)
  cmake_parse_arguments(T "ALONE;OWN" "NAME;TIMEOUT;COST" "SOURCES;LIBS;DEFINITIONS;LABELS;ENV;FAMILIES" ${ARGN})
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${CMAKE_SOURCE_DIR}/tests OUTPUT_VARIABLE folder)
  string(REGEX MATCH "^[^/]+" kind ${folder})
  if(SCALEBENCH_UNITY AND NOT T_OWN)
    sb_join_test(${kind})
  else()
    add_executable(${T_NAME} ${T_SOURCES})
    sb_test_mocs(${T_NAME} ${T_SOURCES})
    sb_test_program(${T_NAME} ${kind} ${T_LIBS})
    target_compile_definitions(${T_NAME} PRIVATE ${T_DEFINITIONS})
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
  # Tests run side by side: they must not queue behind one another (SCALEBENCH_MACHINE_LOCKS), and a thread
  # that waits for others leaves its processor to other tests (OMP_WAIT_POLICY). hwloc, within mpirun, asks
  # every X server for its GPUs, and ends with it: that of a test of the window, say (HWLOC_COMPONENTS).
  # QtTest ends with 0 when everything was skipped; the line below turns that into a ctest skip.
  foreach(test ${tests})
    add_test(NAME ${test} COMMAND ${CMAKE_BINARY_DIR}/tests/${T_NAME})
    set_tests_properties(
      ${test}
      PROPERTIES TIMEOUT ${T_TIMEOUT} LABELS "${T_LABELS}" RUN_SERIAL ${T_ALONE} COST ${T_COST} ENVIRONMENT
                 "QTEST_FUNCTION_TIMEOUT=1800000;OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe;OMP_WAIT_POLICY=passive;HWLOC_COMPONENTS=-gl;SCALEBENCH_MACHINE_LOCKS=off;SCALEBENCH_PREPARED_DIR=off;${T_ENV};${families_${test}}"
                 SKIP_REGULAR_EXPRESSION "Totals: 2 passed, 0 failed, [1-9][0-9]* skipped")
  endforeach()
endfunction()
