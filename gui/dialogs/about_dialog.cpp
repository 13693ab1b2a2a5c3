// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/about_dialog.h"

#include "charts/plot_library.h"
#include "settings/language.h"
#include "study/machine_info.h"
#include "widgets/widgets.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QIcon>
#include <QJsonArray>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableWidget>
#include <QVBoxLayout>

namespace scalebench {

namespace {

class AboutDialogTexts
{
    Q_DECLARE_TR_FUNCTIONS(About)
};

/// As the engine's probe names it: "cpu (oneDNN 2.6.3, AVX-512 with bf16)".
QString oneDnnVersion(const QJsonObject& probe)
{
    static const QRegularExpression kVersion(QStringLiteral("oneDNN ([0-9.]+)"));
    for (const QJsonValue& device : probe[QStringLiteral("devices")].toArray()) {
        const auto match = kVersion.match(device[QStringLiteral("backend")].toString());
        if (match.hasMatch())
            return match.captured(1);
    }
    return {};
}

QString asText(const QList<Component>& list)
{
    QStringList lines;
    for (const Component& part : list)
        lines << QStringList{part.name, part.version, part.licence}.join(QLatin1Char('\t'));
    return lines.join(QLatin1Char('\n'));
}

QTableWidget* makeTable(const QList<Component>& list)
{
    auto* table = new QTableWidget(static_cast<int>(list.size()), 3);
    table->setHorizontalHeaderLabels({AboutDialogTexts::tr("Part"), AboutDialogTexts::tr("Version"),
                                      AboutDialogTexts::tr("Licence")});
    table->setAccessibleName(AboutDialogTexts::tr("Versions and licences"));
    table->verticalHeader()->hide();
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    for (int row = 0; row < table->rowCount(); ++row) {
        const Component& part = list[row];
        int column = 0;
        for (const QString& cell :
             {part.name, part.version.isEmpty() ? QStringLiteral("–") : part.version, part.licence})
            table->setItem(row, column++, new QTableWidgetItem(cell));
    }
    table->resizeColumnsToContents();
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    return table;
}

} // namespace

QList<Component> components(const MachineInfo& machine)
{
    const QString gpl3 = QStringLiteral("GPL-3.0"), mit = QStringLiteral("MIT"),
                  bsd3 = QStringLiteral("BSD-3-Clause"),
                  nvidia = AboutDialogTexts::tr("NVIDIA's own");
    QList<Component> list{
        {QStringLiteral("Scalebench"), QStringLiteral(SB_VERSION),
         gpl3 + QStringLiteral("-or-later")},
        {AboutDialogTexts::tr("Training engine"), machine.engineVersion,
         gpl3 + QStringLiteral("-or-later")},
        {QStringLiteral("Qt"), QString::fromLatin1(qVersion()), QStringLiteral("LGPL-3.0")},
        {QStringLiteral("QCustomPlot"), plotLibraryVersion(), gpl3},
        {QStringLiteral("Open MPI"), machine.mpirunVersion, bsd3},
        {QStringLiteral("oneDNN"), oneDnnVersion(machine.engineProbe),
         QStringLiteral("Apache-2.0")},
        {QStringLiteral("SQLite"), {}, AboutDialogTexts::tr("public domain")},
        {QStringLiteral("libarchive"), {}, QStringLiteral("BSD-2-Clause")},
        {QStringLiteral("libjpeg-turbo"), {}, QStringLiteral("IJG, BSD-3-Clause, Zlib")},
        {QStringLiteral("libpng"), {}, QStringLiteral("libpng-2.0")},
        {QStringLiteral("zlib"), {}, QStringLiteral("Zlib")},
        {QStringLiteral("utf8proc"), {}, mit},
        {QStringLiteral("JSON for Modern C++"), {}, mit},
        {QStringLiteral("CLI11"), {}, bsd3}};
    const QJsonObject cuda = machine.engineProbe[QStringLiteral("cuda")].toObject();
    const auto add = [&](const QString& name, const char* key, const QString& licence) {
        if (const QString version = cuda[QLatin1String(key)].toString(); !version.isEmpty())
            list.append({name, version, licence});
    };
    add(AboutDialogTexts::tr("NVIDIA driver, up to CUDA"), "driver_cuda", nvidia);
    add(QStringLiteral("CUDA"), "toolkit", nvidia);
    add(QStringLiteral("cuBLAS"), "cublas", nvidia);
    add(QStringLiteral("cuDNN"), "cudnn", nvidia);
    add(QStringLiteral("NCCL"), "nccl", bsd3);
    return list;
}

void showAbout(QWidget* parent, const MachineInfo& machine)
{
    const QList<Component> list = components(machine);
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(AboutDialogTexts::tr("About Scalebench"));
    auto* column = new QVBoxLayout(dialog);
    const int letter = dialog->fontMetrics().averageCharWidth();
    column->setContentsMargins(3 * letter, 2 * letter, 3 * letter, 2 * letter);
    auto* head = new QHBoxLayout;
    auto* picture = new QLabel;
    picture->setPixmap(
        QIcon(QStringLiteral(":/scalebench/icons/com.scalebench.Workbench.svg")).pixmap(72, 72));
    auto* words = new QVBoxLayout;
    words->addWidget(
        makeLabel(QStringLiteral("Scalebench %1").arg(QStringLiteral(SB_VERSION)), "title"));
    words->addWidget(makeLabel(
        AboutDialogTexts::tr("Measures how well deep-learning training scales."), "subtitle"));
    head->addWidget(picture);
    head->addSpacing(2 * letter);
    head->addLayout(words, 1);
    column->addLayout(head);
    column->addWidget(makeTable(list), 1);
    auto* gpus = makeLabel(
        machine.gpus.isEmpty()
            ? machine.cudaReason.isEmpty() ? AboutDialogTexts::tr("No GPU is used here.")
                                           : AboutDialogTexts::tr("No GPU is used here: %1.")
                                                 .arg(shownText(machine.cudaReason))
            : AboutDialogTexts::tr("GPUs: %1").arg(machine.gpus.join(QStringLiteral(", "))));
    gpus->setWordWrap(true);
    column->addWidget(gpus);
    auto* terms = makeLabel(
        AboutDialogTexts::tr("Licence: GPL-3.0-or-later. Results are not verified by MLCommons "
                             "Association."),
        "small");
    terms->setWordWrap(true);
    column->addWidget(terms);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* copy =
        buttons->addButton(AboutDialogTexts::tr("&Copy versions"), QDialogButtonBox::ActionRole);
    QObject::connect(copy, &QPushButton::clicked, dialog,
                     [list] { QGuiApplication::clipboard()->setText(asText(list)); });
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    column->addWidget(buttons);
    dialog->resize(letter * 82, letter * 84);
    dialog->open();
}

} // namespace scalebench
