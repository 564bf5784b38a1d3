// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/missing_report.h"

#include "app/cli/format.h"
#include "app/messages/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace tracedeck::cli {
namespace {

using etw::LimitationCode;

constexpr std::size_t kMostObjects = 12; // of one kind
constexpr std::size_t kMostEvidence = 6;
constexpr std::size_t kColumns = 100;

/// Whether a reason concerns objects that only another machine has.
bool isOfAnotherPlatform(LimitationCode code) {
    return code == LimitationCode::ProviderNotOnThisPlatform || code == LimitationCode::KeywordNotOnThisPlatform;
}

/// Texts in the order in which they came, each once.
class Texts {
public:
    void add(const std::string& text) {
        if (!text.empty() && m_known.insert(text).second) {
            m_texts.push_back(text);
        }
    }
    [[nodiscard]] const std::vector<std::string>& all() const { return m_texts; }

private:
    std::vector<std::string> m_texts;
    std::unordered_set<std::string> m_known;
};

struct Reason {
    Texts objects;  ///< what is missing for it, in order, once each
    Texts evidence; ///< once each
};

/// Stacks whose event is missing are told apart: of those the events are not complete.
struct ReasonKey {
    LimitationCode code = LimitationCode::NoPerfEvents;
    bool isEventMissing = false;
    friend auto operator<=>(const ReasonKey&, const ReasonKey&) = default;
};
using Reasons = std::map<ReasonKey, Reason>;

/// Of {"keyword A", "keyword B", "stack C"}: "keywords A, B; stack C". Adds to `left` what is not named.
std::string objectsText(const std::vector<std::string>& objects, std::size_t& left) {
    constexpr std::array<std::string_view, 3> kKinds{"keyword", "stack", "provider"};
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
    for (const std::string_view kind : kKinds) {
        const std::string prefix = std::string(kind) + " ";
        std::vector<std::string> names;
        for (const std::string& object : objects) {
            if (object.starts_with(prefix)) {
                names.push_back(printable(object.substr(prefix.size())));
            }
        }
        if (!names.empty()) {
            add(fmt::format("{}{} {}", kind, names.size() == 1 ? "" : "s", listed(names, kMostObjects)));
            left += names.size() - std::min(names.size(), kMostObjects);
        }
    }
    for (const std::string& object : objects) {
        if (std::none_of(kKinds.begin(), kKinds.end(),
                         [&](std::string_view kind) { return object.starts_with(std::string(kind) + " "); })) {
            add(printable(object));
        }
    }
    return text;
}

/// Broken at blanks, with the lines after the first one further in.
std::string folded(const std::string& text, std::size_t indent) {
    std::string result(indent, ' ');
    std::size_t column = indent;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const bool isFirst = column == indent;
        if (!isFirst && column + 1 + (end - at) > kColumns) {
            result += "\n" + std::string(indent + 2, ' ');
            column = indent + 2;
        } else if (!isFirst) {
            result += ' ';
            ++column;
        }
        result += text.substr(at, end - at);
        column += end - at;
        at = end + 1;
    }
    return result + "\n";
}

std::string titleOf(ReasonKey key, const Reason& reason, const messages::UserMessage& message) {
    const std::size_t count = std::max<std::size_t>(1, reason.objects.all().size());
    if (key.code == LimitationCode::ProviderNotOnThisPlatform) {
        return counted(count, "source of events", "sources of events") + " that this machine does not have";
    }
    if (key.code == LimitationCode::KeywordNotOnThisPlatform) {
        return counted(count, "kind of kernel event", "kinds of kernel events") + " that this platform does not have";
    }
    return key.isEventMissing ? "Stacks of events that are not recorded themselves." : message.what;
}

std::string reasonText(ReasonKey key, const Reason& reason, ForeignObjects foreign, std::size_t& left) {
    const messages::UserMessage message = messages::messageFor(etw::Limitation{key.code, {}, 0});
    std::string text = "  " + titleOf(key, reason, message) + "\n";
    if (isOfAnotherPlatform(key.code) && foreign == ForeignObjects::Counted) {
        return text;
    }
    if (!reason.objects.all().empty()) {
        text += folded("missing: " + objectsText(reason.objects.all(), left), 4);
    }
    if (!reason.evidence.all().empty()) {
        text += folded(printable(listed(reason.evidence.all(), kMostEvidence)), 4);
    }
    return text + "    " + (key.isEventMissing ? "Record the rest; stacks come with their events." : message.action) +
           "\n";
}

