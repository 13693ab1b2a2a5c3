// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/host_key_dialog.h"

#include "preflight/host_keys.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace scalebench {

namespace {
class HostKeyDialogTexts
{
    Q_DECLARE_TR_FUNCTIONS(HostKeyDialog)
};
} // namespace

bool askToTrust(QWidget* parent, const HostKey& key)
{
    QMessageBox box(QMessageBox::Question, HostKeyDialogTexts::tr("Trust a new host"),
                    HostKeyDialogTexts::tr("Is this the key of %1?").arg(key.host),
                    QMessageBox::NoButton, parent);
    // Plain text: what a host sends is not markup.
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(
        HostKeyDialogTexts::tr(
            "%1 key, fingerprint\n%2\n\nThis computer does not know the host yet. Compare the "
            "fingerprint with the one its administrator gives. If you trust it, the key is added "
            "to %3.")
            .arg(key.type, key.fingerprint, key.knownHostsFile));
    box.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    QPushButton* trust =
        box.addButton(HostKeyDialogTexts::tr("&Trust this key"), QMessageBox::AcceptRole);
    QPushButton* no =
        box.addButton(HostKeyDialogTexts::tr("&Do not trust"), QMessageBox::RejectRole);
    box.setDefaultButton(no);
    box.setEscapeButton(no);
    box.exec();
    return box.clickedButton() == trust;
}

} // namespace scalebench
