// SPDX-License-Identifier: GPL-3.0-or-later
// The Machines page against the real file of target machines; checks as a pre-flight would end.
#include "gui/gui_fixture.h"

#include "machine/machines.h"
#include "models/check_model.h"
#include "models/machine_checks.h"
#include "pages/machines/check_panel.h"
#include "pages/machines/machine_form.h"
#include "pages/machines/machines_page.h"
#include "session/session.h"
#include "support/campaign.h"
#include "widgets/data_table.h"
#include "widgets/elided_label.h"
#include "widgets/form_field.h"
#include "widgets/host_completer.h"
#include "widgets/hostfile_editor.h"
#include "widgets/inline_bar.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QListView>
#include <QLockFile>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QThreadPool>
#include <QTimer>
#include <QToolButton>

using namespace scalebench;
using namespace scalebench::test;

namespace {

TargetMachine sshMachine(const QString& name, const QString& hosts)
{
    TargetMachine machine;
    machine.name = name;
    machine.kind = TargetMachine::Kind::Ssh;
    machine.hosts = hosts;
    return machine;
}

/// Hosts node0, node1 … on which every test passes.
QList<HostReport> goodReports(int hosts)
{
    QList<HostReport> reports;
    for (int i = 0; i < hosts; ++i) {
        HostReport report;
        report.host = QStringLiteral("node%1").arg(i);
        const QStringList tests = preflightTests();
        for (const QString& test : tests) {
            HostCheck check;
            check.test = test;
            check.text = QStringLiteral("as it should be");
            report.checks << check;
        }
        reports << report;
    }
    return reports;
}

HostCheck& checkOf(HostReport& report, const QString& test)
{
    for (HostCheck& check : report.checks) {
        if (check.test == test)
            return check;
    }
    return report.checks.first();
}

int columnOf(const CheckModel& model, const QString& test)
{
    for (int column = 1; column < model.columnCount(); ++column) {
        if (model.check(0, column).test == test)
            return column;
    }
    return -1;
}

} // namespace

class MachinesPageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    void init()
    {
        m_page.reset(); // writes what was typed last
        QThreadPool::globalInstance()->waitForDone();
        QFile::remove(MachineFile::defaultPath());
        m_page = std::make_unique<MachinesPage>(&m_session);
        m_page->resize(1000, 700);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }

    /// A path may take a second line, which a narrow window needs room for.
    void linesOfThisComputerAreSeen()
    {
        MachineInfo computer;
        computer.cores = 2;
        computer.cpuModel = QStringLiteral("CPU");
        m_page->resize(1024, 620);
        for (int folders = 1; folders < 24; ++folders) {
            computer.cudaReason = QStringLiteral("its plug-in is missing: it is not in ") +
                                  QStringLiteral("/a/folder").repeated(folders);
            m_page->setThisComputer(computer);
            const QLabel* lines = nullptr;
            for (const QLabel* label : m_page->findChildren<QLabel*>())
                if (label->text().contains(QLatin1String("plug-in")))
                    lines = label;
            QVERIFY(lines && lines->isVisible());
            QTRY_VERIFY2(lines->height() >= lines->heightForWidth(lines->width()),
                         qPrintable(QString::number(folders)));
        }
    }

    /// The window stays as narrow as it was.
    void aLongNameTakesNoRoom()
    {
        auto file = MachineFile::open();
        QVERIFY(file.ok());
        const QString name(64, u'm'), shorter = QStringLiteral("short");
        for (const QString& one : {shorter, name})
            QVERIFY(file.value().save(sshMachine(one, QStringLiteral("node1"))));
        m_page->reload();
        m_page->select(shorter);
        const auto least = [this] {
            QCoreApplication::processEvents();
            return m_page->minimumSizeHint().width();
        };
        const int before = least();
        m_page->select(name);
        QCOMPARE(m_page->findChild<ElidedLabel*>()->fullText(), name);
        QVERIFY2(least() <= before + 80, qPrintable(QString::number(least() - before)));
    }

    void thisComputerIsAlwaysThere()
    {
        QCOMPARE(m_page->model()->rowCount(), 1);
        QCOMPARE(m_page->model()->index(0).data().toString(), QStringLiteral("This computer"));
        m_page->remove();
        QCOMPARE(m_page->model()->rowCount(), 1);
        QVERIFY(button("checkButton")->isEnabled());
    }

    void addedByKeyboardAlone()
    {
        QSignalSpy changed(m_page.get(), &MachinesPage::machinesChanged);
        // The menu of kinds opens in its own loop: choose from within it.
        QTimer::singleShot(100, this, [] {
            QWidget* menu = QApplication::activePopupWidget();
            QTest::keyClick(menu, Qt::Key_Down);
            QTest::keyClick(menu, Qt::Key_Return);
        });
        auto* add = m_page->findChild<QToolButton*>(QStringLiteral("addMachine"));
        add->setFocus();
        QTest::keyClick(add, Qt::Key_Space);
        QCOMPARE(m_page->model()->rowCount(), 2);
        QCOMPARE(m_page->model()->state(1), MachineListModel::State::Draft);
        QVERIFY(!button("checkButton")->isEnabled());
        // The name has the focus and is selected: typing replaces it.
        QTRY_COMPARE_WITH_TIMEOUT(m_page->focusWidget(),
                                  m_page->form()->field(QStringLiteral("name"))->control(),
                                  kHangMs);
        QTest::keyClicks(m_page->focusWidget(), QStringLiteral("lab"));
        for (int tabs = 0; tabs < 12 && m_page->focusWidget() != hosts(); ++tabs)
            QTest::keyClick(m_page->focusWidget(), Qt::Key_Tab);
        QCOMPARE(m_page->focusWidget(), hosts());
        QTest::keyClicks(m_page->focusWidget(), QStringLiteral("node[1-2]:4"));
        QTRY_VERIFY_WITH_TIMEOUT(saved(QStringLiteral("lab")).has_value(), kHangMs);
        QCOMPARE(saved(QStringLiteral("lab"))->hosts, QStringLiteral("node[1-2]:4"));
        QTRY_VERIFY_WITH_TIMEOUT(!changed.isEmpty(), kHangMs); // told once it is written
        QVERIFY(button("checkButton")->isEnabled());
    }

    void eachMistakeIsBesideItsField_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("text");
        QTest::newRow("no name") << QStringLiteral("name") << QString();
        QTest::newRow("name taken") << QStringLiteral("name") << QStringLiteral("other");
        QTest::newRow("option as user")
            << QStringLiteral("user") << QStringLiteral("-oProxyCommand=x");
        QTest::newRow("bad slots") << QStringLiteral("hosts") << QStringLiteral("node1:two");
        QTest::newRow("relative folder") << QStringLiteral("data_folder") << QStringLiteral("data");
        QTest::newRow("jump host") << QStringLiteral("jump_host") << QStringLiteral("-J x");
        QTest::newRow("interface") << QStringLiteral("interface") << QStringLiteral("eth0; rm");
    }

    void eachMistakeIsBesideItsField()
    {
        QFETCH(QString, field);
        QFETCH(QString, text);
        store({sshMachine(QStringLiteral("lab"), QStringLiteral("node1:4")),
               sshMachine(QStringLiteral("other"), QStringLiteral("node9"))});
        m_page->select(QStringLiteral("lab"));
        auto* edit = qobject_cast<QLineEdit*>(m_page->form()->field(field)->control());
        QVERIFY(edit);
        const QString before = edit->text();
        edit->setText(text);
        QVERIFY(!m_page->form()->field(field)->message().isEmpty());
        QVERIFY(m_page->form()->field(field)->isVisible()); // also where it was folded away
        save();
        QCOMPARE(saved(QStringLiteral("lab"))->hosts, QStringLiteral("node1:4"));
        QVERIFY(!button("checkButton")->isEnabled());
        edit->setText(before);
        QVERIFY(m_page->form()->field(field)->message().isEmpty());
        QVERIFY(button("checkButton")->isEnabled());
    }

    void renamedAndTakenBack()
    {
        store({sshMachine(QStringLiteral("lab"), QStringLiteral("node1:4"))});
        m_page->select(QStringLiteral("lab"));
        auto* name =
            qobject_cast<QLineEdit*>(m_page->form()->field(QStringLiteral("name"))->control());
        name->setText(QStringLiteral("lab two"));
        save();
        QVERIFY(saved(QStringLiteral("lab two")));
        QVERIFY(!saved(QStringLiteral("lab")));
        buttonWith(QStringLiteral("Undo &changes"))->click();
        save();
        QVERIFY(saved(QStringLiteral("lab")));
        QVERIFY(!saved(QStringLiteral("lab two")));
    }

    void duplicatedAndRemovedWithUndo()
    {
        TargetMachine lab = sshMachine(QStringLiteral("lab"), QStringLiteral("node1:4"));
        lab.nccl = {{QStringLiteral("SOCKET_IFNAME"), QStringLiteral("ib0")}};
        lab.environment = {{QStringLiteral("LANG"), QStringLiteral("C")}};
        store({lab});
        m_page->select(QStringLiteral("lab"));
        m_page->duplicate();
        save();
        const auto copy = saved(QStringLiteral("lab copy"));
        QVERIFY(copy);
        QCOMPARE(copy->nccl, lab.nccl);
        QCOMPARE(copy->environment, lab.environment);
        m_page->select(QStringLiteral("lab"));
        m_page->checks()->setReports(QStringLiteral("lab"), goodReports(1));
        m_page->remove();
        settle();
        QVERIFY(!saved(QStringLiteral("lab")));
        QVERIFY(m_page->bar()->text().contains(QLatin1String("lab")));
        for (auto* tool : m_page->bar()->findChildren<QToolButton*>()) {
            if (tool->text() == QLatin1String("Undo"))
                tool->click();
        }
        settle();
        QVERIFY(saved(QStringLiteral("lab")));
        QCOMPARE(*saved(QStringLiteral("lab")), lab);
        // With what its last check found.
        QCOMPARE(m_page->checks()->reports(QStringLiteral("lab")).size(), 1);
        QVERIFY(m_page->findChild<CheckPanel*>()->table()->isVisible());
    }

    void everyFieldSurvivesTheForm()
    {
        TargetMachine machine;
        machine.name = QStringLiteral("hpc");
        machine.kind = TargetMachine::Kind::Slurm;
        machine.login = QStringLiteral("login.example");
        machine.user = QStringLiteral("anna");
        machine.jumpHost = QStringLiteral("gate");
        machine.sshConfig = QStringLiteral("/home/anna/config");
        machine.folder = QStringLiteral("/scratch/anna/sb");
        machine.mpiPrefix = QStringLiteral("/opt/openmpi");
        machine.dataFolder = QStringLiteral("/data");
        machine.interface = QStringLiteral("ib0");
        machine.environment = {{QStringLiteral("A"), QStringLiteral("b c")}};
        machine.ucx = {{QStringLiteral("TLS"), QStringLiteral("rc")}};
        machine.slurm.partition = QStringLiteral("gpu");
        machine.slurm.account = QStringLiteral("lab1");
        machine.slurm.timeLimit = QStringLiteral("1:00:00");
        machine.slurm.gpusPerNode = 4;
        machine.slurm.extraOptions = {QStringLiteral("--exclusive"),
                                      QStringLiteral("--comment=two \"words\"")};
        machine.pricePerHour = 12.5;
        MachineForm form;
        form.load(machine);
        TargetMachine stored;
        form.store(stored);
        QCOMPARE(stored, machine);
    }

    void hostfileIsPutRight()
    {
        QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("hosts.txt"));
        write(path, "node1 slots=4\r\nnode2 gpus=8\n");
        dropFile(path);
        QCOMPARE(m_page->model()->rowCount(), 2);
        QCOMPARE(m_page->model()->entry(1).machine.hostfile, path);
        QCOMPARE(m_page->model()->entry(1).machine.name, QStringLiteral("hosts"));
        QVERIFY(!button("checkButton")->isEnabled());
        auto* fix = button("fixHostfile");
        QTRY_VERIFY_WITH_TIMEOUT(fix->isVisible(), kHangMs);
        fix->click();
        QTRY_VERIFY_WITH_TIMEOUT(!fix->isVisible(), kHangMs);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(!text.contains('\r'));
        QVERIFY(text.contains("slots=8"));
        QVERIFY(button("checkButton")->isEnabled());
        buttonWith(QStringLiteral("&Undo the fix"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(fix->isVisible(), kHangMs);
        QFile again(path);
        QVERIFY(again.open(QIODevice::ReadOnly));
        QVERIFY(again.readAll().contains('\r'));
    }

    /// Another program holds the file: the window goes on, and what was typed is written later.
    void aHeldFileKeepsNobody()
    {
        store({sshMachine(QStringLiteral("lab"), QStringLiteral("node1:4"))});
        m_page->select(QStringLiteral("lab"));
        QLockFile held(MachineFile::defaultPath() + QStringLiteral(".lock"));
        QVERIFY(held.lock());
        hosts()->setProperty("text", QStringLiteral("node1:8"));
        m_page->saveNow(); // returns, although nobody can write yet
        QVERIFY(!m_page->isSaved());
        hosts()->setProperty("text", QStringLiteral("node1:16"));
        m_page->saveNow();
        QCOMPARE(saved(QStringLiteral("lab"))->hosts, QStringLiteral("node1:4"));
        held.unlock();
        settle();
        QCOMPARE(saved(QStringLiteral("lab"))->hosts, QStringLiteral("node1:16"));
    }

    /// The command line may change the file meanwhile: nothing of that is undone.
    void changedOutsideIsTaken()
    {
        store({sshMachine(QStringLiteral("lab"), QStringLiteral("node1:4")),
               sshMachine(QStringLiteral("other"), QStringLiteral("node2:4")),
               sshMachine(QStringLiteral("gone"), QStringLiteral("node3:4"))});
        m_page->select(QStringLiteral("lab"));
        auto file = MachineFile::open();
        QVERIFY(file.ok());
        QVERIFY(file.value().save(sshMachine(QStringLiteral("other"), QStringLiteral("node2:8"))));
        QVERIFY(file.value().remove(QStringLiteral("gone")));
        for (const char* text : {"node1:8", "node1:16"}) {
            hosts()->setProperty("text", QString::fromLatin1(text));
            save();
        }
        QCOMPARE(saved(QStringLiteral("lab"))->hosts, QStringLiteral("node1:16"));
        QCOMPARE(saved(QStringLiteral("other"))->hosts, QStringLiteral("node2:8"));
        QVERIFY(!saved(QStringLiteral("gone")));
        // The list follows by itself, and so does the editor.
        QVERIFY(file.value().save(sshMachine(QStringLiteral("lab"), QStringLiteral("node1:2"))));
        QVERIFY(file.value().save(sshMachine(QStringLiteral("new"), QStringLiteral("node4"))));
        QTRY_VERIFY_WITH_TIMEOUT(m_page->model()->rowOf(QStringLiteral("new")) >= 0, kHangMs);
        QCOMPARE(hosts()->property("text").toString(), QStringLiteral("node1:2"));
        QVERIFY(m_page->model()->rowOf(QStringLiteral("gone")) < 0);
    }

    /// What the command line found counts, and the panel says what the list says.
    void checkedOutsideCounts()
    {
        store({sshMachine(QStringLiteral("lab"), QStringLiteral("node[0-2]"))});
        m_page->select(QStringLiteral("lab"));
        rememberFacts(QStringLiteral("lab"), {}, {QDateTime::currentMSecsSinceEpoch(), 3, 1, 0});
        m_page->activate();
        const int row = m_page->model()->rowOf(QStringLiteral("lab"));
        QCOMPARE(m_page->model()->state(row), MachineListModel::State::Problem);
        const QString said =
            m_page->model()->index(row).data(MachineListModel::SubtitleRole).toString();
        QVERIFY2(said.contains(QLatin1String("1 of 3")), qPrintable(said));
        QStringList texts;
        for (const auto* label : m_page->checkPanel()->findChildren<QLabel*>())
            texts << label->text();
        QVERIFY(texts.contains(QStringLiteral("1 host(s) with problems")) ||
                texts.contains(QStringLiteral("1 host with problems")));
    }

    void checkTableShowsWhatToDo()
    {
        store({sshMachine(QStringLiteral("lab"), QStringLiteral("node[0-2]:4"))});
        m_page->select(QStringLiteral("lab"));
        QList<HostReport> reports = goodReports(3);
        HostCheck& key = checkOf(reports[1], QStringLiteral("host_key"));
        key.level = HostCheck::Level::Problem;
        key.code = QStringLiteral("host_key_unknown");
        key.text = QStringLiteral("node1 is new here.");
        key.fix = QStringLiteral("Compare its fingerprint.");
        key.details = QStringLiteral("No ED25519 host key is known for node1");
        HostCheck& changed = checkOf(reports[2], QStringLiteral("host_key"));
        changed = key;
        changed.code = QStringLiteral("host_key_changed");
        m_page->checks()->setReports(QStringLiteral("lab"), reports);
        const CheckModel* model = m_page->checkPanel()->model();
        QCOMPARE(model->rowCount(), 3);
        const int column = columnOf(*model, QStringLiteral("host_key"));
        // Words, not colours alone.
        QCOMPARE(model->index(0, column).data().toString(), checkLevelWord(CheckModel::Ok));
        QCOMPARE(model->index(1, column).data().toString(), checkLevelWord(CheckModel::Problem));
        QVERIFY(model->index(1, column)
                    .data(Qt::AccessibleTextRole)
                    .toString()
                    .contains(QLatin1String("node1")));
        // The first problem is chosen by itself; its fix and raw text are in the strip.
        const InlineBar* strip = m_page->checkPanel()->detail();
        QVERIFY(strip->text().contains(QLatin1String("Compare its fingerprint.")));
        QVERIFY(hasButton(strip, QStringLiteral("Trust key…")));
        QVERIFY(hasButton(strip, QStringLiteral("Details")));
        m_page->checkPanel()->showCell(model->index(2, column));
        QVERIFY(!hasButton(strip, QStringLiteral("Trust key…")));
        QCOMPARE(m_page->model()->state(1), MachineListModel::State::Problem);
        // Known again after a restart.
        MachinesPage other(&m_session);
        QCOMPARE(other.model()->state(1), MachineListModel::State::Problem);
    }

    void hundredsOfHostsNeedNoWidgetPerCell()
    {
        constexpr int kHosts = 600;
        store({sshMachine(QStringLiteral("big"), QStringLiteral("node[0-599]"))});
        m_page->select(QStringLiteral("big"));
        m_page->checks()->setReports(QStringLiteral("big"), goodReports(kHosts));
        m_page->grab();
        QVERIFY(m_page->checkPanel()->table()->findChildren<QWidget*>().size() < 40);
    }

    void realCheckOfThisComputer()
    {
        QSignalSpy checked(m_page->checks(), &MachineChecks::checked);
        button("checkButton")->click();
        QVERIFY(m_page->checks()->isChecking(localMachineName()) || !checked.isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(!checked.isEmpty(), kHangMs);
        QVERIFY(m_page->checkPanel()->model()->rowCount() > 0);
        QVERIFY(button("checkButton")->isEnabled());
    }

    void hostsOfTheSshConfigAreOffered()
    {
        QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("config"));
        write(path, "Host gate gpu1\n  User anna\nhost=gpu2\nHost *.lab !no gpu?\n");
        QCOMPARE(sshConfigHosts(path), (QStringList{QStringLiteral("gate"), QStringLiteral("gpu1"),
                                                    QStringLiteral("gpu2")}));
        QLineEdit edit;
        HostCompleter::attach(&edit, sshConfigHosts(path), true);
        auto* completer = edit.completer();
        edit.setText(QStringLiteral("node1:8, gp"));
        completer->setCompletionPrefix(QStringLiteral("gp"));
        QCOMPARE(completer->completionCount(), 2);
        QCOMPARE(completer->currentCompletion(), QStringLiteral("node1:8, gpu1"));
    }

    void damagedFileIsSaidAndKept()
    {
        write(MachineFile::defaultPath(), "{ nonsense");
        m_page->reload();
        QVERIFY(!m_page->bar()->text().isEmpty());
        QCOMPARE(m_page->model()->rowCount(), 1);
        QVERIFY(QFile::exists(MachineFile::defaultPath() + QStringLiteral(".damaged")));
    }

private:
    void settle() const { QTRY_VERIFY_WITH_TIMEOUT(m_page->isSaved(), kHangMs); }
    void save()
    {
        m_page->saveNow();
        settle();
    }
    QPushButton* button(const char* name) const
    {
        return m_page->findChild<QPushButton*>(QString::fromLatin1(name));
    }
    QPushButton* buttonWith(const QString& text) const
    {
        for (auto* candidate : m_page->findChildren<QPushButton*>()) {
            if (candidate->text() == text)
                return candidate;
        }
        return nullptr;
    }
    static bool hasButton(const InlineBar* bar, const QString& text)
    {
        for (const auto* tool : bar->findChildren<QToolButton*>()) {
            if (tool->text() == text && !tool->isHidden())
                return true;
        }
        return false;
    }
    QWidget* hosts() const { return m_page->form()->field(QStringLiteral("hosts"))->control(); }
    static void write(const QString& path, const QByteArray& text)
    {
        QDir().mkpath(QFileInfo(path).absolutePath());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    void store(const QList<TargetMachine>& machines)
    {
        auto file = MachineFile::open();
        QVERIFY(file.ok());
        for (const TargetMachine& machine : machines)
            QVERIFY(file.value().save(machine).ok());
        m_page->reload();
    }
    static std::optional<TargetMachine> saved(const QString& name)
    {
        const auto file = MachineFile::open();
        const TargetMachine* found = file ? file.value().find(name) : nullptr;
        return found ? std::optional(*found) : std::nullopt;
    }
    void dropFile(const QString& path)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &data, Qt::LeftButton,
                              Qt::NoModifier);
        QApplication::sendEvent(m_page.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_page.get(), &drop);
    }

    Session m_session;
    std::unique_ptr<MachinesPage> m_page;
};

SB_WATCHED_TEST_MAIN(MachinesPageTest)
#include "machines_page_test.moc"
