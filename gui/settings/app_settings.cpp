// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/app_settings.h"

#include "settings/system_folder.h"

#include <QDir>

#include <algorithm>

namespace scalebench {

namespace {
const QString kTheme = QStringLiteral("appearance/theme");
const QString kLanguage = QStringLiteral("appearance/language");
const QString kLibrary = QStringLiteral("library/folder");
const QString kLastFolder = QStringLiteral("files/last_folder");
const QString kExportScale = QStringLiteral("export/scale");
const QString kExportLight = QStringLiteral("export/light_theme");
const QString kAccuracyAxis = QStringLiteral("charts/accuracy_x");
const QString kSubjectColors = QStringLiteral("charts/colors");
const QString kSeriesColors = QStringLiteral("charts/own_colors");
const QString kChartNotes = QStringLiteral("charts/notes");
const QString kGeometry = QStringLiteral("window/geometry");
const QString kState = QStringLiteral("window/state");
const QString kPage = QStringLiteral("window/page");
const QString kViews = QStringLiteral("views");
const QString kAwake = QStringLiteral("desktop/keep_awake");
const QString kNotify = QStringLiteral("desktop/notify");
const QString kRecent = QStringLiteral("files/recent");
const QString kPinned = QStringLiteral("files/pinned");
const QString kLibraries = QStringLiteral("files/recent_libraries");
const QString kShown = QStringLiteral("session/");
const QString kUnsavedPlan = QStringLiteral("files/unsaved_plan");
const QString kUnsavedPlanFile = QStringLiteral("files/unsaved_plan_of");
const QString kShortcuts = QStringLiteral("shortcuts/");
constexpr int kMaxRecent = 10;
} // namespace

AppSettings& AppSettings::instance()
{
    static AppSettings settings;
    return settings;
}

AppSettings::AppSettings() = default;

ThemeChoice AppSettings::theme() const
{
    return themeChoiceFromName(m_settings.value(kTheme).toString());
}

void AppSettings::setTheme(ThemeChoice choice)
{
    m_settings.setValue(kTheme, themeChoiceName(choice));
    Q_EMIT themeChanged(choice);
}

QString AppSettings::language() const
{
    return m_settings.value(kLanguage, QStringLiteral("system")).toString();
}

void AppSettings::setLanguage(const QString& language)
{
    m_settings.setValue(kLanguage, language);
    Q_EMIT languageChanged();
}

QString AppSettings::libraryDir() const
{
    return m_settings.value(kLibrary).toString();
}
void AppSettings::setLibraryDir(const QString& dir)
{
    m_settings.setValue(kLibrary, dir);
}

QString AppSettings::lastFolder() const
{
    const QString dir = m_settings.value(kLastFolder).toString();
    return dir.isEmpty() || isSystemFolder(dir) || !QDir(dir).exists() ? QDir::homePath() : dir;
}

void AppSettings::setLastFolder(const QString& dir)
{
    m_settings.setValue(kLastFolder, dir);
}

bool AppSettings::keepsAwake() const
{
    return m_settings.value(kAwake, true).toBool();
}

void AppSettings::setKeepsAwake(bool on)
{
    m_settings.setValue(kAwake, on);
}

bool AppSettings::notifies() const
{
    return m_settings.value(kNotify, true).toBool();
}

void AppSettings::setNotifies(bool on)
{
    m_settings.setValue(kNotify, on);
}

int AppSettings::exportScale() const
{
    return std::clamp(m_settings.value(kExportScale, 2).toInt(), 1, 4);
}

void AppSettings::setExportScale(int scale)
{
    m_settings.setValue(kExportScale, scale);
}

QByteArray AppSettings::subjectColors() const
{
    return m_settings.value(kSubjectColors).toByteArray();
}

void AppSettings::setSubjectColors(const QByteArray& json)
{
    m_settings.setValue(kSubjectColors, json);
}

QList<QColor> AppSettings::seriesColors() const
{
    QList<QColor> colors;
    for (const QString& name : m_settings.value(kSeriesColors).toStringList())
        colors << QColor(name);
    return colors;
}

void AppSettings::setSeriesColors(const QList<QColor>& colors)
{
    QStringList names;
    for (const QColor& color : colors)
        names << (color.isValid() ? color.name() : QString());
    m_settings.setValue(kSeriesColors, names);
}

bool AppSettings::exportLightTheme() const
{
    return m_settings.value(kExportLight, true).toBool();
}
void AppSettings::setExportLightTheme(bool on)
{
    m_settings.setValue(kExportLight, on);
}

QString AppSettings::accuracyXAxis() const
{
    return m_settings.value(kAccuracyAxis, QStringLiteral("epoch")).toString();
}

void AppSettings::setAccuracyXAxis(const QString& name)
{
    m_settings.setValue(kAccuracyAxis, name);
}

QByteArray AppSettings::chartNotes() const
{
    return m_settings.value(kChartNotes).toByteArray();
}

void AppSettings::setChartNotes(const QByteArray& json)
{
    if (json != chartNotes())
        m_settings.setValue(kChartNotes, json);
}

QByteArray AppSettings::windowGeometry() const
{
    return m_settings.value(kGeometry).toByteArray();
}
QByteArray AppSettings::windowState() const
{
    return m_settings.value(kState).toByteArray();
}

void AppSettings::setWindow(const QByteArray& geometry, const QByteArray& state)
{
    m_settings.setValue(kGeometry, geometry);
    m_settings.setValue(kState, state);
}

QString AppSettings::lastPage() const
{
    return m_settings.value(kPage).toString();
}
void AppSettings::setLastPage(const QString& name)
{
    m_settings.setValue(kPage, name);
}

QByteArray AppSettings::viewState(const QString& key) const
{
    return m_settings.value(kViews + QLatin1Char('/') + key).toByteArray();
}

void AppSettings::setViewState(const QString& key, const QByteArray& state)
{
    m_settings.setValue(kViews + QLatin1Char('/') + key, state);
}

void AppSettings::resetLayout()
{
    m_settings.remove(kViews);
    m_settings.remove(kGeometry);
    m_settings.remove(kState);
}

std::optional<QList<QKeySequence>> AppSettings::shortcuts(const QString& action) const
{
    const QVariant kept = m_settings.value(kShortcuts + action);
    if (!kept.isValid())
        return std::nullopt;
    QList<QKeySequence> keys = QKeySequence::listFromString(kept.toString());
    keys.removeAll(QKeySequence()); // what none at all reads as
    return keys;
}

void AppSettings::setShortcuts(const QString& action,
                               const std::optional<QList<QKeySequence>>& keys)
{
    if (keys)
        m_settings.setValue(kShortcuts + action, QKeySequence::listToString(*keys));
    else
        m_settings.remove(kShortcuts + action);
}

static QStringList withFirst(QStringList list, const QString& first, qsizetype most)
{
    list.removeAll(first);
    list.prepend(first);
    return list.mid(0, most);
}

QStringList AppSettings::recentFiles() const
{
    QStringList files = pinnedFiles() + m_settings.value(kRecent).toStringList();
    files.removeDuplicates();
    return files;
}

void AppSettings::addRecentFile(const QString& file)
{
    m_settings.setValue(kRecent,
                        withFirst(m_settings.value(kRecent).toStringList(), file, kMaxRecent));
}

QStringList AppSettings::pinnedFiles() const
{
    return m_settings.value(kPinned).toStringList();
}

void AppSettings::pinFile(const QString& file, bool on)
{
    QStringList pinned = pinnedFiles();
    pinned.removeAll(file);
    if (on)
        pinned << file;
    m_settings.setValue(kPinned, pinned);
}

void AppSettings::forgetRecent()
{
    m_settings.remove(kRecent);
    m_settings.remove(kLibraries);
}

QStringList AppSettings::recentLibraries() const
{
    return m_settings.value(kLibraries).toStringList();
}

void AppSettings::addRecentLibrary(const QString& dir)
{
    m_settings.setValue(kLibraries, withFirst(recentLibraries(), dir, kMaxRecent));
}

void ShownBefore::forget(const QString& studyDir)
{
    for (QString* dir : {&run, &scaling, &advice, &verified, &against})
        if (*dir == studyDir)
            dir->clear();
    for (QStringList* runs : {&selected, &compared})
        runs->removeIf([&](const QString& dir) { return dir.startsWith(studyDir + u'/'); });
}

ShownBefore AppSettings::shownBefore() const
{
    const auto text = [this](const char* key) {
        return m_settings.value(kShown + QLatin1String(key)).toString();
    };
    const auto list = [this](const char* key) {
        return m_settings.value(kShown + QLatin1String(key)).toStringList();
    };
    return {text("library"),  text("run"),    text("scaling"),  list("selected"),
            list("compared"), text("advice"), text("verified"), text("against")};
}

void AppSettings::setShownBefore(const ShownBefore& shown)
{
    m_settings.setValue(kShown + QLatin1String("library"), shown.library);
    m_settings.setValue(kShown + QLatin1String("run"), shown.run);
    m_settings.setValue(kShown + QLatin1String("scaling"), shown.scaling);
    m_settings.setValue(kShown + QLatin1String("selected"), shown.selected);
    m_settings.setValue(kShown + QLatin1String("compared"), shown.compared);
    m_settings.setValue(kShown + QLatin1String("advice"), shown.advice);
    m_settings.setValue(kShown + QLatin1String("verified"), shown.verified);
    m_settings.setValue(kShown + QLatin1String("against"), shown.against);
}

QByteArray AppSettings::unsavedPlan() const
{
    return m_settings.value(kUnsavedPlan).toByteArray();
}

QString AppSettings::unsavedPlanFile() const
{
    return m_settings.value(kUnsavedPlanFile).toString();
}

void AppSettings::setUnsavedPlan(const QByteArray& json, const QString& file)
{
    m_settings.setValue(kUnsavedPlan, json);
    m_settings.setValue(kUnsavedPlanFile, json.isEmpty() ? QString() : file);
}

} // namespace scalebench
