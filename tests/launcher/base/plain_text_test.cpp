// SPDX-License-Identifier: GPL-3.0-or-later
// Text of others in the terminal, in spreadsheets and on the clipboard.
#include "base/plain_text.h"

#include <QTest>

using namespace scalebench;
using namespace Qt::Literals::StringLiterals;

class PlainTextTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void controlCharactersAreShown()
    {
        QCOMPARE(visibleText(u"a\x1b[2J\u202eb\n\tc"_s), u"a\\x1b[2J\\u202eb\n\tc"_s);
        QCOMPARE(visibleLine(u"a\nb\tc"_s), u"a\\x0ab\\x09c"_s);
    }

    /// One cell each, whatever is in it: else the columns behind it move.
    void cellsOfTheClipboard_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("cell");
        const auto row = [](const QString& text, const QString& cell) {
            QTest::newRow(qPrintable(text.toHtmlEscaped())) << text << cell;
        };
        row(u"plain text"_s, u"plain text"_s);
        row(u"a\tb"_s, u"a b"_s);
        row(u"a\nb"_s, u"a b"_s);
        row(u"a\r\nb"_s, u"a  b"_s);
        row(u"\ta\t"_s, u" a "_s);
        row(u"a\x1b[31m"_s, u"a\\x1b[31m"_s);
        row(u"=SUM(A1)"_s, u"'=SUM(A1)"_s);
        row(u"\t=SUM(A1)"_s, u"' =SUM(A1)"_s);
        row(u"-1.5e-3"_s, u"-1.5e-3"_s);
        row(u"-1+cmd"_s, u"'-1+cmd"_s);
        row(QString(), QString());
    }
    void cellsOfTheClipboard()
    {
        QFETCH(QString, text);
        QFETCH(QString, cell);
        QCOMPARE(tsvField(text), cell);
    }
};

QTEST_GUILESS_MAIN(PlainTextTest)
#include "plain_text_test.moc"
