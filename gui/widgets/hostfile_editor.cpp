// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hostfile_editor.h"

#include "base/file_io.h"

#include "settings/app_settings.h"
#include "widgets/widgets.h"
#include "work/latest_job.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace scalebench {

namespace {
constexpr int kMinHostLines = 2, kMostHostLines = 6;
constexpr int kMaxRemarks = 4;
constexpr qint64 kMaxBytes = 4 << 20;
} // namespace

HostfileEditor::HostfileEditor(QWidget* parent)
    : QWidget(parent),
      m_path(new QLineEdit),
      m_text(new QPlainTextEdit),
      m_remarks(makeLabel(QString(), "warning")),
      m_fix(new QPushButton(tr("Fix &all"))),
      m_undo(new QPushButton(tr("&Undo the fix"))),
      m_save(new QPushButton(tr("&Save the file"))),
      m_file(new LatestJob(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(5);
    auto* row = new QHBoxLayout;
    m_path->setPlaceholderText(tr("path of an Open MPI hostfile; or drop the file on this page"));
    m_path->setAccessibleName(tr("Path of the hostfile"));
    m_path->setAcceptDrops(false);
    auto* browse = new QToolButton;
    browse->setProperty("outlined", true);
    browse->setText(tr("…"));
    browse->setAccessibleName(tr("Choose a hostfile"));
    browse->setToolTip(browse->accessibleName());
    row->addWidget(m_path, 1);
    row->addWidget(browse);
    column->addLayout(row);
    m_text->setAccessibleName(tr("Text of the hostfile"));
    m_text->setProperty("mono", true);
    m_text->setProperty("well", true);
    m_text->setTabChangesFocus(true);
    m_text->setAcceptDrops(false);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    column->addWidget(m_text);
    setupRemarks();
    setFocusProxy(m_path);
    connect(browse, &QToolButton::clicked, this, &HostfileEditor::browse);
    connect(m_path, &QLineEdit::textChanged, this, [this] {
        readFile();
        Q_EMIT edited();
    });
    connect(m_text, &QPlainTextEdit::textChanged, this, &HostfileEditor::textEdited);
    readFile();
}

void HostfileEditor::setupRemarks()
{
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    m_remarks->setWordWrap(true);
    m_remarks->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(m_remarks, 1);
    row->addWidget(m_fix, 0, Qt::AlignTop);
    row->addWidget(m_undo, 0, Qt::AlignTop);
    row->addWidget(m_save, 0, Qt::AlignTop);
    m_fix->setObjectName(QStringLiteral("fixHostfile"));
    m_fix->setToolTip(tr("Write the hostfile as Open MPI wants it"));
    m_undo->hide();
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    connect(m_fix, &QPushButton::clicked, this, &HostfileEditor::fixAll);
    connect(m_undo, &QPushButton::clicked, this, [this] { writeFile(m_before, false); });
    connect(m_save, &QPushButton::clicked, this, [this] { writeFile(m_raw, false); });
}

QString HostfileEditor::path() const
{
    return m_path->text().trimmed();
}

void HostfileEditor::setPath(const QString& path)
{
    if (path != this->path())
        m_path->setText(path);
    else
        readFile();
}

struct HostfileEditor::Contents {
    QByteArray text;
    QString problem;   ///< why there is none
    bool undo = false; ///< it was put right, which can be taken back
};

bool HostfileEditor::isReading() const
{
    return m_file->isBusy();
}

HostfileEditor::Contents HostfileEditor::readContents(const QString& path)
{
    const QFileInfo info(path);
    if (!info.exists())
        return {{}, tr("“%1” does not exist.").arg(path)};
    if (info.isDir())
        return {{}, tr("“%1” is a folder; choose the hostfile in it.").arg(path)};
    if (info.size() > kMaxBytes)
        return {{}, tr("“%1” is too large for a hostfile.").arg(path)};
    const Result<QByteArray> bytes = scalebench::readFile(path, kMaxBytes);
    return bytes ? Contents{bytes.value(), {}} : Contents{{}, bytes.failure().message};
}

/// Off the window's thread: what is typed may lead to a folder that does not answer.
void HostfileEditor::readFile()
{
    if (path().isEmpty()) {
        m_file->forget();
        show({{}, tr("Choose a hostfile, or type the hosts as a list.")});
        return;
    }
    m_problem = m_readProblem = tr("The hostfile is being read.");
    m_file->ask([path = path()] { return readContents(path); },
                [this](const Contents& contents) {
                    show(contents);
                    Q_EMIT wasRead();
                });
}

void HostfileEditor::show(const Contents& contents)
{
    m_undo->setVisible(contents.undo);
    m_save->hide();
    m_readProblem = contents.problem;
    m_raw = contents.text;
    m_hostfile = parseHostfile(m_raw);
    m_loading = true;
    if (const QString text = QString::fromUtf8(m_raw); m_text->toPlainText() != text)
        m_text->setPlainText(text); // else the cursor stays where it is
    m_text->setVisible(m_readProblem.isEmpty());
    const int lines = std::clamp(m_text->blockCount(), kMinHostLines, kMostHostLines);
    m_text->setFixedHeight(lines * m_text->fontMetrics().lineSpacing() + 22);
    m_loading = false;
    showRemarks();
}

void HostfileEditor::textEdited()
{
    if (m_loading)
        return;
    m_undo->hide();
    m_raw = m_text->toPlainText().toUtf8();
    m_hostfile = parseHostfile(m_raw);
    showRemarks();
    m_save->show();
    Q_EMIT edited();
}

void HostfileEditor::writeFile(const QByteArray& text, bool undo)
{
    struct Written {
        QByteArray before;
        QString problem;
        Contents now;
    };
    m_file->ask(
        [path = path(), text, undo] {
            Written written;
            if (const Result<QByteArray> bytes = scalebench::readFile(path, kMaxBytes))
                written.before = bytes.value();
            if (const Result<void> done = writeChosenFile(path, text); !done) {
                written.problem = done.failure().message;
                return written;
            }
            written.now = readContents(path);
            written.now.undo = undo;
            return written;
        },
        [this](const Written& written) {
            if (!written.problem.isEmpty()) {
                m_problem = written.problem;
                m_remarks->setText(m_problem);
                m_remarks->show();
                return;
            }
            m_before = written.before;
            show(written.now);
            Q_EMIT wasRead();
        });
}

void HostfileEditor::fixAll()
{
    writeFile(m_hostfile.fixedText.toUtf8(), true);
}

void HostfileEditor::showRemarks()
{
    QStringList lines;
    m_problem = m_readProblem;
    for (const HostfileRemark& remark : std::as_const(m_hostfile.remarks)) {
        if (!m_readProblem.isEmpty())
            break;
        if (remark.isError && m_problem.isEmpty())
            m_problem = remark.message;
        if (lines.size() < kMaxRemarks)
            lines << remark.message;
    }
    const auto rest = m_hostfile.remarks.size() - lines.size();
    if (m_readProblem.isEmpty() && rest > 0)
        lines << tr("… and %n more", nullptr, static_cast<int>(rest));
    if (!m_readProblem.isEmpty() && !path().isEmpty())
        lines << m_readProblem;
    m_remarks->setText(lines.join(QLatin1Char('\n')));
    m_remarks->setVisible(!lines.isEmpty());
    setStyleProperty(m_remarks, "role",
                     m_problem.isEmpty() ? QStringLiteral("warning") : QStringLiteral("error"));
    m_fix->setVisible(m_readProblem.isEmpty() && !m_hostfile.remarks.isEmpty() &&
                      m_hostfile.fixedText.toUtf8() != m_raw);
}

void HostfileEditor::browse()
{
    const QString file = QFileDialog::getOpenFileName(this, tr("Choose a hostfile"),
                                                      AppSettings::instance().lastFolder());
    if (file.isEmpty())
        return;
    AppSettings::instance().setLastFolder(QFileInfo(file).absolutePath());
    m_path->setText(file);
}

} // namespace scalebench
