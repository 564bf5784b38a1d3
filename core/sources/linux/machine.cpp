// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/machine.h"

#include "core/sources/linux/mapping.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <sys/utsname.h>
#include <unistd.h>

namespace tracedeck::linux_source {
namespace {

constexpr unsigned kCapSysAdmin = 21;
constexpr unsigned kCapPerfmon = 38;
/// The inode of the machine's own pid namespace, the same on all kernels (PROC_PID_INIT_INO).
constexpr std::string_view kInitialPidNamespace = "pid:[4026531836]";

std::string firstLine(const std::string& path) {
    const auto text = readWhole(path);
    return text ? text->substr(0, text->find('\n')) : std::string();
}

/// The text behind "name : " of the first such line.
std::string_view valueOf(std::string_view text, std::string_view name) {
    std::string_view found;
    forEachLine(text, [&](std::string_view line) {
        if (!found.empty() || line.substr(0, name.size()) != name) {
            return;
        }
        std::string_view rest = line.substr(name.size());
        rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
        if (!rest.empty() && rest.front() == ':') {
            rest.remove_prefix(1);
            rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
            found = rest;
        }
    });
    return found;
}

template <class T>
T numberOf(std::string_view text, T otherwise, int base = 10) {
    T value = otherwise;
    return std::from_chars(text.data(), text.data() + text.size(), value, base).ec == std::errc() ? value : otherwise;
}

std::uint32_t megahertz(const Roots& roots, const std::string& cpuinfo) {
    double mhz = 0;
    const std::string_view text = valueOf(cpuinfo, "cpu MHz");
    std::from_chars(text.data(), text.data() + text.size(), mhz);
    if (mhz < 1) {
        const std::string path = roots.sys + "/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq";
        mhz = static_cast<double>(numberOf<std::uint64_t>(firstLine(path), 0)) / 1000; // kHz
    }
    return static_cast<std::uint32_t>(std::lround(mhz));
}

FileTime bootTime(const Roots& roots) {
    FileTime seconds = 0;
    if (const auto stat = readWhole(roots.proc + "/stat")) {
        forEachLine(*stat, [&](std::string_view line) {
            if (line.substr(0, 6) == "btime ") {
                seconds = numberOf<FileTime>(line.substr(6), 0);
            }
        });
    }
    return seconds == 0 ? 0 : kUnixEpoch + seconds * 10'000'000;
}

/// In a pid namespace some ids come as the namespace has them (perf records, /proc), others as the machine has them
/// (tracepoints), and there is no telling which process is meant.
bool hasOwnProcessIds(const Roots& roots) {
    std::error_code error;
    const auto link = std::filesystem::read_symlink(roots.proc + "/self/ns/pid", error);
    if (!error) {
        return link.native() != kInitialPidNamespace;
    }
    // A kernel without pid namespaces, or a /proc that does not tell: then process 2 does, which is kthreadd.
    const auto text = readWhole(ProcFiles(roots.proc).path(kKthreadd, "stat"));
    const auto stat = text ? parseTaskStat(*text) : std::nullopt;
    return stat && !stat->isKernelThread();
}

/// The coarse clock advances once a timer tick: its resolution is 1/CONFIG_HZ.
std::uint32_t clockTick100Ns() {
    timespec resolution{};
    if (::clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) != 0 || resolution.tv_sec != 0) {
        return 40000;
    }
    return static_cast<std::uint32_t>(resolution.tv_nsec / 100);
}

etlformat::ConfigCpuFields configOf(const Machine& machine, const Roots& roots, const std::string& cpuinfo) {
    etlformat::ConfigCpuFields config;
    config.mhz = machine.mhz;
    config.numberOfProcessors = machine.numberOfProcessors;
    config.memorySizeMib = static_cast<std::uint32_t>(machine.physicalMemory.count >> 20U);
    config.pageSize = static_cast<std::uint32_t>(::sysconf(_SC_PAGESIZE));
    config.allocationGranularity = config.pageSize;
    config.computerName = firstLine(roots.proc + "/sys/kernel/hostname");
    config.domainName = firstLine(roots.proc + "/sys/kernel/domainname");
    if (config.domainName == "(none)") {
        config.domainName.clear();
    }
    config.hyperThreadingFlag = firstLine(roots.sys + "/devices/system/cpu/smt/active") == "1" ? 1 : 0;
    utsname name{};
    ::uname(&name);
    const std::string_view architecture = name.machine;
    config.processorArchitecture = architecture == "x86_64" ? 9 : architecture == "aarch64" ? 12 : 0xFFFF;
    config.highestUserAddress = 0x7FFF'FFFF'EFFF; // TASK_SIZE_MAX of 4-level page tables
    config.processorLevel = numberOf<std::uint16_t>(valueOf(cpuinfo, "cpu family"), 0);
    const auto model = numberOf<std::uint16_t>(valueOf(cpuinfo, "model"), 0);
    const auto stepping = numberOf<std::uint16_t>(valueOf(cpuinfo, "stepping"), 0);
    config.processorRevision = static_cast<std::uint16_t>((std::uint32_t{model} << 8U) | (stepping & 0xFFU));
    config.hasNx = (" " + std::string(valueOf(cpuinfo, "flags")) + " ").find(" nx ") != std::string::npos;
    return config;
}

} // namespace

