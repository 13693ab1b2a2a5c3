// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_pictures.h"

#include "base/file_io.h"
#include "base/let_go.h"
#include "base/plain_text.h"
#include "machine/this_computer.h"
#include "run/drawn_pictures.h"
#include "widgets/widgets.h"

#include <QFileInfo>
#include <QImageReader>
#include <QLabel>
#include <QPixmap>
#include <QProcess>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace scalebench {

/// The engine enlarges small pictures, and no more than this is ever shown.
static constexpr int kMostEdge = 16384;

RunPictures::RunPictures(QWidget* parent)
    : QWidget(parent), m_message(makeLabel(QString(), "muted")), m_scroll(new QScrollArea)
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 8, 0, 0);
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    outer->addWidget(m_message);
    auto* inner = new QWidget;
    m_column = new QVBoxLayout(inner);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->addStretch();
    m_scroll->setWidget(inner);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    outer->addWidget(m_scroll, 1);
}

RunPictures::~RunPictures()
{
    clear();
}

QString RunPictures::message() const
{
    return m_message->text();
}

void RunPictures::setRun(const QString& runDir)
{
    const QDateTime written = QFileInfo(runDir + QStringLiteral("/pictures.json")).lastModified();
    if (runDir == m_runDir && written == m_written)
        return;
    clear();
    m_runDir = runDir;
    m_written = written;
    m_wanted = true;
    if (isVisible())
        draw();
}

void RunPictures::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    draw();
}

void RunPictures::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

void RunPictures::clear()
{
    if (m_engine) { // of another run: its answer is not waited for
        letGo(std::move(m_engine));
    }
    for (const View& view : m_views)
        delete view.picture->parentWidget();
    m_views.clear();
    m_folder.reset();
    m_message->clear();
}

void RunPictures::draw()
{
    if (!std::exchange(m_wanted, false))
        return;
    const QString engine = findProgram(QStringLiteral("scalebench-engine"));
    m_folder = std::make_unique<QTemporaryDir>();
    if (engine.isEmpty() || !m_folder->isValid()) {
        m_message->setText(engine.isEmpty() ? tr("The training engine, which draws the pictures, "
                                                 "was not found.")
                                            : tr("No temporary folder could be made."));
        Q_EMIT drawn();
        return;
    }
    m_message->setText(tr("Drawing the pictures…"));
    m_engine = std::make_unique<QProcess>();
    connect(m_engine.get(), &QProcess::finished, this, [this](int code, QProcess::ExitStatus how) {
        onFinished(code == 0 && how == QProcess::NormalExit);
    });
    connect(m_engine.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            onFinished(false);
    });
    m_engine->start(engine, drawPicturesArguments(m_runDir, m_folder->path()));
}

void RunPictures::onFinished(bool good)
{
    if (!good) {
        const QString said = QString::fromUtf8(m_engine->readAllStandardError())
                                 .remove(QStringLiteral("scalebench-engine: "))
                                 .trimmed();
        m_message->setText(said.isEmpty() ? systemText(m_engine->errorString())
                                          : visibleText(said));
        Q_EMIT drawn();
        return;
    }
    QString remarks;
    for (const DrawnPicture& picture : parseDrawnPictures(m_engine->readAllStandardOutput())) {
        if (picture.file.isEmpty())
            remarks += QStringLiteral(" ") + picture.text + QStringLiteral(".");
        else
            addPicture(m_folder->filePath(picture.file), picture.text);
    }
    m_message->setText(tr("Pictures of the last evaluation. Green: what is there; orange: what the "
                          "run found, with its score.") +
                       remarks);
    fit();
    Q_EMIT drawn();
}

void RunPictures::addPicture(const QString& path, const QString& text)
{
    QImageReader reader(path);
    const QSize size = reader.size();
    if (!size.isValid() || size.width() > kMostEdge || size.height() > kMostEdge)
        return;
    const QPixmap pixmap = QPixmap::fromImage(reader.read());
    auto* card = new QWidget;
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(0, 0, 0, 12);
    auto* picture = new QLabel;
    picture->setAccessibleName(text);
    picture->setMinimumSize(1, 1);
    QLabel* caption = makeLabel(text, "small");
    caption->setTextFormat(Qt::PlainText);
    caption->setWordWrap(true);
    column->addWidget(picture);
    column->addWidget(caption);
    m_column->insertWidget(m_column->count() - 1, card);
    m_views.append({picture, pixmap});
}

void RunPictures::fit()
{
    const int room = m_scroll->viewport()->width() - 2;
    for (const View& view : m_views) {
        const int width = std::min(room, view.pixmap.width());
        view.picture->setPixmap(
            view.pixmap.scaledToWidth(std::max(1, width), Qt::SmoothTransformation));
    }
}

} // namespace scalebench
