// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/settings/settings_page.h"

#include "library/library.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "settings/app_settings.h"
#include "settings/language.h"
#include "settings/theme_manager.h"
#include "widgets/choice_box.h"
#include "widgets/flow_layout.h"
#include "widgets/form_field.h"
#include "widgets/inline_bar.h"
#include "widgets/widgets.h"

#include <QCheckBox>
#include <QColorDialog>
#include <QComboBox>
#include <QFileDialog>
#include <QToolButton>
#include <QVBoxLayout>

namespace scalebench {

namespace {

constexpr int kSettingsWidth = 760;

/// A card with a heading, in the column.
QVBoxLayout* addCard(QBoxLayout* column, const QString& title)
{
    auto* card = makeCard();
    auto* inside = new QVBoxLayout(card);
    inside->setContentsMargins(18, 14, 18, 16);
    inside->setSpacing(10);
    inside->addWidget(makeLabel(title, "section"));
    column->addWidget(card);
    return inside;
}

} // namespace

SettingsPage::SettingsPage(Session* session, QWidget* parent)
    : Page(parent),
      m_session(session),
      m_theme(new ChoiceBox),
      m_language(new ChoiceBox),
      m_atStart(makeLabel(QString(), "small")),
      m_library(makeLabel(QString())),
      m_bar(new InlineBar),
      m_awake(new QCheckBox(tr("Keep this computer &awake while a study trains on it"))),
      m_notices(new QCheckBox(tr("&Tell of a study's end while the window is not looked at"))),
      m_scale(new ChoiceBox),
      m_light(new QCheckBox(tr("&Light theme, for print")))
{
    QVBoxLayout* const column = addCentredColumn(this, kSettingsWidth);
    column->addWidget(makeLabel(tr("Settings"), "title"));
    addLooks(column);
    addColors(column);
    addLibrary(column);
    addDesktop(column);
    addExports(column);
    addKeys(column);
    column->addStretch(1);
    refresh();
    connect(&AppSettings::instance(), &AppSettings::themeChanged, this,
            &SettingsPage::refreshLooks);
    connect(&AppSettings::instance(), &AppSettings::languageChanged, this,
            &SettingsPage::refreshLooks, Qt::QueuedConnection); // once it is in force
    connect(session->library(), &StudyLibrary::placeChanged, this, [this] {
        m_bar->clear();
        refresh();
    });
    connect(session, &Session::libraryRefused, this, [this](const Failure& failure) {
        m_bar->showFailure(failure);
        m_session->showPage(page_id::kSettings); // chosen in the menu it may not be to be seen
    });
}

void SettingsPage::addLooks(QBoxLayout* column)
{
    QVBoxLayout* card = addCard(column, tr("Looks and language"));
    auto* fields = new FlowLayout;
    card->addLayout(fields);
    m_theme->addItem(tr("As the system"), int(ThemeChoice::System));
    m_theme->addItem(tr("Light"), int(ThemeChoice::Light));
    m_theme->addItem(tr("Dark"), int(ThemeChoice::Dark));
    m_theme->addItem(tr("High contrast"), int(ThemeChoice::Contrast));
    for (const QString& language : QStringList{QStringLiteral("system")} + languages())
        m_language->addItem(language == QLatin1String("system") ? tr("As the system")
                                                                : languageTitle(language),
                            language);
    fields->addWidget(new FormField(tr("The&me"), m_theme));
    fields->addWidget(new FormField(tr("Langua&ge"), m_language));
    m_atStart->setObjectName(QStringLiteral("givenAtStart"));
    m_atStart->setWordWrap(true);
    card->addWidget(m_atStart);
    connect(m_theme, &QComboBox::activated, this, [this] {
        AppSettings::instance().setTheme(static_cast<ThemeChoice>(m_theme->currentData().toInt()));
    });
    connect(m_language, &QComboBox::activated, this,
            [this] { AppSettings::instance().setLanguage(m_language->currentData().toString()); });
}

void SettingsPage::addColors(QBoxLayout* column)
{
    QVBoxLayout* card = addCard(column, tr("Colours of lines and bars, in all charts"));
    auto* row = new FlowLayout;
    card->addLayout(row);
    for (int slot = 0; slot < Theme::day().series.size(); ++slot) {
        auto* button = new QToolButton;
        button->setObjectName(QStringLiteral("color:%1").arg(slot));
        button->setProperty("outlined", true);
        button->setAccessibleName(tr("Colour %1").arg(slot + 1));
        button->setToolTip(tr("Choose colour %1").arg(slot + 1));
        connect(button, &QToolButton::clicked, this, [this, slot] { chooseColor(slot); });
        m_colors << button;
        row->addWidget(button);
    }
    auto* usual = new QPushButton(tr("Us&ual colours"));
    row->addWidget(usual);
    connect(usual, &QPushButton::clicked, this,
            [] { ThemeManager::instance().setSeriesColors({}); });
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &SettingsPage::refreshColors);
    refreshColors();
}

