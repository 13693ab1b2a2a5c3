// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/byte_source.h"

#include "base/file_io.h"

namespace scalebench {

QByteArray FileByteSource::read(qint64 maxBytes)
{
    if (!m_file.isOpen() && (!openOrdinaryFile(m_file, m_path) || !m_file.seek(m_offset))) {
        m_file.close();
        return {};
    }
    const QByteArray bytes = m_file.read(maxBytes);
    m_offset += bytes.size();
    return bytes;
}

} // namespace scalebench
