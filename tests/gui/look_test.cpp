// SPDX-License-Identifier: GPL-3.0-or-later
// Settings, theme and language, changed while the window is open.
#include "gui/gui_fixture.h"
#include "gui/settle.h"
#include "gui/window_fixture.h"
#include "support/launcher_fixture.h"

#include "app/main_window.h"
#include "charts/chart_panel.h"
#include "charts/chart_widget.h"
#include "pages/plan/plan_page.h"
#include "pages/registry.h"
#include "pages/results/results_page.h"
#include "pages/scaling/scaling_page.h"
#include "pages/settings/settings_page.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "settings/app_settings.h"
#include "settings/language.h"
#include "widgets/data_table.h"
#include "widgets/form_field.h"
#include "widgets/inline_bar.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPointer>
#include <QUndoStack>

using namespace scalebench;
using namespace scalebench::test;

class LookTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        initGuiTest();
        useFakeEngine("ok", 4, 20);
    }
    void init()
    {
        AppSettings::instance().setLanguage(QStringLiteral("en"));
        applyLanguage(QStringLiteral("en"));
        AppSettings::instance().setUnsavedPlan({}, {});
    }

    void settingsHoldAtOnce()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.showPage(page_id::kSettings);
        auto* page = window.page<SettingsPage>();
        QComboBox* theme = nullptr;
        for (QComboBox* list : page->findChildren<QComboBox*>())
            if (list->findText(QStringLiteral("High contrast")) >= 0)
                theme = list;
        QVERIFY(theme);
        const int dark = theme->findText(QStringLiteral("Dark"));
        theme->setCurrentIndex(dark);
        Q_EMIT theme->activated(dark);
        QVERIFY(ThemeManager::instance().theme().dark);
        QVERIFY(actionOf(window, QStringLiteral("Dark"))->isChecked());
        actionOf(window, QStringLiteral("Light"))->trigger();
        QVERIFY(!ThemeManager::instance().theme().dark);
        QCOMPARE(theme->currentText(), QStringLiteral("Light"));
        auto& settings = AppSettings::instance();
        for (QCheckBox* box : page->findChildren<QCheckBox*>())
            box->click();
        QVERIFY(!settings.keepsAwake() && !settings.notifies() && !settings.exportLightTheme());
        for (QCheckBox* box : page->findChildren<QCheckBox*>())
            box->click();
        QVERIFY(settings.keepsAwake() && settings.notifies() && settings.exportLightTheme());
    }

    /// In many short events, the hidden pages last; the same pixels as all at once.
    void themeChangesInParts()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.session()->showPublished();
        const QStringList pages{page_id::kHome, page_id::kResults, page_id::kScaling,
                                page_id::kSettings};
        const auto pictures = [&] {
            QList<QImage> taken;
            for (const QString& page : pages) {
                window.showPage(page);
                // What is read or drawn in the background comes late on a busy machine.
                QImage before, now;
                for (int look = 0; look < 2 || (now != before && look < 100); ++look) {
                    before = now;
                    QTest::qWait(250);
                    settle(window);
                    now = window.grab().toImage();
                }
                taken << now;
            }
            return taken;
        };
        pictures(); // each page was shown once
        auto& themes = ThemeManager::instance();
        themes.change(ThemeChoice::Dark);
        QVERIFY(themes.theme().dark && themes.isChanging());
        QTRY_VERIFY_WITH_TIMEOUT(!themes.isChanging(), kHangMs);
        const QList<QImage> dark = pictures();
        themes.change(ThemeChoice::Contrast); // the second before the first is to be seen
        themes.change(ThemeChoice::Light);
        QTRY_VERIFY_WITH_TIMEOUT(!themes.isChanging(), kHangMs);
        const QList<QImage> again = pictures();
        themes.apply(ThemeChoice::Dark);
        const QList<QImage> atOnce = pictures();
        themes.apply(ThemeChoice::Light);
        const QList<QImage> light = pictures();
        for (qsizetype i = 0; i < pages.size(); ++i) {
            QVERIFY2(dark[i] == atOnce[i], qPrintable(pages[i]));
            QVERIFY2(again[i] == light[i], qPrintable(pages[i]));
            QVERIFY2(dark[i] != light[i], qPrintable(pages[i]));
        }
    }

    /// What was not saved is there still, and can be undone; all says the other language.
    void languageChangesWithoutRestart()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.page<ScalingPage>()->showLoaded(inventedStudy({1, 2, 4}));
        ChartWidget* chart = window.page<ScalingPage>()->currentChart()->chartWidget();
        const bool before = chart->isLogY();
        chart->setLogY(!before);
        window.page<ResultsPage>()->table()->setFilterText(QStringLiteral("mine"));
        window.showPage(page_id::kPlan);
        auto* plan = window.page<PlanPage>();
        const StudySpec first = plan->spec();
        plan->field(QStringLiteral("name"))
            ->findChild<QLineEdit*>()
            ->setText(QStringLiteral("never saved"));
        const StudySpec edited = plan->spec();
        QVERIFY(edited != first && plan->isModified());
        const QPointer<PlanPage> english(plan);

        AppSettings::instance().setLanguage(QStringLiteral("de"));
        QTRY_VERIFY_WITH_TIMEOUT(!english, kHangMs);
        QCOMPARE(currentLanguage(), QStringLiteral("de"));
        QCOMPARE(window.page(), page_id::kPlan);
        QTRY_VERIFY_WITH_TIMEOUT(!actionOf(window, QStringLiteral("Restore default layout")),
                                 kHangMs);
        plan = window.page<PlanPage>();
        QCOMPARE(plan->spec(), edited);
        QVERIFY(plan->isModified());
        plan->undo();
        QCOMPARE(plan->spec(), first);
        QVERIFY(!plan->isModified());
        plan->redo();
        QCOMPARE(plan->spec(), edited);
        QCOMPARE(window.page<ResultsPage>()->table()->filterText(), QStringLiteral("mine"));
        QCOMPARE(window.page<ScalingPage>()->study().runs.size(), 3);
        chart = window.page<ScalingPage>()->currentChart()->chartWidget();
        QCOMPARE(chart->isLogY(), !before);
        window.showPage(page_id::kScaling); // its edits are still those of its chart
        window.session()->library()->undoStack()->undo();
        QCOMPARE(chart->isLogY(), before);

        AppSettings::instance().setLanguage(QStringLiteral("en"));
        QTRY_COMPARE_WITH_TIMEOUT(currentLanguage(), QStringLiteral("en"), kHangMs);
        QTRY_VERIFY_WITH_TIMEOUT(actionOf(window, QStringLiteral("Restore default layout")),
                                 kHangMs);
    }

    /// What a message bar says is said on, in the new language; others' words stay theirs.
    void languageKeepsMessages()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        const auto change = [&](const char* language) {
            const QPointer<SettingsPage> before(window.page<SettingsPage>());
            AppSettings::instance().setLanguage(QString::fromLatin1(language));
            QTRY_VERIFY_WITH_TIMEOUT(!before && !ThemeManager::instance().isChanging(), kHangMs);
        };
        const Failure missing{QStringLiteral("not_readable"),
                              QStringLiteral("%1 could not be read: %2.")
                                  .arg(QStringLiteral("/a/b"), QStringLiteral("disk full")),
                              QStringLiteral("read: EIO")};
        window.page<ResultsPage>()->bar()->showFailure(missing);
        window.page<ScalingPage>()->bar()->showMessage(
            InlineBar::Level::Warning, QStringLiteral("words of nobody's sentences"));
        window.page<PlanPage>()->bar()->clear();
        change("de");
        InlineBar* failure = window.page<ResultsPage>()->bar();
        QVERIFY(!failure->isHidden());
        QCOMPARE(failure->text(), translatedText(missing.message));
        QVERIFY(failure->text() != missing.message && failure->text().contains(u"/a/b"));
        QCOMPARE(failure->findChild<QPlainTextEdit*>()->toPlainText(), missing.details);
        QCOMPARE(window.page<ScalingPage>()->bar()->text(),
                 QStringLiteral("words of nobody's sentences"));
        QVERIFY(window.page<PlanPage>()->bar()->isHidden());
        change("en");
        QCOMPARE(window.page<ResultsPage>()->bar()->text(), missing.message);
    }

    /// A window that has changed its language says what one says that was started in it.
    void languageIsWholeAfterTheChange()
    {
        TemporaryLibrary library;
        QMap<QString, QStringList> changed, started;
        QImage changedMenus, startedMenus; // what is not made anew looks as it should
        {
            MainWindow window(commandFor(library));
            window.show();
            QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
            window.session()->showPublished();
            const QPointer<SettingsPage> english(window.page<SettingsPage>());
            AppSettings::instance().setLanguage(QStringLiteral("de"));
            QTRY_VERIFY_WITH_TIMEOUT(
                !english && !actionOf(window, QStringLiteral("Restore default layout")), kHangMs);
            changed = textsOf(window);
            ThemeManager::instance().change(ThemeChoice::Dark);
            QTRY_VERIFY_WITH_TIMEOUT(!ThemeManager::instance().isChanging(), kHangMs);
            changedMenus = window.menuBar()->grab().toImage();
        }
        {
            MainWindow window(commandFor(library));
            window.show();
            QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
            window.session()->showPublished();
            started = textsOf(window);
            startedMenus = window.menuBar()->grab().toImage();
        }
        ThemeManager::instance().apply(ThemeChoice::Light);
        QVERIFY(changedMenus == startedMenus);
        QVERIFY(!started.isEmpty());
        for (auto it = started.begin(); it != started.end(); ++it)
            QCOMPARE(difference(changed.value(it.key()), it.value()), QString());
        AppSettings::instance().setLanguage(QStringLiteral("en"));
        applyLanguage(QStringLiteral("en"));
    }

    /// Each entry of a menu has a letter, which is no other's there.
    void everyEntryHasItsLetter_data()
    {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << QStringLiteral("en");
        QTest::newRow("German") << QStringLiteral("de");
    }
    void everyEntryHasItsLetter()
    {
        QFETCH(const QString, language);
        AppSettings::instance().setLanguage(language);
        applyLanguage(language);
        TemporaryLibrary library;
        const MainWindow window(commandFor(library));
        QStringList wrong;
        const auto check = [&wrong](const QList<QAction*>& entries) {
            QMap<QChar, QString> letters;
            for (const QAction* entry : entries) {
                const QString text = entry->text();
                if (entry->isSeparator() || text.isEmpty())
                    continue;
                const QChar letter = text.mid(text.indexOf(u'&') + 1).front().toLower();
                if (!text.contains(u'&') || letters.contains(letter))
                    wrong << QStringLiteral("%1 (%2)").arg(text, letters.value(letter));
                letters.insert(letter, text);
            }
        };
        check(window.menuBar()->actions());
        for (const QMenu* menu : window.menuBar()->findChildren<QMenu*>())
            if (menu->actions().isEmpty() ||
                menu->actions().last()->text() != QLatin1String("Deutsch"))
                check(menu->actions());
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QStringLiteral(", "))));
        AppSettings::instance().setLanguage(QStringLiteral("en"));
        applyLanguage(QStringLiteral("en"));
    }

    /// Alt and the letter of a menu opens it on every page: no field or button there has it too.
    void lettersOfTheMenusAreTheirs_data() { everyEntryHasItsLetter_data(); }
    void lettersOfTheMenusAreTheirs()
    {
        QFETCH(const QString, language);
        AppSettings::instance().setLanguage(language);
        applyLanguage(language);
        TemporaryLibrary library;
        MainWindow window(commandFor(library));
        QMap<QKeySequence, QString> menus;
        for (const QAction* menu : window.menuBar()->actions())
            menus[QKeySequence::mnemonic(menu->text())] = menu->text();
        QCOMPARE(menus.size(), 5);
        QStringList wrong;
        for (const QString& id : pageIds()) {
            const auto look = [&](const QString& text) {
                const QKeySequence key = QKeySequence::mnemonic(text);
                if (!key.isEmpty() && menus.contains(key))
                    wrong << QStringLiteral("%1: %2 (%3)").arg(id, text, menus[key]);
            };
            const auto* page = window.findChild<Page*>(id);
            for (const QAbstractButton* button : page->findChildren<QAbstractButton*>())
                look(button->text());
            for (const QLabel* label : page->findChildren<QLabel*>())
                if (label->buddy())
                    look(label->text());
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QStringLiteral(", "))));
        AppSettings::instance().setLanguage(QStringLiteral("en"));
        applyLanguage(QStringLiteral("en"));
    }