void SettingsPage::chooseColor(int slot)
{
    auto* dialog = new QColorDialog(ThemeManager::instance().theme().seriesColor(slot), window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Colour %1").arg(slot + 1));
    connect(dialog, &QColorDialog::colorSelected, this, [slot](const QColor& color) {
        QList<QColor> colors = AppSettings::instance().seriesColors();
        colors.resize(std::max<qsizetype>(colors.size(), slot + 1));
        colors[slot] = color;
        ThemeManager::instance().setSeriesColors(colors);
    });
    dialog->open();
}

void SettingsPage::refreshColors()
{
    const int side = fontMetrics().height();
    for (int slot = 0; slot < m_colors.size(); ++slot) {
        QPixmap swatch(QSize(side, side) * devicePixelRatioF());
        swatch.fill(ThemeManager::instance().theme().seriesColor(slot));
        swatch.setDevicePixelRatio(devicePixelRatioF());
        m_colors[slot]->setIcon(swatch);
    }
}

void SettingsPage::addLibrary(QBoxLayout* column)
{
    QVBoxLayout* card = addCard(column, tr("Library: where runs are kept"));
    m_library->setWordWrap(true);
    m_library->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    card->addWidget(m_library);
    card->addWidget(m_bar);
    auto* choose = new QPushButton(tr("&Choose a folder…"));
    auto* usual = new QPushButton(tr("Usual f&older"));
    auto* buttons = new FlowLayout;
    buttons->addWidget(choose);
    buttons->addWidget(usual);
    card->addLayout(buttons);
    connect(choose, &QPushButton::clicked, this, &SettingsPage::chooseLibrary);
    connect(usual, &QPushButton::clicked, m_session,
            [this] { m_session->useLibrary(LibraryPlace()); });
}

void SettingsPage::chooseLibrary()
{
    const QString now = m_session->library()->place().dir;
    const QString dir = QFileDialog::getExistingDirectory(
        this, tr("Folder where runs are kept"), now.isEmpty() ? Library::defaultDir() : now);
    if (!dir.isEmpty())
        m_session->useLibrary({dir});
}

void SettingsPage::addDesktop(QBoxLayout* column)
{
    QVBoxLayout* card = addCard(column, tr("While a study trains"));
    card->addWidget(m_awake);
    card->addWidget(m_notices);
    connect(m_awake, &QCheckBox::clicked, &AppSettings::instance(), &AppSettings::setKeepsAwake);
    connect(m_notices, &QCheckBox::clicked, &AppSettings::instance(), &AppSettings::setNotifies);
}

void SettingsPage::addExports(QBoxLayout* column)
{
    QVBoxLayout* card = addCard(column, tr("Exported pictures"));
    for (int scale = 1; scale <= 4; ++scale)
        m_scale->addItem(tr("%1 × resolution").arg(scale), scale);
    auto* fields = new FlowLayout;
    card->addLayout(fields);
    fields->addWidget(new FormField(tr("&PNG pictures"), m_scale));
    card->addWidget(m_light);
    connect(m_scale, &QComboBox::activated, this,
            [this] { AppSettings::instance().setExportScale(m_scale->currentData().toInt()); });
    connect(m_light, &QCheckBox::clicked, &AppSettings::instance(),
            &AppSettings::setExportLightTheme);
}

void SettingsPage::addKeys(QBoxLayout* column)
{
    QVBoxLayout* card = addCard(column, tr("Keys and traces"));
    auto* buttons = new FlowLayout;
    card->addLayout(buttons);
    auto* keys = new QPushButton(tr("&Keyboard shortcuts…"));
    auto* forget = new QPushButton(tr("Forget recent f&iles"));
    buttons->addWidget(keys);
    buttons->addWidget(forget);
    connect(keys, &QPushButton::clicked, m_session, &Session::shortcutsWanted);
    connect(forget, &QPushButton::clicked, &AppSettings::instance(), &AppSettings::forgetRecent);
}

/// What is in force, and what the next start would bring instead.
void SettingsPage::refreshLooks()
{
    const auto& settings = AppSettings::instance();
    QStringList saved;
    const auto show = [&saved](QComboBox* box, QString title, const QVariant& inForce,
                               const QVariant& kept) {
        box->setCurrentIndex(std::max(0, box->findData(inForce)));
        if (inForce != kept)
            saved << QStringLiteral("%1: %2").arg(title.remove(u'&'),
                                                  box->itemText(std::max(0, box->findData(kept))));
    };
    show(m_theme, tr("The&me"), int(ThemeManager::instance().choice()), int(settings.theme()));
    show(m_language, tr("Langua&ge"), languageInForce(settings.language()), settings.language());
    m_atStart->setText(tr("Given at the start (--theme, --language), until the window closes; "
                          "another choice is saved for the next start (%1).")
                           .arg(saved.join(QStringLiteral(", "))));
    m_atStart->setHidden(saved.isEmpty());
}

void SettingsPage::refresh()
{
    refreshLooks();
    const auto& settings = AppSettings::instance();
    const QString dir = m_session->library()->place().dir;
    m_library->setText(dir.isEmpty() ? Library::defaultDir() : dir);
    m_awake->setChecked(settings.keepsAwake());
    m_notices->setChecked(settings.notifies());
    m_scale->setCurrentIndex(m_scale->findData(settings.exportScale()));
    m_light->setChecked(settings.exportLightTheme());
}

} // namespace scalebench