void addReason(Reasons& reasons, const plan::Diagnostic& diagnostic) {
    const etw::Limitation& limitation = *diagnostic.limitation;
    const bool isEventMissing = diagnostic.detail.starts_with(plan::kEventIsMissing);
    Reason& reason = reasons[{limitation.code, isEventMissing}];
    reason.objects.add(diagnostic.object + (diagnostic.detail.starts_with(plan::kIsInPart) ? " (in part)" : ""));
    // The detail of a missing object is its own name, and that of a feature is a word for programs.
    const bool isTold = limitation.code == LimitationCode::FeatureNotServed ||
                        diagnostic.object.find(limitation.detail) != std::string::npos;
    if (!limitation.detail.empty() && !isTold) {
        reason.evidence.add(messages::messageFor(limitation).evidence);
    }
}

/// What rules did, by what they did: "stacks A, B: without effect: …".
std::string rulesText(const std::vector<plan::Diagnostic>& diagnostics, bool areNotes, std::size_t& left) {
    std::vector<std::pair<std::string, Texts>> rules;
    std::unordered_map<std::string, std::size_t> places; // of rules, by what they did
    for (const plan::Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.limitation || (diagnostic.severity == plan::Severity::Note) != areNotes) {
            continue;
        }
        const auto [place, isNew] = places.emplace(diagnostic.detail, rules.size());
        if (isNew) {
            rules.emplace_back(diagnostic.detail, Texts());
        }
        rules[place->second].second.add(diagnostic.object);
    }
    std::string text;
    for (const auto& [detail, objects] : rules) {
        const std::string named = objectsText(objects.all(), left);
        text += folded((named.empty() ? "" : named + ": ") + printable(detail), 2);
    }
    return text;
}

} // namespace

std::string limitationsText(const std::vector<plan::Diagnostic>& diagnostics,
                            const std::vector<etw::Limitation>& limitations, ForeignObjects foreign) {
    Reasons reasons;
    for (const plan::Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.limitation) {
            addReason(reasons, diagnostic);
        }
    }
    for (const etw::Limitation& limitation : limitations) {
        reasons[{limitation.code, false}].evidence.add(messages::messageFor(limitation).evidence);
    }
    std::string text;
    std::size_t left = 0;
    for (const auto& [key, reason] : reasons) {
        text += reasonText(key, reason, foreign, left);
    }
    text += rulesText(diagnostics, false, left);
    if (left > 0 && foreign == ForeignObjects::Named) {
        text += "  --json lists all of it.\n";
    }
    return text.empty() ? text : "Not recorded here, or not in full:\n" + text;
}

std::vector<etw::Limitation> reasonsOfRefusal(const etw::Capabilities& capabilities) {
    using enum etw::LimitationCode;
    std::vector<etw::Limitation> reasons = capabilities.limitations;
    for (const etw::Capabilities::Refused& refused : capabilities.refusedGroups) {
        if (refused.limitation.code != KeywordNotOnThisPlatform && refused.limitation.code != KeywordNotServed) {
            reasons.push_back(refused.limitation);
        }
    }
    return reasons;
}

std::string notesText(const std::vector<plan::Diagnostic>& diagnostics) {
    std::size_t left = 0;
    const std::string text = rulesText(diagnostics, true, left);
    return text.empty() ? text : "Good to know:\n" + text;
}

std::string foundText(const std::vector<etw::Limitation>& limitations) {
    Reasons reasons;
    for (const etw::Limitation& limitation : limitations) {
        reasons[{limitation.code, false}].evidence.add(messages::messageFor(limitation).evidence);
    }
    std::string text;
    std::size_t left = 0;
    for (const auto& [key, reason] : reasons) {
        text += reasonText(key, reason, ForeignObjects::Counted, left);
    }
    return text.empty() ? text : "Found while recording:\n" + text;
}

} // namespace tracedeck::cli
