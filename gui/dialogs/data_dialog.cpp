// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/data_dialog.h"

#include "base/file_io.h"
#include "base/let_go.h"
#include "base/plain_text.h"
#include "models/key_value_model.h"
#include "settings/app_settings.h"
#include "settings/language.h"
#include "study/data_run.h"
#include "study/workload_catalog.h"
#include "widgets/data_table.h"
#include "widgets/widgets.h"
#include "work/latest_job.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProcess>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace scalebench {

namespace {

constexpr int kMostAnswerBytes = 4 << 20; ///< what an engine may say
constexpr int kMost = 100;                ///< of the room

QString workloadTitle(const QString& id)
{
    const Workload* workload = WorkloadCatalog::instance().find(id);
    return workload ? workload->title : id;
}

bool isPath(const QString& data)
{
    return !data.isEmpty() && data != QLatin1String("generated") &&
           data != QLatin1String("synthetic");
}

/// The names of `scalebench data --json`.
QString factTitle(const QString& name)
{
    const QHash<QString, QString> titles{
        {QStringLiteral("train_samples"), DataDialog::tr("Training samples")},
        {QStringLiteral("eval_samples"), DataDialog::tr("Evaluation samples")},
        {QStringLiteral("format"), DataDialog::tr("Format")},
        {QStringLiteral("classes"), DataDialog::tr("Classes")},
        {QStringLiteral("categories"), DataDialog::tr("Categories")},
        {QStringLiteral("objects"), DataDialog::tr("Objects")},
        {QStringLiteral("test_objects"), DataDialog::tr("Objects to evaluate")},
        {QStringLiteral("users"), DataDialog::tr("Users")},
        {QStringLiteral("items"), DataDialog::tr("Items")},
        {QStringLiteral("vocabulary"), DataDialog::tr("Vocabulary")},
        {QStringLiteral("damaged"), DataDialog::tr("Damaged")},
        {QStringLiteral("bytes_read"), DataDialog::tr("Read")}};
    return titles.value(name, name);
}

QString factText(const QString& name, const QJsonValue& value)
{
    if (name == QLatin1String("bytes_read"))
        return QLocale().formattedDataSize(value.toInteger());
    if (value.isDouble())
        return QLocale().toString(value.toInteger());
    return visibleText(value.toString());
}

} // namespace

DataDialog::DataDialog(const QString& workload, const QString& scale, const QString& path,
                       const MachineInfo& machine, QWidget* parent)
    : QDialog(parent),
      m_workload(workload),
      m_scale(scale),
      m_machine(machine),
      m_path(new QLineEdit(isPath(path) ? path : QString())),
      m_look(new QPushButton(tr("&Look"))),
      m_check(new QPushButton(tr("&Check all of it"))),
      m_make(new QPushButton(tr("&Make the generated set there"))),
      m_stop(new QPushButton(tr("&Stop"))),
      m_use(new QPushButton(tr("&Use in the plan"))),
      m_busy(new QProgressBar),
      m_message(makeLabel(QString())),
      m_table(new DataTable(QStringLiteral("data_facts"), tr("What the data holds"), false)),
      m_facts(new KeyValueModel(this)),
      m_problems(new QPlainTextEdit),
      m_plan(new LatestJob(this))
{
    setObjectName(QStringLiteral("dataDialog"));
    setWindowTitle(tr("Data of %1").arg(workloadTitle(workload)));
    resize(640, 480);
    setupControls();
    refresh();
}

DataDialog::~DataDialog()
{
    stop();
}