std::string onlineFile(const Roots& roots) {
    return roots.sys + "/devices/system/cpu/online";
}

Machine Machine::read(const Roots& roots) {
    Machine machine;
    const std::string cpuFolder = roots.sys + "/devices/system/cpu/";
    machine.online = parseCpuList(firstLine(onlineFile(roots)));
    std::vector<std::uint32_t> present = parseCpuList(firstLine(cpuFolder + "present"));
    present.insert(present.end(), machine.online.begin(), machine.online.end());
    if (!present.empty()) {
        machine.numberOfProcessors = *std::max_element(present.begin(), present.end()) + 1;
    }
    machine.platform = "Linux " + firstLine(roots.proc + "/sys/kernel/osrelease");
    const std::string cpuinfo = readWhole(roots.proc + "/cpuinfo").value_or(std::string());
    machine.mhz = megahertz(roots, cpuinfo);
    const std::string meminfo = readWhole(roots.proc + "/meminfo").value_or(std::string());
    machine.physicalMemory = kib(numberOf<std::uint64_t>(valueOf(meminfo, "MemTotal"), 0));
    machine.bootTime = tracedeck::linux_source::bootTime(roots);
    machine.clockTick100Ns = tracedeck::linux_source::clockTick100Ns();
    const std::string paranoid = firstLine(roots.proc + "/sys/kernel/perf_event_paranoid");
    if (!paranoid.empty()) {
        machine.perfEventParanoid = numberOf<int>(paranoid, 2);
    }
    const std::string status = readWhole(roots.proc + "/self/status").value_or(std::string());
    const auto rights = numberOf<std::uint64_t>(valueOf(status, "CapEff"), 0, 16);
    machine.mayRecordAll = ((rights >> kCapSysAdmin) & 1U) != 0 || ((rights >> kCapPerfmon) & 1U) != 0;
    machine.hasOwnProcessIds = tracedeck::linux_source::hasOwnProcessIds(roots);
    machine.config = configOf(machine, roots, cpuinfo);
    return machine;
}

etlformat::TraceIdentity identityOf(const Machine& machine, const Clock& clock) {
    etlformat::TraceIdentity identity;
    identity.numberOfProcessors = machine.numberOfProcessors;
    identity.cpuSpeedInMhz = machine.mhz;
    identity.timerResolution = machine.clockTick100Ns;
    identity.bootTime = machine.bootTime;
    identity.perfFreq = clock.frequency();
    const std::time_t now = (clock.wallTime() - kUnixEpoch) / 10'000'000;
    std::tm local{};
    ::tzset();
    if (::localtime_r(&now, &local) != nullptr) {
        // The header can say one offset only, without the rules of summer time: the one in force now.
        identity.bias = static_cast<std::int32_t>(-local.tm_gmtoff / 60);
    }
    identity.standardName = ::tzname[0];
    identity.daylightName = ::tzname[1];
    return identity;
}

} // namespace tracedeck::linux_source
