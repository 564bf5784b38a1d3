// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/translations.h"

#include <QCoreApplication>
#include <QTranslator>

namespace tracedeck::app {
namespace {

/// The translator that was installed, null where there is no such translation.
const QTranslator* install(const QLocale& locale, const QString& name, const QString& folder) {
    auto* texts = new QTranslator(QCoreApplication::instance());
    if (!texts->load(locale, name, QStringLiteral("_"), folder)) {
        delete texts;
        return nullptr;
    }
    QCoreApplication::installTranslator(texts);
    return texts;
}

} // namespace

void installTranslations(const QLocale& locale, const TranslationFolders& folders) {
    // English first, for its plural forms.
    const QString own = QStringLiteral("tracedeck");
    install(QLocale(QLocale::English), own, folders.own);
    const QTranslator* texts = install(locale, own, folders.own);
    if (texts == nullptr) {
        QLocale::setDefault(QLocale(QLocale::English, locale.territory()));
        return;
    }
    // Not the user's first language, but the one that was found: no French buttons in an English window.
    const QLocale found(texts->language());
    install(found.language() == locale.language() ? locale : found, QStringLiteral("qtbase"), folders.qt);
}

} // namespace tracedeck::app
