// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile_list.h"

#include "ui/format.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace tracedeck::ui {

std::vector<ProfileEntry> profilesOf(const profile::Catalog& catalog) {
    std::vector<ProfileEntry> entries;
    for (const profile::CatalogEntry& listed : catalog.entries()) {
        ProfileEntry entry{fromUtf8(listed.name), fromUtf8(listed.description), {}, listed.document};
        const bool isKnown = std::any_of(entries.begin(), entries.end(), [&](const ProfileEntry& known) {
            return known.name.compare(entry.name, Qt::CaseInsensitive) == 0;
        });
        if (isKnown) {
            continue;
        }
        for (const std::string& category : listed.categories) {
            if (const QString text = fromUtf8(category); !entry.categories.contains(text)) {
                entry.categories << text;
            }
        }
        if (entry.description.isEmpty()) {
            entry.description = entry.name;
        }
        if (entry.categories.isEmpty()) {
            entry.categories << QCoreApplication::translate("tracedeck::ui::ProfileModel", "Custom measurements");
        }
        entries.push_back(std::move(entry));
    }
    return entries;
}

std::vector<const profile::Document*> builtInDocuments(const std::vector<ProfileEntry>& profiles) {
    std::vector<const profile::Document*> documents;
    QString folder;
    for (const ProfileEntry& entry : profiles) {
        const QString path = QFileInfo(fromUtf8(entry.document->path)).path(); // of the text: nothing is looked up
        if (folder.isEmpty()) {
            folder = path;
        }
        const bool isKnown = std::find(documents.begin(), documents.end(), entry.document) != documents.end();
        if (path == folder && !isKnown) {
            documents.push_back(entry.document);
        }
    }
    return documents;
}

} // namespace tracedeck::ui
