// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN
#include "core/profile/catalog.h"
#endif

#include <QString>
#include <QStringList>

#include <vector>

namespace tracedeck::ui {

/// One profile as people know it: all variants of one name.
struct ProfileEntry {
    QString name;           ///< "CPU", for the command line
    QString description;    ///< "CPU usage", what the list shows
    QStringList categories; ///< at least one
    const profile::Document* document = nullptr;
};

/// The profiles of a catalog, in its order. A name that two files define belongs to the first.
[[nodiscard]] std::vector<ProfileEntry> profilesOf(const profile::Catalog& catalog);

/// The documents that come along with the program: those of the folder that the first profile is from, since that is
/// the folder that wins over the others.
[[nodiscard]] std::vector<const profile::Document*> builtInDocuments(const std::vector<ProfileEntry>& profiles);

} // namespace tracedeck::ui
