// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/gui_fixture.h"
#include "gui/window_fixture.h"

#include "pages/results/results_page.h"
#include "pages/settings/settings_page.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "settings/app_settings.h"
#include "settings/language.h"
#include "widgets/data_table.h"
#include "widgets/inline_bar.h"

#include <QComboBox>
#include <QLabel>
#include <QPointer>
#include <QSignalSpy>

using namespace scalebench;
using namespace scalebench::test;

class SettingsPageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    /// A folder that was only just made for it is a library from then on.
    void emptyFolderBecomesTheLibrary()
    {
        TemporaryLibrary library;
        library.create({1});
        MainWindow window(commandFor(library, page_id::kSettings));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        QTemporaryDir chosen;
        QSignalSpy changed(window.session()->library(), &StudyLibrary::changed);
        window.session()->useLibrary({chosen.path()});
        QTRY_VERIFY_WITH_TIMEOUT(!changed.isEmpty(), kHangMs);
        QTRY_COMPARE_WITH_TIMEOUT(window.session()->library()->place().dir, chosen.path(), kHangMs);
        QTRY_VERIFY_WITH_TIMEOUT(window.session()->library()->studies().isEmpty(), kHangMs);
        QVERIFY(window.page<SettingsPage>()->bar()->text().isEmpty());
        QVERIFY(QFileInfo::exists(chosen.filePath(QStringLiteral("studies"))));
        QCOMPARE(AppSettings::instance().libraryDir(), chosen.path());
        // At the next start it is one that was there before.
        const LibraryPlace next{AppSettings::instance().libraryDir(), true};
        QVERIFY(next.open().ok());
    }

    /// Whoever changes the language stays where it was changed.
    void languageKeepsTheFocus()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library, page_id::kSettings));
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        const auto boxOf = [&window] {
            for (QComboBox* box : window.page<SettingsPage>()->findChildren<QComboBox*>())
                if (box->findText(QStringLiteral("Deutsch")) >= 0)
                    return box;
            return static_cast<QComboBox*>(nullptr);
        };
        QComboBox* box = boxOf();
        QVERIFY(box);
        box->setFocus();
        box->showPopup();
        box->hidePopup();
        const QPointer<SettingsPage> before(window.page<SettingsPage>());
        AppSettings::instance().setLanguage(QStringLiteral("de"));
        QTRY_VERIFY_WITH_TIMEOUT(!before && !ThemeManager::instance().isChanging(), kHangMs);
        QCOMPARE(window.focusWidget(), boxOf());
        const QPointer<SettingsPage> german(window.page<SettingsPage>());
        AppSettings::instance().setLanguage(QStringLiteral("en"));
        QTRY_VERIFY_WITH_TIMEOUT(!german && !ThemeManager::instance().isChanging(), kHangMs);
    }

    /// What the command line asked for is shown, with what the next start would bring.
    void showsWhatIsInForce()
    {
        auto& settings = AppSettings::instance();
        settings.setLanguage(QStringLiteral("de"));
        settings.setTheme(ThemeChoice::Light);
        applyLanguage(QStringLiteral("en"));
        ThemeManager::instance().apply(ThemeChoice::Dark);
        TemporaryLibrary library;
        const MainWindow window(commandFor(library, page_id::kSettings));
        const auto* page = window.page<SettingsPage>();
        QStringList shown;
        for (const QComboBox* box : page->findChildren<QComboBox*>())
            shown << box->currentText();
        QCOMPARE(shown.mid(0, 2), QStringList({QStringLiteral("Dark"), QStringLiteral("English")}));
        const auto* note = page->findChild<QLabel*>(QStringLiteral("givenAtStart"));
        QVERIFY(!note->isHidden());
        QVERIFY2(note->text().contains(QStringLiteral("Theme: Light, Language: Deutsch")),
                 qPrintable(note->text()));
        // A choice holds at once and is saved.
        settings.setTheme(ThemeChoice::Light);
        settings.setLanguage(QStringLiteral("en"));
        QTRY_VERIFY_WITH_TIMEOUT(note->isHidden(), kHangMs);
        QCOMPARE(ThemeManager::instance().choice(), ThemeChoice::Light);
    }

    /// What can be no library is said where it was chosen, and the one before stays.
    void impossibleFolderIsRefused_data()
    {
        QTest::addColumn<QString>("dir");
        QTest::addColumn<bool>("seen");
        QTest::newRow("the system's processes") << QStringLiteral("/proc") << false;
        QTest::newRow("root could write there") << QStringLiteral("/dev/./mine") << false;
        QTest::newRow("one of the recent, gone") << QStringLiteral("/no/such/library") << true;
    }
    void impossibleFolderIsRefused()
    {
        QFETCH(QString, dir);
        QFETCH(bool, seen);
        AppSettings::instance().setLibraryDir({});
        TemporaryLibrary library;
        library.create({1});
        MainWindow window(commandFor(library, page_id::kHome));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.session()->useLibrary({dir, seen});
        const InlineBar* bar = window.page<SettingsPage>()->bar();
        QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), kHangMs); // the page came to the front
        QVERIFY2(bar->text().contains(dir), qPrintable(bar->text()));
        QCOMPARE(window.session()->library()->place().dir, library.folder.path());
        QVERIFY(AppSettings::instance().libraryDir().isEmpty());
        QVERIFY(!AppSettings::instance().recentLibraries().contains(dir));
        QCOMPARE(window.page<ResultsPage>()->table()->proxy()->rowCount(), 1);
        // The usual folder is there for everybody.
        QSignalSpy placed(window.session()->library(), &StudyLibrary::placeChanged);
        window.session()->useLibrary(LibraryPlace());
        QTRY_VERIFY_WITH_TIMEOUT(!placed.isEmpty(), kHangMs);
        QVERIFY(!bar->isVisible());
    }
};

SB_WATCHED_TEST_MAIN(SettingsPageTest)
#include "settings_page_test.moc"
