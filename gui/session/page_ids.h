// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The pages that others lead to, by their id in pages/registry.cpp.

#include <QString>

namespace scalebench::page_id {

inline const QString kHome = QStringLiteral("home");
inline const QString kMachines = QStringLiteral("machines");
inline const QString kPlan = QStringLiteral("plan");
inline const QString kRun = QStringLiteral("run");
inline const QString kResults = QStringLiteral("results");
inline const QString kCompare = QStringLiteral("compare");
inline const QString kSettings = QStringLiteral("settings");
inline const QString kAdvice = QStringLiteral("advice");
inline const QString kVerify = QStringLiteral("verify");
inline const QString kScaling = QStringLiteral("scaling");

} // namespace scalebench::page_id
