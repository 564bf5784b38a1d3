// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/document.h"

#include "core/base/file.h"
#include "core/profile/reader.h"
#include "core/profile/text.h"
#include "core/profile/validator.h"
#include "core/profile/well_formed.h"

#include <algorithm>
#include <utility>

namespace tracedeck::profile {

namespace {

template <class Definition>
const Definition* findById(const std::vector<Definition>& definitions, std::string_view id) noexcept {
    const auto at = std::find_if(definitions.begin(), definitions.end(),
                                 [id](const Definition& definition) { return definition.id == id; });
    return at != definitions.end() ? &*at : nullptr;
}

bool hasErrors(const std::vector<Problem>& problems) {
    return std::any_of(problems.begin(), problems.end(),
                       [](const Problem& problem) { return problem.severity == Problem::Severity::Error; });
}

Parsed malformed(std::vector<Problem> problems) {
    Parsed result;
    result.isWellFormed = false;
    result.problems = std::move(problems);
    return result;
}

/// The whole file as bytes. InvalidArgument where it is larger than a profile can be.
Result<std::string> readAll(const std::string& path) {
    auto file = systemFiles().open(path);
    if (!file) {
        return fail(file.error());
    }
    const std::uint64_t size = (*file)->size();
    if (size > kLargestProfile) {
        return fail(ErrorCode::InvalidArgument, path + ": " + tooLarge(size));
    }
    std::string content(static_cast<std::size_t>(size), '\0');
    std::size_t filled = 0;
    while (filled < content.size()) {
        const auto got = (*file)->readAt(filled, std::as_writable_bytes(std::span(content).subspan(filled)));
        if (!got) {
            return fail(got.error());
        }
        if (*got == 0) {
            break;
        }
        filled += *got;
    }
    content.resize(filled);
    return content;
}

} // namespace

std::string_view toString(LoggingMode mode) noexcept {
    return mode == LoggingMode::File ? "File" : "Memory";
}

std::string_view toString(DetailLevel level) noexcept {
    return level == DetailLevel::Light ? "Light" : "Verbose";
}

const Collector* Document::findCollector(std::string_view id) const noexcept {
    return findById(collectors, id);
}

const SystemProvider* Document::findSystemProvider(std::string_view id) const noexcept {
    return findById(systemProviders, id);
}

const EventProvider* Document::findEventProvider(std::string_view id) const noexcept {
    return findById(eventProviders, id);
}

const HeapProvider* Document::findHeapProvider(std::string_view id) const noexcept {
    return findById(heapProviders, id);
}

const HardwareCounter* Document::findHardwareCounter(std::string_view id) const noexcept {
    return findById(hardwareCounters, id);
}

const MicroArchitecturalConfig* Document::findMicroArchitecturalConfig(std::string_view id) const noexcept {
    return findById(microArchitecturalConfigs, id);
}

const MergeProperty* Document::findMergeProperty(std::string_view id) const noexcept {
    const MergeProperty* found = findById(mergeProperties, id);
    for (const Profile& profile : profiles) {
        found = found != nullptr ? found : findById(profile.mergeProperties, id);
    }
    return found;
}

const Profile* Document::findProfile(std::string_view id) const noexcept {
    return findById(profiles, id);
}

Parsed parse(std::string_view content, std::string path) {
    DecodedText text = decode(content);
    if (text.problem) {
        return malformed({*std::move(text.problem)});
    }
    const Places places(text.utf8);
    WellFormedness form = checkWellFormed(text.utf8, places);
    if (!form.canContinue) {
        return malformed(std::move(form.problems));
    }
    pugi::xml_document xml;
    const pugi::xml_parse_result loaded =
        xml.load_buffer(text.utf8.data(), text.utf8.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!loaded) {
        Problem problem;
        problem.place = places.at(static_cast<std::size_t>(std::max<std::ptrdiff_t>(loaded.offset, 0)));
        problem.message = loaded.description();
        form.problems.push_back(std::move(problem));
        return malformed(std::move(form.problems));
    }
    ProblemList list(places);
    validate(xml, list);
    Parsed result;
    result.isWellFormed = form.problems.empty();
    result.problems = list.take();
    result.problems.insert(result.problems.begin(), std::make_move_iterator(form.problems.begin()),
                           std::make_move_iterator(form.problems.end()));
    std::stable_sort(result.problems.begin(), result.problems.end(), [](const Problem& a, const Problem& b) {
        return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
    if (!hasErrors(result.problems)) {
        result.document = readDocument(xml, places);
        result.document->path = std::move(path);
        result.document->warnings = result.problems;
    }
    return result;
}

Result<Document> load(const std::string& path, std::vector<Problem>* problems) {
    const Result<std::string> content = readAll(path);
    if (!content) {
        if (problems != nullptr && content.error().code == ErrorCode::InvalidArgument) {
            problems->push_back({Problem::Severity::Error, {}, {}, {}, content.error().detail.substr(path.size() + 2)});
        }
        return fail(content.error());
    }
    Parsed parsed = parse(*content, path);
    const bool isWellFormed = parsed.isWellFormed;
    std::string detail;
    std::size_t others = 0;
    for (const Problem& problem : parsed.problems) {
        if (problem.severity != Problem::Severity::Error) {
            continue;
        }
        if (detail.empty()) {
            detail = format(path, problem);
        } else {
            ++others;
        }
    }
    if (problems != nullptr) {
        *problems = std::move(parsed.problems);
    }
    if (parsed.document) {
        return *std::move(parsed.document);
    }
    if (others > 0) {
        detail += " (and " + std::to_string(others) + " more)";
    }
    return fail(isWellFormed ? ErrorCode::ProfileInvalid : ErrorCode::ProfileMalformed, std::move(detail));
}

std::string format(const std::string& path, const Problem& problem) {
    std::string text = path + ":";
    if (problem.place.line != 0) {
        text += std::to_string(problem.place.line) + ":" + std::to_string(problem.place.column) + ":";
    }
    text += std::string(" ") + (problem.severity == Problem::Severity::Warning ? "warning: " : "") + problem.message;
    if (!problem.element.empty()) {
        text += " [" + problem.element + (problem.elementId.empty() ? "" : ", Id " + problem.elementId) + "]";
    }
    return text;
}

} // namespace tracedeck::profile
