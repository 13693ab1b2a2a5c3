// SPDX-License-Identifier: GPL-3.0-or-later
// What is written is RFC 4180, byte by byte; numbers read back exactly.
#include "base/csv_writer.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace scalebench;
using namespace Qt::Literals::StringLiterals;

class CsvWriterTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void fields()
    {
        CsvWriter csv({u"name"_s, u"a,b"_s});
        csv.add(u"say \"hi\""_s).add(1.5);
        csv.endRow();
        csv.add(u"two\nlines"_s).add(true);
        csv.endRow();
        csv.addRow({QString(), u"=SUM(A1)"_s});
        csv.add(std::nan("")).add(std::numeric_limits<double>::infinity());
        csv.endRow();
        csv.add(-7).add(std::numeric_limits<quint64>::max());
        csv.endRow();
        QCOMPARE(csv.text(), QByteArray("name,\"a,b\"\r\n"
                                        "\"say \"\"hi\"\"\",1.5\r\n"
                                        "\"two\nlines\",true\r\n"
                                        ",\"'=SUM(A1)\"\r\n"
                                        ",\r\n"
                                        "-7,18446744073709551615\r\n"));
    }

    void numbersReadBack_data()
    {
        QTest::addColumn<double>("value");
        for (const double value : {0.1, 1.0 / 3, 1e300, 5e-324, -2.5, 123456789.123456789, 0.0})
            QTest::addRow("%.17g", value) << value;
    }
    void numbersReadBack()
    {
        QFETCH(double, value);
        QLocale::setDefault(QLocale(QLocale::German)); // files know no locale
        CsvWriter csv({u"x"_s});
        csv.add(value).endRow();
        QLocale::setDefault(QLocale::c());
        QCOMPARE(csv.text().split('\n')[1].trimmed().toDouble(), value);
    }
};

QTEST_GUILESS_MAIN(CsvWriterTest)
#include "csv_writer_test.moc"
