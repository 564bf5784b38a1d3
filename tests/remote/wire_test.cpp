// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/remote/wire.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <limits>
#include <random>
#include <tuple>

using namespace tracedeck;
using namespace tracedeck::etw;
using namespace tracedeck::etw::remote;

namespace {

// Every member of a type, so that two values can be compared whole. A new member stops these from compiling.

template <class T>
bool same(const T& a, const T& b) {
    return a == b;
}
bool same(const SessionConfig& a, const SessionConfig& b);
bool same(const SessionStats& a, const SessionStats& b);
bool same(const SessionInfo& a, const SessionInfo& b);
bool same(const Capabilities& a, const Capabilities& b);

auto members(const SessionConfig& v) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = v;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
}
bool same(const SessionConfig& a, const SessionConfig& b) {
    return members(a) == members(b);
}
auto members(const SessionStats& v) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = v;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
}
bool same(const SessionStats& a, const SessionStats& b) {
    return members(a) == members(b);
}
auto members(const SessionInfo& v) {
    const auto& [a, b, c, d, e] = v;
    return std::tie(a, b, c, d, e);
}
bool same(const SessionInfo& a, const SessionInfo& b) {
    return members(a) == members(b);
}
auto members(const Capabilities& v) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k] = v;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
}
bool same(const Capabilities& a, const Capabilities& b) {
    return members(a) == members(b);
}

/// Values of every type, none of them what a default-made one has.
class Values {
public:
    explicit Values(unsigned seed) : m_random(seed) {}

