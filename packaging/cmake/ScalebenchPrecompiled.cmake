# SPDX-License-Identifier: GPL-3.0-or-later
# Precompiled headers. Reading Qt's and nlohmann-json's headers takes longer than compiling most files
# of ours, so the headers that many files use are read once for each group of targets. A file still
# includes all that it needs: builds with SCALEBENCH_PRECOMPILED=OFF (presets asan, tsan, tidy) prove it.
option(SCALEBENCH_PRECOMPILED "Read common headers once (faster builds)" ON)

# Executables are compiled as libraries are, so that both can share a precompiled header.
set(CMAKE_CXX_COMPILE_OPTIONS_PIE "-fPIC")

# sb_precompiled(NAME <name> HEADERS <headers> LIBS <targets>): what sb_share_precompiled() hands out.
# LIBS are the libraries whose compile settings its users have.
function(sb_precompiled)
  cmake_parse_arguments(P "" "NAME" "HEADERS;LIBS" ${ARGN})
  if(NOT SCALEBENCH_PRECOMPILED)
    return()
  endif()
  set(source ${CMAKE_BINARY_DIR}/${P_NAME}.cpp) # a target needs a source
  file(CONFIGURE OUTPUT ${source} CONTENT "// Holds the precompiled header @P_NAME@.\n" @ONLY)
  add_library(${P_NAME} OBJECT ${source})
  target_link_libraries(${P_NAME} PRIVATE ${P_LIBS})
  target_precompile_headers(${P_NAME} PRIVATE ${P_HEADERS})
endfunction()

function(sb_share_precompiled NAME)
  if(TARGET ${NAME})
    foreach(target ${ARGN})
      target_precompile_headers(${target} REUSE_FROM ${NAME})
    endforeach()
  endif()
endfunction()

# Source files with compile options of their own cannot use one.
function(sb_not_precompiled)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()

set(SB_STANDARD_HEADERS
    <algorithm>
    <array>
    <atomic>
    <chrono>
    <cmath>
    <cstdint>
    <cstring>
    <filesystem>
    <fstream>
    <functional>
    <map>
    <memory>
    <mutex>
    <optional>
    <set>
    <sstream>
    <span>
    <string>
    <thread>
    <unordered_map>
    <vector>)
set(SB_QT_CORE_HEADERS
    <QByteArray>
    <QCoreApplication>
    <QDateTime>
    <QDir>
    <QElapsedTimer>
    <QFile>
    <QFileInfo>
    <QHash>
    <QJsonArray>
    <QJsonDocument>
    <QJsonObject>
    <QList>
    <QLocale>
    <QMap>
    <QObject>
    <QProcess>
    <QRegularExpression>
    <QSet>
    <QStandardPaths>
    <QString>
    <QStringList>
    <QTimer>)
set(SB_QT_TEST_HEADERS <QSignalSpy> <QTemporaryDir> <QTest>)
set(SB_QT_WIDGETS_HEADERS
    <QAbstractTableModel>
    <QAction>
    <QApplication>
    <QComboBox>
    <QGridLayout>
    <QHBoxLayout>
    <QHeaderView>
    <QLabel>
    <QLineEdit>
    <QMainWindow>
    <QMenu>
    <QPainter>
    <QPushButton>
    <QTableView>
    <QToolButton>
    <QVBoxLayout>
    <QWidget>)
