// SPDX-License-Identifier: GPL-3.0-or-later
#include "event_file.h"
#include "base/plain_text.h"
#include "base/translated.h"

#include <QtEndian>

#include <array>
#include <bit>
#include <cmath>
#include <optional>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kMostEventDefects = 100;
constexpr int kMostTags = 10'000;
constexpr qsizetype kMostFilePoints = 5'000'000; // of all tags
constexpr qsizetype kLongestTag = 500;

constexpr std::array<std::uint32_t, 256> makeTable()
{
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t c = i;
        for (int bit = 0; bit < 8; ++bit)
            c = (c & 1) != 0 ? (c >> 1) ^ 0x82f63b78u : c >> 1;
        table[i] = c;
    }
    return table;
}

template <typename T>
T littleEndian(QByteArrayView bytes)
{
    return qFromLittleEndian<T>(bytes.data());
}

float floatOf(std::uint32_t bits)
{
    return std::bit_cast<float>(bits);
}

/// The fields of one protobuf message, one after the other; ends at what cannot be one.
class ProtobufReader
{
public:
    explicit ProtobufReader(QByteArrayView bytes) : m_bytes(bytes) {}

    struct Field {
        int number = 0;
        int type = 0; ///< 0 varint, 1 of 8 bytes, 2 of a length, 5 of 4 bytes
        std::uint64_t number64 = 0;
        QByteArrayView bytes; ///< of type 2
    };
    std::optional<Field> next()
    {
        const auto key = varint();
        if (!key)
            return {};
        Field field{int(*key >> 3), int(*key & 7), 0, {}};
        if (*key >> 3 == 0 || *key >> 3 > 1 << 29)
            return {};
        switch (field.type) {
        case 0:
            return takeVarint(field);
        case 1:
            return takeFixed(field, 8);
        case 2:
            return takeBytes(field);
        case 5:
            return takeFixed(field, 4);
        default:
            return {};
        }
    }

private:
    std::optional<std::uint64_t> varint()
    {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64 && m_at < m_bytes.size(); shift += 7) {
            const auto byte = std::uint8_t(m_bytes[m_at++]);
            value |= std::uint64_t(byte & 0x7f) << shift;
            if ((byte & 0x80) == 0)
                return value;
        }
        return {};
    }
    std::optional<Field> takeVarint(Field field)
    {
        const auto value = varint();
        if (!value)
            return {};
        field.number64 = *value;
        return field;
    }
    std::optional<Field> takeFixed(Field field, qsizetype size)
    {
        if (m_bytes.size() - m_at < size)
            return {};
        const QByteArrayView bytes = m_bytes.sliced(m_at, size);
        field.number64 = size == 8 ? littleEndian<quint64>(bytes) : littleEndian<quint32>(bytes);
        m_at += size;
        return field;
    }
    std::optional<Field> takeBytes(Field field)
    {
        const auto size = varint();
        if (!size || *size > std::uint64_t(m_bytes.size() - m_at))
            return {};
        field.bytes = m_bytes.sliced(m_at, qsizetype(*size));
        m_at += qsizetype(*size);
        return field;
    }

    QByteArrayView m_bytes;
    qsizetype m_at = 0;
};

/// A TensorProto of one number: dtype 1 is float, 2 double; as a field of its own or as raw bytes.
std::optional<double> scalarTensor(QByteArrayView tensor)
{
    ProtobufReader reader(tensor);
    std::uint64_t type = 0;
    std::optional<double> value;
    QByteArrayView content;
    while (const auto field = reader.next()) {
        if (field->number == 1 && field->type == 0)
            type = field->number64;
        else if (field->number == 4 && field->type == 2)
            content = field->bytes;
        else if (field->number == 5 && field->type == 5)
            value = floatOf(std::uint32_t(field->number64));
        else if (field->number == 5 && field->type == 2 && field->bytes.size() == 4)
            value = floatOf(littleEndian<quint32>(field->bytes));
        else if (field->number == 6 && field->type == 1)
            value = std::bit_cast<double>(field->number64);
        else if (field->number == 6 && field->type == 2 && field->bytes.size() == 8)
            value = std::bit_cast<double>(littleEndian<quint64>(field->bytes));
    }
    if (!value && type == 1 && content.size() == 4)
        value = floatOf(littleEndian<quint32>(content));
    if (!value && type == 2 && content.size() == 8)
        value = std::bit_cast<double>(littleEndian<quint64>(content));
    return value;
}