    template <class T>
    T number() {
        return static_cast<T>(std::uniform_int_distribution<std::uint64_t>(1, std::numeric_limits<T>::max())(m_random));
    }
    std::int64_t among(std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(m_random);
    }
    std::string text(std::size_t most = 40) {
        std::string all(static_cast<std::size_t>(among(1, static_cast<std::int64_t>(most))), '\0');
        std::generate(all.begin(), all.end(), [this] { return static_cast<char>(among(0, 255)); });
        return all;
    }
    Guid guid() {
        Guid all;
        std::generate(all.bytes.begin(), all.bytes.end(), [this] { return number<std::uint8_t>(); });
        return all;
    }
    template <class T, class Make>
    std::vector<T> list(std::size_t most, Make make) {
        std::vector<T> all(static_cast<std::size_t>(among(1, static_cast<std::int64_t>(most))));
        std::generate(all.begin(), all.end(), make);
        return all;
    }
    std::vector<std::uint16_t> hooks() {
        return list<std::uint16_t>(20, [this] { return number<std::uint16_t>(); });
    }
    GroupMasks masks() {
        GroupMasks all;
        std::generate(all.words.begin(), all.words.end(), [this] { return number<std::uint32_t>(); });
        return all;
    }
    Error error() {
        return {static_cast<ErrorCode>(among(1, static_cast<std::int64_t>(ErrorCode::WrongState))), text(),
                number<std::uint32_t>()};
    }
    Limitation limitation() {
        return {static_cast<LimitationCode>(among(0, static_cast<std::int64_t>(LimitationCode::RingNotShared))), text(),
                number<std::uint64_t>()};
    }
    std::vector<Limitation> limitations() {
        return list<Limitation>(5, [this] { return limitation(); });
    }
    SessionConfig config() {
        SessionConfig v;
        v.name = text();
        v.guid = guid();
        v.logFileMode = number<std::uint32_t>();
        v.clock = static_cast<ClockType>(among(2, 3));
        v.bufferSizeKib = number<std::uint32_t>();
        v.minimumBuffers = number<std::uint32_t>();
        v.maximumBuffers = number<std::uint32_t>();
        v.flushTimer = std::chrono::seconds(among(1, limit::kSeconds));
        v.maximumFileSizeMib = number<std::uint32_t>();
        v.logFileName = text();
        v.minimumFreeDisk = {number<std::uint64_t>()};
        v.kernelGroups = masks();
        v.stackHooks = hooks();
        v.profileInterval = std::chrono::nanoseconds(among(2'000'000, limit::kNanoseconds));
        v.poolTags = list<std::string>(4, [this] { return text(4); });
        v.stackCaching = StackCaching{number<std::uint64_t>(), number<std::uint64_t>()};
        v.flushThreshold = number<std::uint32_t>();
        return v;
    }
    EventFilter filter() {
        EventFilter v;
        v.kind = static_cast<EventFilter::Kind>(among(1, static_cast<std::int64_t>(EventFilter::Kind::ProcessId)));
        v.isFilterIn = false;
        v.level = number<std::uint8_t>();
        v.keyword = number<std::uint64_t>();
        v.ids = hooks();
        v.names = list<std::string>(3, [this] { return text(); });
        v.processIds = list<std::uint32_t>(8, [this] { return number<std::uint32_t>(); });
        return v;
    }
    CaptureState capture() { return {number<std::uint64_t>(), std::chrono::seconds(among(1, 1000))}; }
    ProviderConfig provider() {
        ProviderConfig v;
        v.provider = guid();
        v.name = text();
        v.level = static_cast<std::uint8_t>(among(0, 254));
        v.matchAnyKeyword = number<std::uint64_t>();
        v.matchAllKeyword = number<std::uint64_t>();
        v.captureStack = true;
        v.enableProperties = number<std::uint32_t>();
        v.filters = list<EventFilter>(3, [this] { return filter(); });
        v.stackHooks = hooks();
        v.needsNonPagedMemory = true;
        v.captureOnStart = capture();
        v.captureOnSave = capture();
        v.captureOnDemand = capture();
        v.isCaptureOnly = true;
        v.timeout = std::chrono::milliseconds(among(0, 100'000));
        return v;
    }
    SessionStats stats() {
        SessionStats v;
        v.bufferSizeKib = number<std::uint32_t>();
        v.numberOfBuffers = number<std::uint32_t>();
        v.freeBuffers = number<std::uint32_t>();
        v.minimumBuffers = number<std::uint32_t>();
        v.maximumBuffers = number<std::uint32_t>();
        v.buffersWritten = number<std::uint64_t>();
        v.eventsProduced = number<std::uint64_t>();
        v.eventsRecorded = number<std::uint64_t>();
        v.eventsLost = number<std::uint64_t>();
        v.eventsOverwritten = number<std::uint64_t>();
        v.buffersLost = number<std::uint64_t>();
        v.bytesProduced = number<std::uint64_t>();
        v.fileSize = {number<std::uint64_t>()};
        v.files = list<std::string>(3, [this] { return text(); });
        v.oldest = -among(1, std::numeric_limits<std::int64_t>::max());
        v.losses = list<LossCount>(kLossCauses, [this] {
            return LossCount{static_cast<LossCause>(among(1, kLossCauses - 1)), number<std::uint64_t>(), among(1, 99)};
        });
        v.limitations = limitations();
        v.writeError = error();
        v.sourceError = error();
        v.isAtSizeLimit = true;
        v.isPaused = true;
        return v;
    }
    SessionInfo info() { return {{number<std::uint64_t>()}, text(), number<std::uint32_t>(), text(), guid()}; }
    Capabilities capabilities() {
        Capabilities v;
        v.platform = text();
        v.isElevated = true;
        v.numberOfProcessors = number<std::uint32_t>();
        v.physicalMemory = {number<std::uint64_t>()};
        v.kernelGroups = masks();
        v.stackHooks = hooks();
        v.refusedGroups = list<Capabilities::Refused>(3, [this] {
            return Capabilities::Refused{number<std::uint32_t>(), limitation()};
        });
        v.providers = list<Guid>(3, [this] { return guid(); });
        v.features = list<Feature>(kFeatures, [this] { return static_cast<Feature>(among(1, kFeatures - 1)); });
        v.hasWindowsProviders = true;
        v.limitations = limitations();
        return v;
    }
    etlformat::TraceLoggingEvent event() {
        using Event = etlformat::TraceLoggingEvent;
        return {text(),
                number<std::uint8_t>(),
                number<std::uint8_t>(),
                number<std::uint64_t>(),
                {{text(), text()},
                 {text(), number<std::uint64_t>()},
                 {text(), std::int64_t{-among(1, 1000)}},
                 {text(), number<std::uint32_t>()},
                 {text(), -1.5},
                 {text(), true},
                 {text(), guid()},
                 {text(), Event::FileTimeValue{among(1, 1'000'000)}}}};
    }
    SessionId session() { return {number<std::uint64_t>()}; }
    OfferedFile file() { return among(0, 1) == 0 ? OfferedFile{true, {}} : OfferedFile{false, error()}; }

    /// A request of each kind.
    std::vector<request::Body> requests() {
        return {request::AskCapabilities{},
                request::Start{config(), file()},
                request::Enable{session(), provider()},
                request::Disable{session(), guid()},
                request::CaptureState{session(), guid(), capture()},
                request::Pause{session()},
                request::Resume{session()},
                request::Query{session()},
                request::List{},
                request::Update{session(), config()},
                request::Flush{session(), text(), file()},
                request::Stop{session(), text(), file()},
                request::Mark{session(), text()},
                request::RegisterProvider{number<std::uint32_t>(), text()},
                request::UnregisterProvider{number<std::uint32_t>()},
                request::WriteEvent{number<std::uint32_t>(), event()},
                request::ListRings{},
                request::SaveRing{guid(), text(), file()},
                request::DiscardRing{guid()}};
    }
    std::vector<reply::Body> replies() {
        return {reply::Failed{error()},
                reply::Done{},
                capabilities(),
                reply::Started{session(),
                               {stats(), number<std::uint32_t>(), number<std::uint32_t>()},
                               limitations(),
                               number<std::uint32_t>()},
                reply::Statistics{stats(), number<std::uint32_t>(), number<std::uint32_t>()},
                reply::Sessions{list<SessionInfo>(4, [this] { return info(); }), number<std::uint32_t>()},
                reply::Rings{
                    list<LeftRing>(
                        4,
                        [this] {
                            return LeftRing{guid(), text(), number<std::uint32_t>(), Bytes{number<std::uint64_t>()}};
                        }),
                    number<std::uint32_t>()}};
    }

private:
    std::mt19937_64 m_random;
};

bool same(const request::Start& a, const request::Start& b) {
    return same(a.config, b.config) && a.file == b.file;
}
bool same(const request::Update& a, const request::Update& b) {
    return a.session == b.session && same(a.config, b.config);
}
bool same(const request::Enable& a, const request::Enable& b) {
    return a.session == b.session && a.provider == b.provider;
}
bool same(const request::Disable& a, const request::Disable& b) {
    return a.session == b.session && a.provider == b.provider;
}
bool same(const request::CaptureState& a, const request::CaptureState& b) {
    return a.session == b.session && a.provider == b.provider && a.state == b.state;
}
bool same(const request::Pause& a, const request::Pause& b) {
    return a.session == b.session;
}
bool same(const request::Resume& a, const request::Resume& b) {
    return a.session == b.session;
}
bool same(const request::Query& a, const request::Query& b) {
    return a.session == b.session;
}
bool same(const request::Flush& a, const request::Flush& b) {
    return a.session == b.session && a.fileName == b.fileName && a.file == b.file;
}
bool same(const request::Stop& a, const request::Stop& b) {
    return a.session == b.session && a.fileName == b.fileName && a.file == b.file;
}
bool same(const request::Mark& a, const request::Mark& b) {
    return a.session == b.session && a.text == b.text;
}
bool same(const request::ListRings&, const request::ListRings&) {
    return true;
}
bool same(const request::SaveRing& a, const request::SaveRing& b) {
    return a.session == b.session && a.fileName == b.fileName && a.file == b.file;
}
bool same(const request::DiscardRing& a, const request::DiscardRing& b) {
    return a.session == b.session;
}
bool same(const reply::Rings& a, const reply::Rings& b) {
    return a.list == b.list && a.leftOff == b.leftOff;
}
bool same(const request::RegisterProvider& a, const request::RegisterProvider& b) {
    return a.writer == b.writer && a.name == b.name;
}
bool same(const request::UnregisterProvider& a, const request::UnregisterProvider& b) {
    return a.writer == b.writer;
}
bool same(const request::AskCapabilities&, const request::AskCapabilities&) {
    return true;
}
bool same(const request::List&, const request::List&) {
    return true;
}
bool same(const etlformat::TraceLoggingEvent::FileTimeValue& a, const etlformat::TraceLoggingEvent::FileTimeValue& b) {
    return a.value == b.value;
}
bool same(const request::WriteEvent& a, const request::WriteEvent& b) {
    const auto& [name, level, opcode, keyword, fields] = a.event;
    return a.writer == b.writer && name == b.event.name && level == b.event.level && opcode == b.event.opcode &&
           keyword == b.event.keyword &&
           std::equal(fields.begin(), fields.end(), b.event.fields.begin(), b.event.fields.end(),
                      [](const auto& x, const auto& y) {
                          return x.first == y.first && x.second.index() == y.second.index() &&
                                 std::visit(
                                     [&](const auto& one) {
                                         return same(one, std::get<std::remove_cvref_t<decltype(one)>>(y.second));
                                     },
                                     x.second);
                      });
}
bool same(const reply::Failed& a, const reply::Failed& b) {
    return a.error == b.error;
}
bool same(const reply::Done&, const reply::Done&) {
    return true;
}
bool same(const reply::Statistics& a, const reply::Statistics& b) {
    return same(a.stats, b.stats) && a.filesLeftOff == b.filesLeftOff && a.limitationsLeftOff == b.limitationsLeftOff;
}
bool same(const reply::Started& a, const reply::Started& b) {
    return a.id == b.id && same(a.statistics, b.statistics) && a.limitations == b.limitations &&
           a.limitationsLeftOff == b.limitationsLeftOff;
}
bool same(const reply::Sessions& a, const reply::Sessions& b) {
    return a.leftOff == b.leftOff && std::equal(a.list.begin(), a.list.end(), b.list.begin(), b.list.end(),
                                                [](const auto& x, const auto& y) { return same(x, y); });
}

template <class Body>
bool sameBody(const Body& a, const Body& b) {
    return a.index() == b.index() &&
           std::visit([&](const auto& one) { return same(one, std::get<std::remove_cvref_t<decltype(one)>>(b)); }, a);
}

/// Whoever decodes it must end, within bounds, and refuse what is not whole.
template <class Decode>
void spoil(const std::vector<std::byte>& packet, Decode decode, Values& values) {
    for (std::size_t size = 0; size < packet.size(); ++size) {
        CHECK_FALSE(decode(std::span(packet).first(size)).has_value());
    }
    std::vector<std::byte> longer = packet;
    longer.push_back(std::byte{0});
    CHECK_FALSE(decode(longer).has_value());
    for (int i = 0; i < 200; ++i) {
        std::vector<std::byte> spoilt = packet;
        const auto at = static_cast<std::size_t>(values.among(0, static_cast<std::int64_t>(packet.size()) - 1));
        spoilt[at] = static_cast<std::byte>(values.among(0, 255));
        if (const auto still = decode(spoilt)) { // then it says what it says, exactly
            const auto again = encode(*still);
            REQUIRE(again.has_value());
            CHECK(*again == spoilt);
        }
    }
}

template <class Message, class Decode>
void checkRoundTrip(const Message& message, Decode decode, Values& values) {
    INFO("kind " << message.body.index());
    const auto packet = encode(message);
    REQUIRE(packet.has_value());
    const auto back = decode(*packet);
    REQUIRE(back.has_value());
    CHECK(back->id == message.id);
    CHECK(sameBody(back->body, message.body));
    CHECK(idOf(*packet) == message.id);
    spoil(*packet, decode, values);
}

SessionConfig decodedConfig(const SessionConfig& config) {
    const auto packet = encode(Request{1, request::Start{config, {}}});
    REQUIRE(packet.has_value());
    const auto back = decodeRequest(*packet);
    REQUIRE(back.has_value());
    return std::get<request::Start>(back->body).config;
}

} // namespace

TEST_CASE("Every request and every reply come back as they were sent, and nothing else does", "[remote][wire]") {
    const unsigned seed = GENERATE(1U, 2U, 3U, 4U, 5U);
    Values values(seed);
    std::size_t kind = 0;
    for (request::Body& body : values.requests()) {
        CHECK(body.index() == kind++);
        checkRoundTrip(Request{values.number<std::uint64_t>(), std::move(body)}, decodeRequest, values);
    }
    CHECK(kind == std::variant_size_v<request::Body>);
    kind = 0;
    for (reply::Body& body : values.replies()) {
        CHECK(body.index() == kind++);
        checkRoundTrip(Reply{values.number<std::uint64_t>(), std::move(body)}, decodeReply, values);
    }
    CHECK(kind == std::variant_size_v<reply::Body>);
}

TEST_CASE("A default-made configuration comes back as well", "[remote][wire]") {
    CHECK(same(decodedConfig({}), SessionConfig{}));
}

TEST_CASE("The wire knows every value of every enumeration", "[remote][wire]") {
    // What toString() says of a number behind the last one.
    const auto next = [](auto last) { return static_cast<decltype(last)>(static_cast<unsigned>(last) + 1); };
    CHECK(toString(next(ErrorCode::WrongState)) == "Internal");
    CHECK(toString(next(LimitationCode::RingNotShared)) == "NoPerfEvents");
    CHECK(toString(next(LossCause::WriteFailed)) == toString(static_cast<LossCause>(255)));
    CHECK(toString(next(ClockType::CpuCycle)) == toString(static_cast<ClockType>(255)));
    CHECK(toString(next(static_cast<Feature>(kFeatures - 1))) == toString(static_cast<Feature>(255)));
    CHECK(static_cast<std::size_t>(LossCause::WriteFailed) + 1 == kLossCauses);
}

TEST_CASE("What breaks a limit is not sent", "[remote][wire]") {
    const auto refuses = [](request::Body body) {
        const auto packet = encode(Request{1, std::move(body)});
        return !packet && packet.error().code == ErrorCode::SessionBadParameters &&
               packet.error().native == win32::kInvalidParameter;
    };
    SessionConfig config;
    config.name = std::string(limit::kName + 1, 'n');
    CHECK(refuses(request::Start{config, {}}));
    config = {};
    config.stackHooks.assign(limit::kHooks + 1, 1);
    CHECK(refuses(request::Start{config, {}}));
    config = {};
    config.flushTimer = std::chrono::seconds(limit::kSeconds + 1);
    CHECK(refuses(request::Start{config, {}}));
    config = {};
    config.profileInterval = std::chrono::nanoseconds(-1);
    CHECK(refuses(request::Start{config, {}}));
    config = {};
    config.clock = static_cast<ClockType>(9);
    CHECK(refuses(request::Start{config, {}}));
    ProviderConfig provider;
    provider.filters.resize(limit::kFilters + 1);
    CHECK(refuses(request::Enable{{1}, provider}));
    // Each within its limit, and together more than a packet.
    provider.filters.resize(limit::kFilters);
    for (EventFilter& filter : provider.filters) {
        filter.names.assign(3, std::string(limit::kName, 'x'));
    }
    CHECK(refuses(request::Enable{{1}, provider}));
    CHECK(refuses(request::Mark{{1}, std::string(limit::kText + 1, 'm')}));
    CHECK(refuses(request::SaveRing{{}, std::string(limit::kPath + 1, 'f'), {}}));
}

TEST_CASE("A reply leaves off what has no room and says how much", "[remote][wire]") {
    const auto decoded = [](reply::Body body) {
        const auto packet = encode(Reply{7, std::move(body)});
        REQUIRE(packet.has_value());
        auto back = decodeReply(*packet);
        REQUIRE(back.has_value());
        return std::move(back->body);
    };
    SessionStats stats;
    stats.files.assign(1000, std::string(limit::kPath, 'f'));
    stats.limitations.assign(2000, {LimitationCode::NoTracefs, std::string(5000, 'd'), 1});
    stats.writeError = Error{ErrorCode::WriteFailed, std::string(10'000, 'e'), 5};
    const auto statistics = std::get<reply::Statistics>(decoded(reply::Statistics{stats, 0, 0}));
    CHECK_FALSE(statistics.stats.files.empty());
    CHECK(statistics.stats.files.size() + statistics.filesLeftOff == 1000);
    CHECK_FALSE(statistics.stats.limitations.empty());
    CHECK(statistics.stats.limitations.size() + statistics.limitationsLeftOff == 2000);
    CHECK(statistics.stats.writeError->detail == std::string(limit::kDetail, 'e'));

    const auto started = std::get<reply::Started>(decoded(reply::Started{{1}, {stats, 0, 0}, stats.limitations, 0}));
    CHECK(started.limitations.size() + started.limitationsLeftOff == 2000);

    std::vector<SessionInfo> infos(kMaximumSessions);
    for (SessionInfo& info : infos) {
        info = {{1}, std::string(3072, 'n'), 1, std::string(limit::kPath, 'p')};
    }
    const auto sessions = std::get<reply::Sessions>(decoded(reply::Sessions{infos, 0}));
    CHECK(sessions.list.size() > 10);
    CHECK(sessions.leftOff > 0);
    CHECK(sessions.list.size() + sessions.leftOff == kMaximumSessions);

    const std::vector<LeftRing> left(1000, {randomGuid(), std::string(10, 'n'), 7, kib(64)});
    const auto rings = std::get<reply::Rings>(decoded(reply::Rings{left, 0}));
    CHECK(rings.list.size() == limit::kLeftRings);
    CHECK(rings.list.size() + rings.leftOff == 1000);
    const std::vector<LeftRing> withLongNames(100, {randomGuid(), std::string(limit::kName, 'n'), 7, kib(64)});
    const auto fitting = std::get<reply::Rings>(decoded(reply::Rings{withLongNames, 0}));
    CHECK(fitting.list.size() > 10);
    CHECK(fitting.leftOff > 0);
    CHECK(fitting.list.size() + fitting.leftOff == 100);
}

TEST_CASE("Another version of the protocol is told from garbage", "[remote][wire]") {
    auto packet = encode(Request{42, request::List{}});
    REQUIRE(packet.has_value());
    (*packet)[0] = std::byte{kProtocolVersion + 1};
    const auto other = decodeRequest(*packet);
    REQUIRE_FALSE(other.has_value());
    CHECK(other.error().code == ErrorCode::NotSupported);
    CHECK(idOf(*packet) == 42);
    const auto garbage = decodeRequest(std::span(*packet).first(5));
    REQUIRE_FALSE(garbage.has_value());
    CHECK(garbage.error().code == ErrorCode::InvalidArgument);
    CHECK_FALSE(decodeRequest(std::vector<std::byte>(kLargestPacket + 1)).has_value());
}

TEST_CASE("A count that promises more than the packet holds costs no memory", "[remote][wire]") {
    auto packet = encode(Request{1, request::Mark{{1}, "text"}});
    REQUIRE(packet.has_value());
    for (std::size_t i = 20; i < 24; ++i) { // the text's size, behind header and session
        (*packet)[i] = std::byte{0xFF};
    }
    const auto refused = decodeRequest(*packet);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::InvalidArgument);
}
