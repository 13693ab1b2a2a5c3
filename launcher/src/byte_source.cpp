// SPDX-License-Identifier: GPL-3.0-or-later
#include "byte_source.h"

namespace scalebench {

QByteArray FileByteSource::read(qint64 maxBytes)
{
    if (!m_file.isOpen()) {
        m_file.setFileName(m_path);
        if (!m_file.open(QIODevice::ReadOnly | QIODevice::Unbuffered) || !m_file.seek(m_offset)) {
            m_file.close();
            return {};
        }
    }
    const QByteArray bytes = m_file.read(maxBytes);
    m_offset += bytes.size();
    return bytes;
}

} // namespace scalebench
