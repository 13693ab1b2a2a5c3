// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/language.h"

#include "base/per_language.h"
#include "base/translated.h"
#include "settings/sentence_match.h"

#include <QDir>
#include <QFile>
#include <QLibraryInfo>
#include <QLocale>
#include <QMutex>
#include <QRegularExpression>
#include <QTranslator>
#include <QXmlStreamReader>

#include <memory>
#include <optional>

namespace scalebench {

namespace {

const QString kFolder = QStringLiteral(":/scalebench/translations");
const QString kPrefix = QStringLiteral("scalebench_");
const QLatin1String kPlural("(s)");

/// Of dialogs, which Qt's own translation has where that is installed.
[[maybe_unused]] const char* const kStandardButtons[] = {
    QT_TRANSLATE_NOOP("QPlatformTheme", "OK"),     QT_TRANSLATE_NOOP("QPlatformTheme", "Save"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Open"),   QT_TRANSLATE_NOOP("QPlatformTheme", "&Yes"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "&No"),    QT_TRANSLATE_NOOP("QPlatformTheme", "Close"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Cancel"), QT_TRANSLATE_NOOP("QPlatformTheme", "Apply"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Retry"),  QT_TRANSLATE_NOOP("QPlatformTheme", "Discard"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Help")};

class WindowTranslator : public QTranslator
{
public:
    using QTranslator::QTranslator;
    QString translate(const char* context, const char* text, const char* disambiguation,
                      int n) const override
    {
        return EnglishText::isOn() ? QString()
                                   : QTranslator::translate(context, text, disambiguation, n);
    }
};

struct Current {
    QString language = QStringLiteral("en");
    std::unique_ptr<QTranslator> own, qt;
    std::optional<SentenceMatch> fromFiles, fromWindow, toFiles; ///< read when first asked for
};

Current& current()
{
    static Current now;
    return now;
}

/// Of the sentences, which other threads look up too.
QMutex& sentencesMutex()
{
    static QMutex mutex;
    return mutex;
}

/// A sentence and its translation, as pairs that each way can be looked up in; a sentence with a
/// count has one for 1 and one for more, of a language with more plurals the last.
struct Sentence {
    QString english;
    QStringList shown;
};

/// The sentences of a translation; of one context or of all.
QList<Sentence> sentencesOf(const QString& language, const QString& context)
{
    QFile file(QStringLiteral("%1/%2%3.ts").arg(kFolder, kPrefix, language));
    QList<Sentence> sentences;
    if (!file.open(QIODevice::ReadOnly))
        return sentences;
    QXmlStreamReader xml(&file);
    QString name, source;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QLatin1String("name"))
            name = xml.readElementText();
        else if (xml.name() == QLatin1String("source"))
            source = xml.readElementText();
        else if (xml.name() == QLatin1String("translation") &&
                 (context.isEmpty() || name == context)) {
            Sentence sentence{source, {}};
            if (!source.contains(QLatin1String("%n")))
                sentence.shown << xml.readElementText(QXmlStreamReader::SkipChildElements);
            else
                while (xml.readNextStartElement())
                    sentence.shown << xml.readElementText();
            if (!sentence.shown.isEmpty())
                sentences.append(sentence);
        }
    }
    return sentences;
}

/// Numbers with a unit as the window writes them; others may be versions or names.
QString withOwnDecimals(QString text)
{
    static const QRegularExpression number(QStringLiteral(
        "(?<![\\w.])(\\d+)\\.(\\d+)(?=[ \u00a0](?:%|(?:s|ms|min|h|GHz|MHz|W|[kKMGT]i?B)\\b))"));
    const QString point = QLocale().decimalPoint();
    return point == QLatin1String(".")
               ? text
               : text.replace(number, QStringLiteral("\\1%1\\2").arg(point));
}

/// By the sentences of one context or of all.
QString inWindowsLanguage(const QString& text, std::optional<SentenceMatch> Current::*sentences,
                          const QString& context)
{
    const QMutexLocker lock(&sentencesMutex());
    Current& now = current();
    if (now.language == QLatin1String("en") || text.isEmpty())
        return text;
    std::optional<SentenceMatch>& match = now.*sentences;
    if (!match) {
        QList<std::pair<QString, QString>> pairs;
        for (const auto& [english, other] : sentencesOf(now.language, context)) {
            QString one = english, more = english;
            if (other.size() > 1)
                pairs.append({one.remove(kPlural), other.first()});
            pairs.append({other.size() > 1 ? more.replace(kPlural, QLatin1String("s")) : english,
                          other.last()});
        }
        const bool stored = sentences == &Current::fromFiles; // in English, numbers too
        match.emplace(pairs, stored ? withOwnDecimals : SentenceMatch::Writing());
    }
    return match->apply(text);
}

} // namespace

QStringList languages()
{
    QStringList ids{QStringLiteral("en")};
    for (const QString& file : QDir(kFolder).entryList({QStringLiteral("*.qm")}, QDir::Files))
        ids << file.section(QLatin1Char('.'), 0, 0).mid(kPrefix.size());
    return ids;
}

QString languageTitle(const QString& language)
{
    return language == QLatin1String("en") ? QStringLiteral("English")
                                           : QLocale(language).nativeLanguageName();
}

QString languageFor(const QString& choice)
{
    const QStringList known = languages();
    if (known.contains(choice))
        return choice;
    for (const QString& wanted : QLocale::system().uiLanguages()) {
        const QString language = wanted.section(QLatin1Char('-'), 0, 0);
        if (known.contains(language))
            return language;
    }
    return QStringLiteral("en");
}

void applyLanguage(const QString& choice)
{
    Current& now = current();
    {
        const QMutexLocker lock(&sentencesMutex());
        now = Current();
        now.language = languageFor(choice);
        textsLanguage() = static_cast<int>(languages().indexOf(now.language));
    }
    const QLocale system = QLocale::system(), named(now.language);
    const bool follows = !languages().contains(choice) || system.language() == named.language();
    QLocale::setDefault(follows ? system : named);
    if (now.language == QLatin1String("en"))
        return;
    now.qt = std::make_unique<QTranslator>();
    if (now.qt->load(QLocale(now.language), QStringLiteral("qtbase"), QStringLiteral("_"),
                     QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(now.qt.get());
    now.own = std::make_unique<WindowTranslator>();
    if (now.own->load(kPrefix + now.language, kFolder))
        QCoreApplication::installTranslator(now.own.get());
}

QString currentLanguage()
{
    return current().language;
}

QString languageInForce(const QString& saved)
{
    return languageFor(saved) == currentLanguage() ? saved : currentLanguage();
}

QString shownText(const QString& stored)
{
    return inWindowsLanguage(stored, &Current::fromFiles, QStringLiteral("Launcher"));
}

QString translatedText(const QString& english)
{
    return inWindowsLanguage(english, &Current::fromWindow, {});
}

QString englishText(const QString& shown)
{
    const QMutexLocker lock(&sentencesMutex());
    Current& now = current();
    if (now.language == QLatin1String("en"))
        return shown;
    if (!now.toFiles) {
        QList<std::pair<QString, QString>> sentences;
        for (const auto& [english, other] : sentencesOf(now.language, {}))
            for (const QString& form : other)
                sentences.append({form, english});
        now.toFiles.emplace(sentences);
    }
    return now.toFiles->apply(shown);
}

} // namespace scalebench
