// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_palette.h"

#include "widgets/command_delegate.h"
#include "widgets/widgets.h"

#include <QAction>
#include <QApplication>
#include <QGraphicsDropShadowEffect>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QVBoxLayout>

#include <algorithm>

namespace scalebench {

namespace {

constexpr int kVisibleRows = 12;
constexpr char kIconProperty[] = "iconName";

QString plain(const QString& text)
{
    QString title;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == QLatin1Char('&') && ++i == text.size())
            break;
        title += text[i];
    }
    return title;
}

void collect(QMenu* menu, const QString& where, QList<Command>& commands)
{
    Q_EMIT menu->aboutToShow(); // some fill themselves then
    for (QAction* action : menu->actions()) {
        if (!action->isEnabled() || !action->isVisible() || action->isSeparator())
            continue;
        if (action->menu()) {
            collect(action->menu(),
                    QCoreApplication::translate("CommandPalette", "%1 › %2")
                        .arg(where, plain(action->text())),
                    commands);
            continue;
        }
        // One that stands in two menus is one command, where it is called a page's.
        commands.removeIf([action](const Command& other) { return other.action == action; });
        Command command;
        command.action = action;
        command.title = plain(action->text());
        command.where = where;
        command.shortcut = action->shortcut().toString(QKeySequence::NativeText);
        command.icon = action->property(kIconProperty).toString();
        command.run = [action = QPointer<QAction>(action)] {
            if (action)
                action->trigger();
        };
        commands << command;
    }
}

} // namespace

QList<Command> commandsOf(const QMenuBar* bar)
{
    QList<Command> commands;
    for (const QAction* top : bar->actions())
        if (top->menu())
            collect(top->menu(), plain(top->text()), commands);
    // Pages first: to go somewhere is what is wanted most.
    std::stable_partition(commands.begin(), commands.end(),
                          [](const Command& command) { return !command.icon.isEmpty(); });
    return commands;
}

QList<Command> commandsOf(QMenu* menu, const QString& where)
{
    QList<Command> commands;
    collect(menu, plain(where), commands);
    return commands;
}

CommandPalette::CommandPalette(QWidget* parent)
    : QFrame(parent),
      m_model(new CommandModel(this)),
      m_edit(new QLineEdit),
      m_list(new QListView),
      m_nothing(makeLabel(tr("Nothing is called that."), "muted"))
{
    setObjectName(QStringLiteral("commandPalette"));
    setAccessibleName(tr("Command palette"));
    auto* column = new QVBoxLayout(this);
    const int gap = fontMetrics().height() / 2;
    column->setContentsMargins(gap, gap, gap, gap);
    column->setSpacing(gap);
    m_edit->setPlaceholderText(tr("Type what you want to do, or where to go"));
    m_edit->setAccessibleName(tr("Command"));
    m_edit->installEventFilter(this);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new CommandDelegate(m_list));
    m_list->setAccessibleName(tr("Commands"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setUniformItemSizes(true);
    m_list->setMouseTracking(true);
    m_nothing->setAlignment(Qt::AlignCenter);
    column->addWidget(m_edit);
    column->addWidget(m_list);
    column->addWidget(m_nothing);
    auto* shadow = new QGraphicsDropShadowEffect(this);
    shadow->setBlurRadius(3 * gap);
    shadow->setOffset(0, gap / 2.0);
    setGraphicsEffect(shadow);
    hide();
    parent->installEventFilter(this);
    connect(m_edit, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListView::entered, m_list, &QListView::setCurrentIndex);
    connect(m_list, &QListView::clicked, this, &CommandPalette::choose);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, const QWidget* now) {
        if (isVisible() && now && !isAncestorOf(now))
            hide();
    });
}

void CommandPalette::open(const QList<Command>& commands)
{
    if (!isVisible())
        m_before = window()->focusWidget();
    m_model->setCommands(commands);
    m_edit->clear();
    filter({});
    show();
    raise();
    m_edit->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::close()
{
    hide();
    if (m_before)
        m_before->setFocus();
}

void CommandPalette::filter(const QString& typed)
{
    m_model->setFilter(typed);
    const int rows = std::min(m_model->rowCount(), kVisibleRows);
    m_list->setVisible(rows > 0);
    m_nothing->setVisible(rows == 0);
    m_list->setFixedHeight(rows * m_list->fontMetrics().height() * 2 + 4);
    m_list->setCurrentIndex(m_model->index(0));
    m_list->scrollToTop();
    place();
}

/// In the middle, below the menus, as wide as a long line.
void CommandPalette::place()
{
    const QWidget* over = parentWidget();
    const int width = std::min(fontMetrics().averageCharWidth() * 88, over->width() - 40);
    layout()->activate();
    resize(width, layout()->sizeHint().height());
    QFrame::move((over->width() - width) / 2, over->height() / 12);
}

void CommandPalette::move(int rows)
{
    const int count = m_model->rowCount();
    if (count == 0)
        return;
    const int row = m_list->currentIndex().row() + rows;
    // One step goes round, a page stops at the end.
    m_list->setCurrentIndex(m_model->index(std::abs(rows) == 1 ? (row + count) % count
                                                               : std::clamp(row, 0, count - 1)));
}

void CommandPalette::choose()
{
    const QModelIndex index = m_list->currentIndex();
    if (!index.isValid())
        return;
    const Command command = m_model->command(index.row());
    close();
    command.run();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parent()) {
        if (event->type() == QEvent::Resize && isVisible())
            place();
        return false;
    }
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
        return false;
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool isOurs = key == Qt::Key_Escape || key == Qt::Key_Up || key == Qt::Key_Down ||
                        key == Qt::Key_PageUp || key == Qt::Key_PageDown || key == Qt::Key_Return ||
                        key == Qt::Key_Enter;
    if (!isOurs)
        return false;
    event->accept();
    if (event->type() == QEvent::ShortcutOverride)
        return true; // the key press follows
    if (key == Qt::Key_Escape)
        close();
    else if (key == Qt::Key_Return || key == Qt::Key_Enter)
        choose();
    else if (key == Qt::Key_Up || key == Qt::Key_Down)
        move(key == Qt::Key_Up ? -1 : 1);
    else
        move(key == Qt::Key_PageUp ? -kVisibleRows : kVisibleRows);
    return true;
}

} // namespace scalebench