struct Value {
    QString tag;
    std::optional<double> number;
};
/// Summary.Value: 1 tag, 2 simple_value, 8 tensor.
Value readValue(QByteArrayView message)
{
    ProtobufReader reader(message);
    Value value;
    while (const auto field = reader.next()) {
        if (field->number == 1 && field->type == 2)
            value.tag = visibleLine(
                QString::fromUtf8(field->bytes.first(std::min(field->bytes.size(), kLongestTag)))
                    .simplified());
        else if (field->number == 2 && field->type == 5)
            value.number = floatOf(std::uint32_t(field->number64));
        else if (field->number == 8 && field->type == 2)
            value.number = scalarTensor(field->bytes);
    }
    return value;
}

class EventReader
{
public:
    EventReader(QByteArrayView bytes, EventFile& file) : m_bytes(bytes), m_file(file) {}

    void read()
    {
        while (m_at < m_bytes.size() && readRecord()) {
        }
    }

private:
    void defect(const QString& text)
    {
        ++m_file.defectCount;
        if (m_file.defects.size() < kMostEventDefects)
            m_file.defects << LogDefect{m_file.records + 1, text};
    }

    /// False where nothing after it can be found.
    bool readRecord()
    {
        const qsizetype left = m_bytes.size() - m_at;
        if (left < 12) {
            defect(Launcher::tr("the file ends inside a record: it was cut off"));
            return false;
        }
        const QByteArrayView length = m_bytes.sliced(m_at, 8);
        if (littleEndian<quint32>(m_bytes.sliced(m_at + 8, 4)) != maskedCrc32c(length)) {
            defect(Launcher::tr(
                "the checksum of the record's length is wrong; the rest cannot be found"));
            return false;
        }
        const quint64 size = littleEndian<quint64>(length);
        if (size > quint64(left) || qsizetype(size) > left - 16) {
            defect(Launcher::tr("the file ends inside a record: it was cut off"));
            return false;
        }
        const QByteArrayView data = m_bytes.sliced(m_at + 12, qsizetype(size));
        const auto sum = littleEndian<quint32>(m_bytes.sliced(m_at + 12 + qsizetype(size), 4));
        m_at += 16 + qsizetype(size);
        if (sum != maskedCrc32c(data))
            defect(Launcher::tr("its checksum is wrong; it was left out"));
        else
            readEvent(data);
        ++m_file.records;
        return true;
    }

    /// Event: 1 wall_time (double), 2 step, 5 summary, whose 1 is the list of values.
    void readEvent(QByteArrayView message)
    {
        ProtobufReader reader(message);
        double seconds = 0;
        qint64 step = 0;
        QByteArrayView summary;
        while (const auto field = reader.next()) {
            if (field->number == 1 && field->type == 1)
                seconds = std::bit_cast<double>(field->number64);
            else if (field->number == 2 && field->type == 0)
                step = qint64(field->number64);
            else if (field->number == 5 && field->type == 2)
                summary = field->bytes;
        }
        const double ms =
            std::isfinite(seconds) && seconds > 0 && seconds < 4e9 ? seconds * 1000 : 0;
        ProtobufReader values(summary);
        while (const auto field = values.next()) {
            if (field->number != 1 || field->type != 2)
                continue;
            const Value value = readValue(field->bytes);
            if (value.number && !value.tag.isEmpty())
                add(value.tag, {step, ms, *value.number});
        }
    }

    void add(const QString& tag, const ScalarPoint& point)
    {
        if (!m_file.scalars.contains(tag) && m_file.scalars.size() >= kMostTags)
            return;
        if (++m_points <= kMostFilePoints)
            m_file.scalars[tag] << point;
    }

    QByteArrayView m_bytes;
    EventFile& m_file;
    qsizetype m_at = 0;
    qsizetype m_points = 0;
};

} // namespace

std::uint32_t crc32c(QByteArrayView bytes)
{
    static constexpr auto kTable = makeTable();
    std::uint32_t c = 0xffffffffu;
    for (const char byte : bytes)
        c = kTable[(c ^ std::uint8_t(byte)) & 0xff] ^ (c >> 8);
    return c ^ 0xffffffffu;
}

std::uint32_t maskedCrc32c(QByteArrayView bytes)
{
    const std::uint32_t crc = crc32c(bytes);
    return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

Result<EventFile> parseEventFile(const QByteArray& bytes, const QString& fileName)
{
    EventFile file;
    EventReader(bytes, file).read();
    if (file.records == 0)
        return Failure{
            u"event_damaged"_s,
            Launcher::tr("%1 is no TensorBoard event file, or its first record is damaged.")
                .arg(fileName)};
    return file;
}

} // namespace scalebench::imports
