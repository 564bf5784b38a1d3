// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/selection.h"

#include "core/profile/system_keywords.h"
#include "core/profile/values.h"

#include <algorithm>
#include <utility>

namespace tracedeck::plan {

namespace {

tl::unexpected<Error> unknownProfile(const Selection& selection) {
    std::vector<std::string_view> names;
    for (const profile::Profile& profile : selection.document->profiles) {
        if (!profile.isInternal) {
            names.push_back(profile.name);
        }
    }
    const std::string_view near = profile::nearest(selection.name, names);
    return fail(ErrorCode::ProfileUnknown, "profile '" + selection.name + "' is not in " + selection.document->path +
                                               (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?"));
}

} // namespace

std::string variantName(const profile::Profile& profile) {
    return profile.name + "." + std::string(toString(profile.detailLevel)) + "." +
           std::string(toString(profile.loggingMode));
}

Result<Chosen> choose(const Selection& selection, const Overrides& overrides, std::vector<Diagnostic>& diagnostics) {
    const DetailLevel detail = selection.detail.value_or(overrides.detail);
    const profile::Profile* light = nullptr;
    std::string existing;
    bool isKnown = false;
    for (const profile::Profile& candidate : selection.document->profiles) {
        if (candidate.isInternal || !profile::equalsIgnoringCase(candidate.name, selection.name)) {
            continue;
        }
        isKnown = true;
        existing += (existing.empty() ? "" : ", ") + variantName(candidate);
        if (candidate.loggingMode != overrides.mode) {
            continue;
        }
        if (candidate.detailLevel == detail) {
            return Chosen{selection.document, &candidate};
        }
        light = candidate.detailLevel == DetailLevel::Light ? &candidate : light;
    }
    if (!isKnown) {
        return unknownProfile(selection);
    }
    if (light != nullptr && !selection.detail) {
        // WPR: Verbose where no level is given, unless the profile has only Light.
        diagnostics.push_back({Severity::Note, light->name, "profile " + light->name, std::nullopt,
                               "is recorded as Light: it has no Verbose variant"});
        return Chosen{selection.document, light};
    }
    return fail(ErrorCode::ProfileVariantMissing, "profile '" + selection.name + "' has no variant " +
                                                      std::string(toString(detail)) + "." +
                                                      std::string(toString(overrides.mode)) + "; it has " + existing);
}

WithGeneral withGeneral(std::vector<Selection> selections, std::span<const profile::Document* const> builtIn) {
    WithGeneral result{std::move(selections), std::nullopt};
    const auto isGeneral = [](const std::string& name) {
        return profile::equalsIgnoringCase(name, kGeneralProfileName);
    };
    const auto isCustom = [&](const Selection& selection) {
        return std::find(builtIn.begin(), builtIn.end(), selection.document) == builtIn.end();
    };
    const std::vector<Selection>& chosen = result.selections;
    if (std::none_of(chosen.begin(), chosen.end(), isCustom) ||
        std::any_of(chosen.begin(), chosen.end(), [&](const Selection& other) { return isGeneral(other.name); })) {
        return result;
    }
    for (const profile::Document* document : builtIn) {
        for (const profile::Profile& profile : document->profiles) {
            if (!profile.isInternal && isGeneral(profile.name)) {
                result.selections.insert(result.selections.begin(), {document, profile.name, std::nullopt});
                result.note = Diagnostic{Severity::Note, profile.name, "profile " + profile.name, std::nullopt,
                                         "is recorded too, as always together with profiles of your own"};
                return result;
            }
        }
    }
    return result;
}

} // namespace tracedeck::plan
