// SPDX-License-Identifier: GPL-3.0-or-later
// The translations: whole, with the same holes as the sources, and in step with them; what files
// hold in English is shown in the window's language, and files stay English.
#include "base/file_io.h"
#include "base/translated.h"
#include "settings/language.h"
#include "settings/sentence_match.h"
#include "settings/workbench_init.h"
#include "study/workload_catalog.h"

#include <QDir>
#include <QDomDocument>
#include <QFile>
#include <QLocale>
#include <QProcess>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <clocale>

using namespace scalebench;

namespace {

struct Message {
    QString context, source, state;
    QStringList translations; ///< one, or one per plural
    bool plural = false;
};

QList<Message> messagesOf(const QString& path)
{
    QFile file(path);
    QDomDocument document;
    if (!file.open(QIODevice::ReadOnly) || !document.setContent(&file))
        return {};
    QList<Message> messages;
    const QDomNodeList all = document.elementsByTagName(QStringLiteral("message"));
    for (int i = 0; i < all.size(); ++i) {
        const QDomElement element = all.at(i).toElement();
        const QDomElement translation = element.firstChildElement(QStringLiteral("translation"));
        Message message{element.parentNode().firstChildElement(QStringLiteral("name")).text(),
                        element.firstChildElement(QStringLiteral("source")).text(),
                        translation.attribute(QStringLiteral("type")),
                        {},
                        element.attribute(QStringLiteral("numerus")) == QLatin1String("yes")};
        for (QDomElement form = translation.firstChildElement(QStringLiteral("numerusform"));
             !form.isNull(); form = form.nextSiblingElement())
            message.translations << form.text();
        if (!message.plural)
            message.translations << translation.text();
        messages << message;
    }
    return messages;
}

QStringList holesOf(const QString& text)
{
    static const QRegularExpression kHole(QStringLiteral("%(L?[1-9]|n)"));
    QStringList holes;
    for (const QRegularExpressionMatch& match : kHole.globalMatch(text))
        if (!holes.contains(match.captured()))
            holes << match.captured();
    holes.sort();
    return holes;
}

QString folder()
{
    return QStringLiteral(SB_SOURCE_DIR "/resources/translations");
}

} // namespace

class TranslationsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initWorkbench(); }
    void cleanup() { applyLanguage(QStringLiteral("en")); }

    void wholeWithTheSameHoles_data() { addFiles(); }
    void wholeWithTheSameHoles()
    {
        QFETCH(QString, file);
        const QList<Message> messages = messagesOf(file);
        QVERIFY(messages.size() > 2000);
        QStringList wrong;
        for (const Message& message : messages) {
            if (!message.state.isEmpty()) // unfinished, vanished, obsolete
                wrong << QStringLiteral("%1: %2").arg(message.state, message.source);
            for (const QString& one : message.translations) {
                if (one.isEmpty() || one.startsWith(u' ') != message.source.startsWith(u' '))
                    wrong << QStringLiteral("empty, or blanks: %1").arg(message.source);
                if (holesOf(one) != holesOf(message.source))
                    wrong << QStringLiteral("holes: %1 / %2").arg(message.source, one);
                if (one.contains(QLatin1String("amp;"))) // written as in the file, and taken so
                    wrong << QStringLiteral("escaped twice: %1").arg(one);
                if (one.count(u'&') != message.source.count(u'&'))
                    wrong << QStringLiteral("mnemonic: %1 / %2").arg(message.source, one);
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
    }

    /// What the sources say now is what was translated: nothing new, nothing gone.
    void inStepWithTheSources()
    {
        const QTemporaryDir dir;
        QProcess process;
        process.start(QStringLiteral(SB_SOURCE_DIR "/packaging/update-translations"),
                      {QStringLiteral("--into"), dir.path()});
        QVERIFY(process.waitForFinished(120'000));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        for (const QString& name : QDir(folder()).entryList({QStringLiteral("*.ts")})) {
            QStringList before, after;
            for (const Message& message : messagesOf(folder() + u'/' + name))
                before << message.context + u'|' + message.source;
            for (const Message& message : messagesOf(dir.filePath(name)))
                after << message.context + u'|' + message.source;
            QStringList added = after, gone = before;
            added.removeIf([&](const QString& one) { return before.contains(one); });
            gone.removeIf([&](const QString& one) { return after.contains(one); });
            QVERIFY2(added.isEmpty() && gone.isEmpty(),
                     qPrintable(QStringLiteral("packaging/update-translations brings it up to "
                                               "date.\nnew: %1\ngone: %2")
                                    .arg(added.join(u'\n'), gone.join(u'\n'))));
        }
    }

    void germanIsChosen()
    {
        QVERIFY(languages().contains(QStringLiteral("de")));
        QCOMPARE(languageTitle(QStringLiteral("de")), QStringLiteral("Deutsch"));
        QCOMPARE(languageFor(QStringLiteral("no such")), QStringLiteral("en"));
        applyLanguage(QStringLiteral("de"));
        QCOMPARE(Launcher::tr("Learning rate"), QStringLiteral("Lernrate"));
        QCOMPARE(Launcher::tr("%n run(s)", nullptr, 1), QStringLiteral("1 Lauf"));
        QCOMPARE(Launcher::tr("%n run(s)", nullptr, 3), QStringLiteral("3 Läufe"));
        QCOMPARE(QLocale().toString(1.5), QStringLiteral("1,5"));
        QCOMPARE(recipeText(QStringLiteral("Image classification")),
                 QStringLiteral("Bildklassifikation"));
        QCOMPARE(recipeText(QStringLiteral("one's own")), QStringLiteral("one's own"));
    }

    void qtSpeaksItToo()
    {
        applyLanguage(QStringLiteral("de"));
        // Buttons of dialogs in any case; menus of fields where its translation is installed.
        QCOMPARE(QCoreApplication::translate("QPlatformTheme", "Cancel"),
                 QStringLiteral("Abbrechen"));
        if (QCoreApplication::translate("QLineEdit", "Select All") == QLatin1String("Select All"))
            QSKIP("Qt's own translations are not installed here");
        QCOMPARE(QCoreApplication::translate("QLineEdit", "Select All"),
                 QStringLiteral("Alles auswählen"));
    }

    void filesStayEnglish()
    {
        applyLanguage(QStringLiteral("de"));
        {
            const EnglishText english;
            QCOMPARE(Launcher::tr("Learning rate"), QStringLiteral("Learning rate"));
            QCOMPARE(Launcher::tr("%n run(s)", nullptr, 3), QStringLiteral("3 runs"));
        }
        QCOMPARE(Launcher::tr("Learning rate"), QStringLiteral("Lernrate"));
        QCOMPARE(englishText(QStringLiteral("Lernrate")), QStringLiteral("Learning rate"));
        QCOMPARE(englishText(QStringLiteral("resnet")), QStringLiteral("resnet"));
    }

    /// "2 worker" stood in files: sentences with a count were not among those looked for.
    void countsFindTheirPlural()
    {
        applyLanguage(QStringLiteral("de"));
        for (const int n : {1, 2, 64}) {
            QString english;
            {
                const EnglishText on;
                english = Launcher::tr("%n run(s)", nullptr, n);
            }
            const QString shown = Launcher::tr("%n run(s)", nullptr, n);
            QVERIFY(shown != english);
            QCOMPARE(englishText(shown), english);
            QCOMPARE(shownText(english), shown);
        }
        const SentenceMatch match(
            {{QStringLiteral("%n Worker auf %1"), QStringLiteral("%n worker(s) on %1")}});
        QCOMPARE(match.apply(QStringLiteral("1 Worker auf n1")), QStringLiteral("1 worker on n1"));
        QCOMPARE(match.apply(QStringLiteral("2 Worker auf n1")), QStringLiteral("2 workers on n1"));
        QCOMPARE(match.apply(QStringLiteral("zwei Worker auf n1")),
                 QStringLiteral("zwei Worker auf n1"));
    }

    /// Every sentence of the launcher that may stand in a file, its holes filled.
    void storedSentencesAreShown()
    {
        applyLanguage(QStringLiteral("de"));
        const auto filled = [](QString text) {
            for (int i = 1; i <= 9; ++i)
                text.replace(QStringLiteral("%%1").arg(i), QStringLiteral("<x%1>").arg(i));
            return text;
        };
        // Where one hole ends and the next begins cannot be told of words made up.
        static const QRegularExpression adjacent(QStringLiteral("%[1-9] ?%[1-9]"));
        int sentences = 0;
        for (const Message& message : messagesOf(folder() + QStringLiteral("/scalebench_de.ts"))) {
            if (message.context != QLatin1String("Launcher") || message.plural ||
                !message.source.endsWith(u'.') || message.source.size() < 30 ||
                message.source.contains(QLatin1String("%L")) ||
                adjacent.match(message.source).hasMatch())
                continue;
            ++sentences;
            QCOMPARE(shownText(filled(message.source)), filled(message.translations[0]));
        }
        QVERIFY(sentences > 400);
    }

    void storedNumbersAreTheWindows()
    {
        applyLanguage(QStringLiteral("de"));
        const auto locale = qScopeGuard([before = QLocale()] { QLocale::setDefault(before); });
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        const QString shown = shownText(
            QStringLiteral("Ended at 15.4 % (best 16.9 %), target 88 %: kept as not converged."));
        QVERIFY2(shown.contains(QStringLiteral("15,4 % (")), qPrintable(shown));
        QVERIFY2(!shown.contains(QLatin1String("16.9")), qPrintable(shown));
        // Of other programs, and versions.
        for (const char* same : {"libfoo 1.5 s", "took 1.5 s"})
            QCOMPARE(shownText(QLatin1String(same)), QLatin1String(same));
        QVERIFY(shownText(QStringLiteral("no NVIDIA driver: libcuda.so.1 not found"))
                    .contains(QLatin1String("libcuda.so.1")));
        QVERIFY(shownText(QStringLiteral("no NVIDIA driver: libcuda.so.1 not found")) !=
                QLatin1String("no NVIDIA driver: libcuda.so.1 not found"));
    }

    void storedSentencesInARow()
    {
        applyLanguage(QStringLiteral("de"));
        QCOMPARE(
            shownText(QStringLiteral("Rank 3 on node2 was killed (signal 9, for example by "
                                     "the system when memory is full) at epoch 2.5; 2 "
                                     "complete epochs are kept. Its last line: epoch 2")),
            QStringLiteral("Rang 3 auf node2 wurde beendet (Signal 9, zum Beispiel vom "
                           "System, wenn der Arbeitsspeicher voll ist) in Epoche 2.5; 2 "
                           "vollständige Epochen blieben erhalten. Die letzte Zeile: epoch 2"));
        QCOMPARE(shownText(QStringLiteral("words of another program")),
                 QStringLiteral("words of another program"));
    }

    /// Never the desktop's language beside the window's: English below, the common ones translated.
    void theSystemsWordsAreTranslated()
    {
        QCOMPARE(QString::fromUtf8(::setlocale(LC_MESSAGES, nullptr)), QStringLiteral("C"));
        const QString english = writeFailure(QStringLiteral("/a"), EACCES).message;
        QVERIFY2(english.contains(QStringLiteral(": Permission denied.")), qPrintable(english));
        applyLanguage(QStringLiteral("de"));
        const QString german = writeFailure(QStringLiteral("/a"), EACCES).message;
        QVERIFY2(german.contains(QStringLiteral(": Zugriff verweigert.")), qPrintable(german));
        QCOMPARE(shownText(english), german);
        QCOMPARE(systemText(QStringLiteral("execvp: No such file or directory")),
                 QStringLiteral("execvp: Datei oder Ordner nicht gefunden"));
    }

    void aSentenceIsFoundByItsHoles()
    {
        const SentenceMatch match(
            {{QStringLiteral("%1 of %2 is gone."), QStringLiteral("Weg: %2, %1.")},
             {QStringLiteral("the disk"), QStringLiteral("die Platte")},
             {QStringLiteral("%1: %2"), QStringLiteral("no")}});
        QCOMPARE(match.apply(QStringLiteral("the disk of %1 is gone.")),
                 QStringLiteral("Weg: %1, die Platte."));
        QCOMPARE(match.apply(QStringLiteral("a: b")), QStringLiteral("a: b"));
        QCOMPARE(match.apply(QStringLiteral("the disk of n1 is gone. the disk of n2 is gone.")),
                 QStringLiteral("Weg: n1, die Platte. Weg: n2, die Platte."));
    }

private:
    static void addFiles()
    {
        QTest::addColumn<QString>("file");
        for (const QFileInfo& file : QDir(folder()).entryInfoList({QStringLiteral("*.ts")}))
            QTest::newRow(qPrintable(file.fileName())) << file.filePath();
    }
};

QTEST_MAIN(TranslationsTest)
#include "translations_test.moc"
