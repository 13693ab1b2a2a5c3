// SPDX-License-Identifier: GPL-3.0-or-later
// Every error code of the program has a page, in every language. The codes are found in the sources
// and in the protocols, where the engine's and the pre-flight's stand.
#include "base/help_pages.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace scalebench;
using namespace Qt::Literals::StringLiterals;

namespace {

QString read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString root()
{
    return QStringLiteral(SB_SOURCE_DIR);
}

/// What looks like a code and is another name: of menus, files and fields.
const QSet<QString>& otherNames()
{
    static const QSet<QString> names{u"import_remark"_s, u"speedup_table"_s};
    return names;
}

/// {u"code"_s, sentence}, Failure{…, fail(…, cells.problem(test, …, code = … : how the launcher and
/// the window's session make failures.
QMap<QString, QString> codesOfSources()
{
    const QString name = u"([a-z][a-z0-9]*(?:_[a-z0-9]+)+)"_s;
    const QString literal = u"(?:u\"%1\"_s|QStringLiteral\\(\"%1\"\\)|\"%1\")"_s.arg(name);
    const QRegularExpression patterns[] = {
        QRegularExpression(u"Failure(?:\\s+\\w+)?\\s*[({]\\s*%1"_s.arg(literal)),
        QRegularExpression(u"[{(,?:]\\s*%1\\s*,\\s*(?:[A-Za-z]+::)?tr\\("_s.arg(literal)),
        QRegularExpression(
            u"\\b(?:fail|problem|warning|refuse|ended|beginFailure)\\((?:[^()\"]*,)?\\s*"
            "(?:u\"\\w+\"_s,\\s*)?%1\\s*[,)]"_s.arg(literal)),
        QRegularExpression(u"\\bcode\\s*=\\s*%1"_s.arg(literal))};
    QMap<QString, QString> found;
    for (const QString& folder : {u"/launcher"_s, u"/gui/session"_s, u"/gui/charts"_s}) {
        QDirIterator it(root() + folder, {u"*.cpp"_s, u"*.h"_s}, QDir::Files,
                        QDirIterator::Subdirectories);
        while (it.hasNext()) {
            const QString file = it.next();
            // Figures and dimensions name quantities in the same form.
            if (file.contains("/figures/"_L1) || file.endsWith("/dimensions.cpp"_L1))
                continue;
            const QString text = read(file);
            for (const QRegularExpression& pattern : patterns) {
                auto matches = pattern.globalMatch(text);
                while (matches.hasNext()) {
                    const auto match = matches.next();
                    const QString code = match.captured(match.lastCapturedIndex());
                    if (!otherNames().contains(code))
                        found.insert(code, file.mid(root().size() + 1));
                }
            }
        }
    }
    return found;
}

QMap<QString, QString> codesIn(const QString& file, const QString& part, const QString& before = {})
{
    static const QRegularExpression kCode(u"`([a-z0-9_]+)`"_s);
    QMap<QString, QString> found;
    auto matches = kCode.globalMatch(before.isEmpty() ? part : part.section(before, 0, 0));
    while (matches.hasNext())
        found.insert(matches.next().captured(1), file);
    return found;
}

/// The columns behind the test's own name.
QMap<QString, QString> codesOfPreflight()
{
    const QString file = u"resources/protocol/preflight.md"_s;
    QMap<QString, QString> found;
    for (const QString& line : read(root() + u'/' + file).split(u'\n')) {
        if (!line.startsWith("| `"_L1))
            continue;
        found.insert(codesIn(file, line.section(u'|', 2)));
        if (line.startsWith("| `peers`"_L1)) { // a prefix and the code of another row
            found.remove(u"peer_"_s);
            for (const QString& row : {u"ssh"_s, u"host_key"_s, u"login"_s})
                found.remove(row);
        }
    }
    return found;
}

QMap<QString, QString> codesOfEngine()
{
    const QString file = u"resources/protocol/results_stream.md"_s;
    const QString text = read(root() + u'/' + file);
    const qsizetype begin = text.indexOf("`error` codes of the engine:"_L1);
    if (begin < 0)
        return {};
    return codesIn(file, text.mid(begin + 8, text.indexOf("\n\n"_L1, begin) - begin - 8));
}

} // namespace

class HelpPagesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyCodeHasAPage_data()
    {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << u"en"_s;
        QTest::newRow("German") << u"de"_s;
    }

    void everyCodeHasAPage()
    {
        QFETCH(QString, language);
        const auto sources = codesOfSources(), preflight = codesOfPreflight(),
                   engine = codesOfEngine();
        QVERIFY2(sources.size() > 180, "the sources' codes are no longer found");
        QVERIFY2(preflight.size() > 50, "the pre-flight's table has another form");
        QVERIFY2(engine.size() > 18, "the engine's list has another form");
        QMap<QString, QString> all = sources;
        all.insert(preflight);
        all.insert(engine);
        QStringList without;
        for (auto it = all.begin(); it != all.end(); ++it)
            if (!helpOnError(it.key(), language))
                without << u"%1 (%2)"_s.arg(it.key(), it.value());
        QVERIFY2(without.isEmpty(), qPrintable(u"no page: "_s + without.join(u", "_s)));
    }

    /// No word stands for a code that nothing says any more.
    void everyPageIsOnSomething()
    {
        QString all = read(root() + u"/resources/protocol/results_stream.md"_s);
        for (const QString& folder : {u"/launcher"_s, u"/gui"_s}) {
            QDirIterator it(root() + folder, {u"*.cpp"_s, u"*.h"_s}, QDir::Files,
                            QDirIterator::Subdirectories);
            while (it.hasNext())
                all += read(it.next());
        }
        QStringList unknown;
        for (const HelpPage& page : helpPages(u"en"_s))
            for (const QString& code : page.codes)
                if (!all.contains(u'"' + code + u'"') && !all.contains(u'`' + code + u'`') &&
                    !(code.startsWith("peer_"_L1) && all.contains(u'"' + code.mid(5) + u'"')))
                    unknown << code;
        QVERIFY2(unknown.isEmpty(), qPrintable(unknown.join(u", "_s)));
    }

    void languagesAgree()
    {
        const auto english = helpPages(u"en"_s), german = helpPages(u"de"_s);
        QCOMPARE(german.size(), english.size());
        QSet<QString> seen;
        for (qsizetype i = 0; i < english.size(); ++i) {
            QCOMPARE(german[i].codes, english[i].codes);
            for (const HelpPage* page : {&english[i], &german[i]}) {
                QVERIFY2(!page->chapter.isEmpty() && !page->title.isEmpty(),
                         qPrintable(page->text));
                QVERIFY2(page->text.size() > 40, qPrintable(page->title));
                QVERIFY2(!page->text.contains("\n#"_L1), qPrintable(page->title));
            }
            QVERIFY2(english[i].text != german[i].text, qPrintable(english[i].title));
            for (const QString& code : english[i].codes) {
                QVERIFY2(!seen.contains(code), qPrintable(code + u" has two pages"_s));
                seen << code;
            }
        }
        QCOMPARE(helpPages(u"fr"_s).size(), english.size()); // in English, then
        QVERIFY(!helpOnError(u"no_such_code"_s, u"en"_s));
    }
};

QTEST_GUILESS_MAIN(HelpPagesTest)
#include "help_pages_test.moc"
