// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Everything the workbench remembers, typed, with defaults beside the keys. One object per
// process; the place of the file is QSettings' own (organisation and application names).

#include "settings/settings_store.h"
#include "settings/theme.h"

#include <QByteArray>
#include <QColor>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QStringList>

#include <optional>

namespace scalebench {

/// What the pages showed when the window was closed, by folders.
struct ShownBefore {
    QString library; ///< as chosen; what belongs to another one is not shown again
    QString run, scaling;
    QStringList selected, compared;    ///< runs
    QString advice, verified, against; ///< studies of these pages

    void forget(const QString& studyDir);
};

class AppSettings : public QObject
{
    Q_OBJECT
public:
    static AppSettings& instance();

    ThemeChoice theme() const;
    void setTheme(ThemeChoice choice);

    QString language() const; ///< "system", or as languages() has it
    void setLanguage(const QString& language);

    QString libraryDir() const; ///< empty: Library::defaultDir()
    void setLibraryDir(const QString& dir);

    QString lastFolder() const;
    void setLastFolder(const QString& dir);

    bool keepsAwake() const; ///< while a study trains here
    void setKeepsAwake(bool on);
    bool notifies() const; ///< of a study's end
    void setNotifies(bool on);

    int exportScale() const; ///< 1..4
    void setExportScale(int scale);
    /// A person's own, by slot; invalid: the theme's.
    /// What SeriesColors keeps, as JSON.
    QByteArray subjectColors() const;
    void setSubjectColors(const QByteArray& json);
    QList<QColor> seriesColors() const;
    void setSeriesColors(const QList<QColor>& colors);
    bool exportLightTheme() const;
    void setExportLightTheme(bool on);

    /// What was written on charts (charts/chart_notes.h), as JSON.
    QByteArray chartNotes() const;
    void setChartNotes(const QByteArray& json);
    QString accuracyXAxis() const; ///< "epoch", "samples", "time"
    void setAccuracyXAxis(const QString& name);

    QByteArray windowGeometry() const;
    QByteArray windowState() const;
    void setWindow(const QByteArray& geometry, const QByteArray& state);
    QString lastPage() const;
    void setLastPage(const QString& name);

    /// State of a table's header or a splitter, by the widget's own key.
    QByteArray viewState(const QString& key) const;
    void setViewState(const QString& key, const QByteArray& state);
    void resetLayout();

    /// Of an action, where a person chose others than its own; an empty list: none at all.
    std::optional<QList<QKeySequence>> shortcuts(const QString& action) const;
    void setShortcuts(const QString& action, const std::optional<QList<QKeySequence>>& keys);

    /// Plans, studies and bundles that were opened: the pinned ones, then the last ones.
    QStringList recentFiles() const;
    void addRecentFile(const QString& file);
    QStringList pinnedFiles() const;
    void pinFile(const QString& file, bool on);
    /// All but the pinned ones, and the libraries.
    void forgetRecent();
    QStringList recentLibraries() const;
    void addRecentLibrary(const QString& dir);

    ShownBefore shownBefore() const;
    void setShownBefore(const ShownBefore& shown);

    /// An edited plan that is in no file yet, and the file it began from; empty: none.
    QByteArray unsavedPlan() const;
    QString unsavedPlanFile() const;
    void setUnsavedPlan(const QByteArray& json, const QString& file);

    /// Waits until all is in the file; it is written without that too, at once and beside the
    /// window.
    void sync() { m_settings.sync(); }

Q_SIGNALS:
    void themeChanged(scalebench::ThemeChoice choice);
    void languageChanged();

private:
    AppSettings();
    SettingsStore m_settings;
};

} // namespace scalebench
