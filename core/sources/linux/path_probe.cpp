// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/path_probe.h"

#include <cerrno>
#include <initializer_list>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace tracedeck::linux_source {
namespace {

/// Calls with a path that go on at one time; of more, the ones that were begun first have none.
constexpr std::uint32_t kMostCalls = 16384;
/// Room for a text whose length is known to the kernel's verifier by its bits alone.
constexpr std::uint32_t kTextRoom = 2 * PathProbe::kMostBytes;
constexpr std::int16_t kFirstArgument = 16; ///< in what a program of syscalls/sys_enter_* is given
constexpr const char* kLicense = "GPL";     // the helpers that copy and send ask for it

enum Register : std::uint8_t { kR0, kR1, kR2, kR3, kR4, kR5, kR6, kR7, kR8, kFrame = 10 };

int bpf(int command, bpf_attr& attributes) {
    return static_cast<int>(::syscall(SYS_bpf, command, &attributes, sizeof(attributes)));
}

Error refused(int error, const std::string& what) {
    const bool isDenied = error == EPERM || error == EACCES;
    return errnoError(error, what, isDenied ? ErrorCode::AccessDenied : ErrorCode::NotSupported);
}

/// Instructions of a program, in the kernel's own form (bpf_insn).
class Assembly {
public:
    void add(unsigned code, Register destination, Register source, int offset, std::int32_t immediate) {
        m_code.push_back({static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(destination & 0xFU),
                          static_cast<std::uint8_t>(source & 0xFU), static_cast<std::int16_t>(offset), immediate});
    }
    void copy(Register to, Register from) { add(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0); }
    void set(Register to, std::int32_t value) { add(BPF_ALU64 | BPF_MOV | BPF_K, to, kR0, 0, value); }
    void setLow(Register to, std::int32_t value) { add(BPF_ALU | BPF_MOV | BPF_K, to, kR0, 0, value); }
    void mask(Register of, std::int32_t bits) { add(BPF_ALU64 | BPF_AND | BPF_K, of, kR0, 0, bits); }
    void load(Register to, Register base, int offset) { add(BPF_LDX | BPF_MEM | BPF_DW, to, base, offset, 0); }
    void store(int offset, Register value) { add(BPF_STX | BPF_MEM | BPF_DW, kFrame, value, offset, 0); }
    void storeZero(int offset) { add(BPF_ST | BPF_MEM | BPF_W, kFrame, kR0, offset, 0); }
    void call(std::int32_t helper) { add(BPF_JMP | BPF_CALL, kR0, kR0, 0, helper); }
    void frameAddress(Register to, int offset) {
        copy(to, kFrame);
        add(BPF_ALU64 | BPF_ADD | BPF_K, to, kR0, 0, offset);
    }
    void map(Register to, int fd) { // takes two places
        add(BPF_LD | BPF_DW | BPF_IMM, to, static_cast<Register>(BPF_PSEUDO_MAP_FD), 0, fd);
        add(0, kR0, kR0, 0, 0);
    }
    /// To the end, where R0 `compares` so with `value`.
    void endIf(unsigned compares, std::int32_t value) {
        m_jumps.push_back(m_code.size());
        add(BPF_JMP | compares | BPF_K, kR0, kR0, 0, value);
    }
    /// The tracepoint's own sample is to be written, too.
    void end() {
        for (const std::size_t jump : m_jumps) {
            m_code[jump].off = static_cast<std::int16_t>(m_code.size() - jump - 1);
        }
        set(kR0, 1);
        add(BPF_JMP | BPF_EXIT, kR0, kR0, 0, 0);
    }
    [[nodiscard]] Result<KernelObject> load() const {
        bpf_attr attributes{};
        attributes.prog_type = BPF_PROG_TYPE_TRACEPOINT;
        attributes.insns = reinterpret_cast<std::uintptr_t>(m_code.data());
        attributes.insn_cnt = static_cast<std::uint32_t>(m_code.size());
        attributes.license = reinterpret_cast<std::uintptr_t>(kLicense);
        const int fd = bpf(BPF_PROG_LOAD, attributes);
        return fd < 0 ? Result<KernelObject>(fail(refused(errno, "BPF_PROG_LOAD"))) : KernelObject(fd);
    }

private:
    std::vector<bpf_insn> m_code;
    std::vector<std::size_t> m_jumps;
};

Result<KernelObject> makeMap(bpf_map_type type, std::uint32_t keyBytes, std::uint32_t valueBytes, std::uint32_t most) {
    bpf_attr attributes{};
    attributes.map_type = type;
    attributes.key_size = keyBytes;
    attributes.value_size = valueBytes;
    attributes.max_entries = most;
    const int fd = bpf(BPF_MAP_CREATE, attributes);
    return fd < 0 ? Result<KernelObject>(fail(refused(errno, "BPF_MAP_CREATE"))) : KernelObject(fd);
}

constexpr int kThread = -16; ///< places in a program's frame
constexpr int kAddress = -8;
constexpr int kZero = -4;

Result<KernelObject> loadEnter(int calls, std::size_t argument) {
    Assembly program;
    program.load(kR7, kR1, kFirstArgument + static_cast<int>(argument * 8));
    program.store(kAddress, kR7);
    program.call(BPF_FUNC_get_current_pid_tgid);
    program.store(kThread, kR0);
    program.map(kR1, calls);
    program.frameAddress(kR2, kThread);
    program.frameAddress(kR3, kAddress);
    program.set(kR4, BPF_ANY);
    program.call(BPF_FUNC_map_update_elem);
    program.end();
    return program.load();
}

Result<KernelObject> loadExit(int calls, int text, int outputs) {
    Assembly program;
    program.copy(kR6, kR1);
    program.call(BPF_FUNC_get_current_pid_tgid);
    program.store(kThread, kR0);
    program.map(kR1, calls);
    program.frameAddress(kR2, kThread);
    program.call(BPF_FUNC_map_lookup_elem);
    program.endIf(BPF_JEQ, 0);
    program.load(kR7, kR0, 0);
    program.map(kR1, calls);
    program.frameAddress(kR2, kThread);
    program.call(BPF_FUNC_map_delete_elem);
    program.storeZero(kZero);
    program.map(kR1, text);
    program.frameAddress(kR2, kZero);
    program.call(BPF_FUNC_map_lookup_elem);
    program.endIf(BPF_JEQ, 0);
    program.copy(kR8, kR0);
    program.copy(kR1, kR8);
    program.set(kR2, static_cast<std::int32_t>(PathProbe::kMostBytes));
    program.copy(kR3, kR7);
    program.call(BPF_FUNC_probe_read_user_str);
    program.endIf(BPF_JSLT, 1);
    program.copy(kR5, kR0);
    program.mask(kR5, static_cast<std::int32_t>(kTextRoom - 1));
    program.copy(kR1, kR6);
    program.map(kR2, outputs);
    program.setLow(kR3, -1); // BPF_F_CURRENT_CPU
    program.copy(kR4, kR8);
    program.call(BPF_FUNC_perf_event_output);
    program.end();
    return program.load();
}

Status attach(int event, const KernelObject& program) {
    if (::ioctl(event, PERF_EVENT_IOC_SET_BPF, program.fd()) == 0 || errno == EEXIST) { // it watches that call already
        return {};
    }
    return fail(refused(errno, "PERF_EVENT_IOC_SET_BPF"));
}

} // namespace