private:
    /// Of menus, docks and each page: what its controls say, in order.
    static QMap<QString, QStringList> textsOf(MainWindow& window)
    {
        QMap<QString, QStringList> texts;
        const auto collect = [&texts](const QWidget* of, const QString& key) {
            QStringList& said = texts[key];
            for (const QWidget* widget : of->findChildren<QWidget*>()) {
                if (!widget->isVisibleTo(of))
                    continue;
                said << widget->accessibleName();
                if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
                    said << button->text();
                const auto* list = qobject_cast<const QComboBox*>(widget);
                for (int i = 0; list && i < list->count(); ++i)
                    said << list->itemText(i);
                if (!list) // whose tooltip is what was chosen
                    said << widget->toolTip();
            }
            said.removeAll(QString());
        };
        for (const QString& id : pageIds()) {
            window.showPage(id);
            QTest::qWait(150);
            collect(window.findChild<Page*>(id), id);
        }
        QStringList& menus = texts[QStringLiteral("menus")];
        for (const QAction* title : window.menuBar()->actions())
            for (const QAction* action : title->menu()->actions())
                menus << title->text() << action->text();
        return texts;
    }

    /// The first, with what stands before it.
    static QString difference(const QStringList& one, const QStringList& other)
    {
        for (qsizetype i = 0; i < std::max(one.size(), other.size()); ++i)
            if (one.value(i) != other.value(i))
                return QStringLiteral("after “%1”: “%2”, “%3”")
                    .arg(one.value(i - 1), one.value(i), other.value(i));
        return {};
    }
};

SB_WATCHED_TEST_MAIN(LookTest)
#include "look_test.moc"
