// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks JSON against a schema, so that what is published is what is checked. The part of draft
// 2020-12 that our schemas use: type, enum, const, minimum, maximum, pattern, maxLength,
// properties, required, additionalProperties, propertyNames, minProperties, maxProperties, items,
// minItems, maxItems, anyOf, allOf, not, if with then, $ref to $defs, and true or false as a
// schema. A schema's `title` says what is allowed, for messages.

#include "base/result.h"

#include <QJsonObject>
#include <QJsonValue>
#include <QString>

namespace scalebench {

/// The first thing that does not fit, as "$.scales.desk.epochs must be a whole number from 1 to
/// 100000, found the text \"x\"."; empty where all fits. Texts with control characters never fit.
QString schemaProblem(const QJsonValue& value, const QJsonObject& schema);

} // namespace scalebench
