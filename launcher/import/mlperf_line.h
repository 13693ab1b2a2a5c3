// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One line of an MLPerf training log, of any generation:
//   :::MLPv0.5.0 resnet 1541720383.838 (train.py:12) key: json      v0.5; ": json" may be missing
//   :::MLL 1558640451.123 key: {"value": .., "metadata": {..}}      v0.6
//   :::MLLOG {"time_ms": .., "key": "..", "value": .., "metadata": {..}, ..}   v0.7 and later
// Anything may stand before the token (rank labels, progress bars, another token).

#include <QByteArray>
#include <QByteArrayView>
#include <QJsonObject>
#include <QJsonValue>
#include <QString>

namespace scalebench::imports {

enum class MlperfGeneration { V05, V06, V07 };

struct MlperfLine {
    enum class Kind {
        None,   ///< no token in it: other output
        Record, ///< a record, as below
        Broken  ///< a token, but what follows cannot be read: `problem`
    };
    Kind kind = Kind::None;
    MlperfGeneration generation = MlperfGeneration::V07;
    QByteArray record; ///< of v0.5: from the token on, for finding doubled lines
    QString benchmark; ///< v0.5 names it in every line
    double timeMs = 0; ///< since 1970
    bool own = false;  ///< of our own engine's namespace
    QString key;
    QJsonValue value; ///< Undefined: v0.5's key without one
    QJsonObject metadata;
    QString remark;  ///< what was mended: "a number is not finite"
    QString problem; ///< of a broken one, or one that MLPerf's own reader refuses, for people
};

/// Reads a line without its end. Bytes that are no UTF-8 are taken as Latin-1; NaN and infinities,
/// which Python writes into JSON, become null.
MlperfLine parseMlperfLine(QByteArrayView line);

} // namespace scalebench::imports