void DataDialog::setupControls()
{
    auto* column = new QVBoxLayout(this);
    column->setSpacing(10);
    const Workload* workload = WorkloadCatalog::instance().find(m_workload);
    auto* what = makeLabel(workload && !workload->dataFiles.isEmpty()
                               ? tr("A folder or file with: %1").arg(workload->dataFiles)
                               : tr("A folder or file"),
                           "muted");
    what->setWordWrap(true);
    column->addWidget(what);
    auto* row = new QHBoxLayout;
    m_path->setObjectName(QStringLiteral("dataPath"));
    m_path->setAccessibleName(tr("Data folder or file"));
    auto* more = new QToolButton;
    more->setProperty("outlined", true);
    more->setText(tr("…"));
    more->setAccessibleName(tr("Choose the data folder or file"));
    more->setToolTip(more->accessibleName());
    row->addWidget(m_path, 1);
    row->addWidget(more);
    column->addLayout(row);
    auto* actions = new QHBoxLayout;
    m_look->setObjectName(QStringLiteral("look"));
    m_look->setToolTip(tr("What lies there and how much of it, without reading it all"));
    m_check->setObjectName(QStringLiteral("check"));
    m_check->setToolTip(tr("Reads everything and names what is damaged"));
    m_make->setObjectName(QStringLiteral("make"));
    m_make->setToolTip(tr("Writes the workload's generated set into the folder, in the format of "
                          "the public sets"));
    for (QPushButton* button : {m_look, m_check, m_make})
        actions->addWidget(button);
    actions->addStretch(1);
    column->addLayout(actions);
    m_busy->setRange(0, 0);
    m_busy->setAccessibleName(tr("The data is being read"));
    auto* busyRow = new QHBoxLayout;
    busyRow->addWidget(m_busy, 1);
    busyRow->addWidget(m_stop);
    column->addLayout(busyRow);
    m_message->setObjectName(QStringLiteral("dataMessage"));
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_message);
    m_table->setModel(m_facts);
    m_table->view()->horizontalHeader()->setStretchLastSection(true);
    column->addWidget(m_table, kMost);
    m_problems->setObjectName(QStringLiteral("dataProblems"));
    m_problems->setAccessibleName(tr("What was found in the data"));
    m_problems->setReadOnly(true);
    column->addWidget(m_problems, kMost);
    column->addStretch(1); // where both are hidden
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_use->setObjectName(QStringLiteral("use"));
    buttons->addButton(m_use, QDialogButtonBox::ActionRole);
    column->addWidget(buttons);
    connect(more, &QToolButton::clicked, this, &DataDialog::browse);
    connect(m_path, &QLineEdit::textChanged, this, &DataDialog::refresh);
    connect(m_look, &QPushButton::clicked, this, [this] { ask(QStringLiteral("info")); });
    connect(m_check, &QPushButton::clicked, this, [this] { ask(QStringLiteral("check")); });
    connect(m_make, &QPushButton::clicked, this, [this] { ask(QStringLiteral("make")); });
    connect(m_stop, &QPushButton::clicked, this, [this] {
        stop();
        say(tr("Stopped."), "muted");
    });
    connect(m_use, &QPushButton::clicked, this, [this] {
        Q_EMIT chosen(m_seen);
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

QString DataDialog::path() const
{
    return m_path->text().trimmed();
}

bool DataDialog::isBusy() const
{
    return m_engine != nullptr || m_plan->isBusy();
}

void DataDialog::browse()
{
    QMenu menu(this);
    QAction* folder = menu.addAction(tr("Choose a &folder…"));
    QAction* file = menu.addAction(tr("Choose a &file…"));
    QAction* wanted = menu.exec(QCursor::pos());
    const QString last = AppSettings::instance().lastFolder();
    QString found;
    if (wanted == folder)
        found = QFileDialog::getExistingDirectory(this, tr("Data folder"), last);
    else if (wanted == file)
        found = QFileDialog::getOpenFileName(this, tr("Data file"), last);
    if (!found.isEmpty())
        m_path->setText(found);
}

/// Planning reads the machine's folders, which may take its time.
void DataDialog::ask(const QString& action)
{
    stop();
    m_facts->setPairs({});
    m_problems->clear();
    m_seen.clear();
    const bool make = action == QLatin1String("make");
    say(make                               ? tr("Making the set…")
        : action == QLatin1String("check") ? tr("Reading everything…")
                                           : tr("Looking…"),
        "muted");
    const DataRequest request{action, m_workload, make ? QString() : m_scale, path()};
    m_plan->ask([request, machine = m_machine] { return dataRun(request, machine); },
                [this, action](const Result<QJsonObject>& config) { run(action, config); });
    refresh();
}

void DataDialog::run(const QString& action, const Result<QJsonObject>& config)
{
    if (!config) {
        say(shownText(config.failure().message), "error");
        refresh();
        return;
    }
    m_action = action;
    m_engine = std::make_unique<QProcess>();
    connect(m_engine.get(), &QProcess::finished, this,
            [this](int, QProcess::ExitStatus how) { onFinished(how == QProcess::NormalExit); });
    connect(m_engine.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            onFinished(false);
    });
    QProcess* engine = m_engine.get(); // m_engine may be let go by what start() tells
    engine->start(m_machine.enginePath, {QStringLiteral("data"), action, QStringLiteral("--config"),
                                         QStringLiteral("-"), QStringLiteral("--json")});
    engine->write(QJsonDocument(config.value()).toJson(QJsonDocument::Compact));
    engine->closeWriteChannel();
    refresh();
}

void DataDialog::onFinished(bool whole)
{
    const QByteArray answer = m_engine->readAllStandardOutput().left(kMostAnswerBytes);
    const QString said = visibleText(QString::fromUtf8(m_engine->readAllStandardError())
                                         .left(kMostAnswerBytes)
                                         .remove(QStringLiteral("scalebench-engine: "))
                                         .trimmed());
    const QString error = systemText(m_engine->errorString());
    m_engine->disconnect(this);
    m_engine.release()->deleteLater(); // it is what called
    const QJsonObject facts = QJsonDocument::fromJson(answer).object();
    if (!whole || facts.isEmpty())
        say(said.isEmpty() ? tr("The engine gave no answer: %1").arg(error) : shownText(said),
            "error");
    else
        showFacts(facts);
    refresh();
}

void DataDialog::showFacts(const QJsonObject& facts)
{
    // Those that every workload has come first.
    QStringList names{QStringLiteral("format"), QStringLiteral("train_samples"),
                      QStringLiteral("eval_samples")};
    for (const QString& name : facts.keys())
        if (!names.contains(name) && name != QLatin1String("workload") &&
            name != QLatin1String("source") && name != QLatin1String("path") &&
            !facts.value(name).isArray())
            names << name;
    QList<std::pair<QString, QString>> rows;
    for (const QString& name : std::as_const(names))
        if (facts.contains(name))
            rows << std::pair(factTitle(name), factText(name, facts.value(name)));
    m_facts->setPairs(rows);
    m_table->view()->resizeColumnToContents(0);
    QStringList lines;
    for (const char* list : {"messages", "remarks"})
        for (const QJsonValue& line : facts.value(QLatin1String(list)).toArray())
            lines << shownText(visibleText(line.toString()));
    m_problems->setPlainText(lines.join(QLatin1Char('\n')));
    m_seen = path();
    const int damaged = static_cast<int>(facts.value(QLatin1String("damaged")).toInteger());
    if (damaged > 0)
        say(tr("%n problem(s) found, named below.", nullptr, damaged), "error");
    else if (m_action == QLatin1String("check"))
        say(tr("All of it was read; nothing is damaged."), nullptr);
    else if (m_action == QLatin1String("make"))
        say(tr("The set is there."), nullptr);
    else
        say(tr("Found. Nothing but names and sizes was looked at; a check reads all."), nullptr);
}

void DataDialog::say(const QString& text, const char* role)
{
    m_message->setText(text);
    setStyleProperty(m_message, "role", QString::fromLatin1(role));
}

void DataDialog::stop()
{
    m_plan->forget();
    if (m_engine) {
        m_engine->disconnect(this);
        letGo(std::move(m_engine));
    }
    refresh();
}

void DataDialog::refresh()
{
    const bool busy = isBusy();
    const bool engine = !m_machine.enginePath.isEmpty();
    for (QPushButton* button : {m_look, m_check, m_make})
        button->setEnabled(!busy && engine && !path().isEmpty());
    m_path->setEnabled(!busy);
    m_busy->setVisible(busy);
    m_stop->setVisible(busy);
    m_use->setEnabled(!busy && !m_seen.isEmpty() && m_seen == path());
    m_table->setVisible(m_facts->rowCount() > 0);
    m_problems->setVisible(!m_problems->toPlainText().isEmpty());
    if (!engine)
        say(tr("The training engine, which reads the data, was not found."), "error");
}

} // namespace scalebench
