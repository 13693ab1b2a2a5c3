// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The window's language: English in the sources, the others in resources/translations, compiled in.
// Files, logs and the command line stay English.

#include <QString>
#include <QStringList>

namespace scalebench {

/// "en" and those there is a translation for, as in "de".
QStringList languages();
/// As its speakers call it: "Deutsch".
QString languageTitle(const QString& language);
/// What "system", or a language that there is none of, comes to.
QString languageFor(const QString& choice);

/// Translators and the locale of numbers and dates: the system's where it has the same language.
/// After initWorkbench(); the last call holds. What is shown already stays as it is: the window
/// makes its pages and menus anew.
void applyLanguage(const QString& choice);
QString currentLanguage();
/// The choice that holds now: `saved`, or what the program was started with instead.
QString languageInForce(const QString& saved);

/// What a file holds in English, such as why a run failed, in the window's language.
QString shownText(const QString& stored);
/// A text of the window, or of a file, that is in English, in the window's language.
QString translatedText(const QString& english);
/// A text of the window in English, for a file.
QString englishText(const QString& shown);

} // namespace scalebench