KernelObject::~KernelObject() {
    if (m_fd >= 0) {
        ::close(m_fd);
    }
}

Result<PathProbe> PathProbe::load(std::uint32_t processors) {
    PathProbe probe;
    const auto keep = [](Result<KernelObject> made, KernelObject& into) -> Status {
        if (!made) {
            return fail(made.error());
        }
        into = std::move(*made);
        return {};
    };
    Status status =
        keep(makeMap(BPF_MAP_TYPE_LRU_HASH, sizeof(std::uint64_t), sizeof(std::uint64_t), kMostCalls), probe.m_calls);
    status =
        status ? keep(makeMap(BPF_MAP_TYPE_PERCPU_ARRAY, sizeof(std::uint32_t), kTextRoom, 1), probe.m_text) : status;
    status =
        status ? keep(makeMap(BPF_MAP_TYPE_PERF_EVENT_ARRAY, sizeof(std::uint32_t), sizeof(std::uint32_t), processors),
                      probe.m_outputs)
               : status;
    for (std::size_t i = 0; i < kMostArguments && status; ++i) {
        status = keep(loadEnter(probe.m_calls.fd(), i), probe.m_enter[i]);
    }
    status =
        status ? keep(loadExit(probe.m_calls.fd(), probe.m_text.fd(), probe.m_outputs.fd()), probe.m_exit) : status;
    return status ? Result<PathProbe>(std::move(probe)) : fail(status.error());
}

perf_event_attr PathProbe::outputAttributes(const PerfFeatures& features) {
    perf_event_attr attributes = tracepointAttributes(features, PERF_COUNT_SW_BPF_OUTPUT, false);
    attributes.type = PERF_TYPE_SOFTWARE;
    return attributes;
}

Status PathProbe::sendTo(std::uint32_t processor, int event) {
    bpf_attr attributes{};
    attributes.map_fd = static_cast<std::uint32_t>(m_outputs.fd());
    attributes.key = reinterpret_cast<std::uintptr_t>(&processor);
    attributes.value = reinterpret_cast<std::uintptr_t>(&event);
    attributes.flags = BPF_ANY;
    return bpf(BPF_MAP_UPDATE_ELEM, attributes) == 0 ? Status() : fail(refused(errno, "BPF_MAP_UPDATE_ELEM"));
}

Status PathProbe::watch(int enterEvent, int exitEvent, std::size_t argument) {
    if (argument >= kMostArguments) {
        return fail(ErrorCode::InvalidArgument, "a system call has six arguments", 0);
    }
    // The end first: a call that is noted is told.
    const Status ends = attach(exitEvent, m_exit);
    return ends ? attach(enterEvent, m_enter[argument]) : ends;
}

} // namespace tracedeck::linux_source
