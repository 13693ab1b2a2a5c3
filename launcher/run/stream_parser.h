// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Incremental reader of the results stream (resources/protocol/results_stream.md). Bytes in any
// portions in, deltas out; torn lines wait for their rest. No I/O.

#include "run/run_record.h"

#include <QByteArray>
#include <QByteArrayView>

namespace scalebench {

class StreamParser
{
public:
    /// Parses every complete line; the rest is kept for the next call.
    RunDelta feed(QByteArrayView bytes);
    qint64 bytesConsumed() const { return m_bytes; } ///< fed so far, the unfinished line included

private:
    void parseLine(QByteArrayView line, RunDelta& delta);
    void parseOurRecord(const QString& key, const QJsonValue& value, double timeMs,
                        RunDelta& delta);
    void parseMlperfRecord(const QString& key, const QJsonValue& value, const QJsonObject& metadata,
                           double timeMs, RunDelta& delta);

    QByteArray m_rest;
    qint64 m_bytes = 0;
    qint64 m_nextSequence = 0;
    double m_runStartMs = 0;
    int m_resumes = 0;
    double m_epoch = 0;
    qint64 m_samples = 0, m_step = 0; ///< of the last step
    qint64 m_globalBatch = 0;
    int m_evaluatedEpoch = 0; ///< the last whole one whose evaluation told its samples
};

} // namespace scalebench
