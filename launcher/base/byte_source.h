// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where a follower gets its bytes: a growing file read by offset. A remote machine will be another
// implementation (`ssh host tail -c +N -F file`); the parser never knows.

#include <QByteArray>
#include <QFile>
#include <QString>

namespace scalebench {

class ByteSource
{
public:
    virtual ~ByteSource() = default;
    /// At most `maxBytes` that were not read before; empty when there is nothing new (yet).
    virtual QByteArray read(qint64 maxBytes) = 0;
    /// Bytes delivered so far: where a new source for the same file would have to begin.
    virtual qint64 offset() const = 0;
};

/// A local file that may not exist yet.
class FileByteSource : public ByteSource
{
public:
    explicit FileByteSource(QString path, qint64 offset = 0)
        : m_path(std::move(path)), m_offset(offset)
    {
    }

    QByteArray read(qint64 maxBytes) override;
    qint64 offset() const override { return m_offset; }

private:
    QString m_path;
    QFile m_file;
    qint64 m_offset = 0;
};

} // namespace scalebench
