// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `scalebench import --json`: what was read and where it was put.

#include "import/import_files.h"
#include "import/import_store.h"

#include <QJsonArray>
#include <QJsonObject>

#include <optional>

namespace scalebench::cli {

QJsonObject reportJson(const imports::ImportReport& report,
                       const std::optional<imports::StoreOutcome>& stored);
/// `bundles`: what was unpacked; left out where nothing was.
QJsonObject withBundles(QJsonObject report, const QJsonArray& bundles);

} // namespace scalebench::cli
