// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QString>

namespace tracedeck::app {

struct TranslationFolders {
    QString own; ///< tracedeck_de.qm
    QString qt;  ///< qtbase_de.qm
};

/// Translates the program, and Qt's own buttons into the same language: into the first of the user's languages that the
/// program speaks, else everything stays English, with English units and digits as far as the country has ways of its
/// own.
///
/// Ownership: the translators are children of the application object, which must be there.
void installTranslations(const QLocale& locale, const TranslationFolders& folders);

} // namespace tracedeck::app
