#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What recording costs beside perf record of the same events, printed.

    beside_perf.py [--seconds 10] [--rounds 3] FOLDER_OF_PROGRAMS

Context switches, samples (1 kHz a processor) and call stacks of both are recorded to a file on the same disk: by
tracedeck-cli with its default buffers and by perf, in turns, under a load of threads that hand a byte to and fro on
every processor, and without it. Processor time is that of the recorder's process with all of its threads; "net" is
less what the same recorder takes without load. It is taken twice: when the recorder is asked to stop, and at its end,
which for us includes one merged, verified file. Run it as root on an otherwise idle machine.
"""
import argparse
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

PROFILE = """<?xml version="1.0" encoding="utf-8"?>
<WindowsPerformanceRecorder Version="1.0" Author="Tracedeck">
  <Profiles>
    <SystemCollector Id="System" Name="NT Kernel Logger">
      <BufferSize Value="1024"/>
      <Buffers Value="3" PercentageOfTotalMemory="true"/>
    </SystemCollector>
    <SystemProvider Id="Switches">
      <Keywords>
        <Keyword Value="ProcessThread"/>
        <Keyword Value="Loader"/>
        <Keyword Value="CSwitch"/>
        <Keyword Value="SampledProfile"/>
      </Keywords>
      <Stacks>
        <Stack Value="CSwitch"/>
        <Stack Value="SampledProfile"/>
      </Stacks>
    </SystemProvider>
    <Profile Id="Switches.Verbose.File" Name="Switches" Description="Switches" DetailLevel="Verbose"
             LoggingMode="File">
      <Collectors>
        <SystemCollectorId Value="System">
          <SystemProviderId Value="Switches"/>
        </SystemCollectorId>
      </Collectors>
    </Profile>
  </Profiles>
</WindowsPerformanceRecorder>
"""


def processor_seconds(pid):
    """User and system time of a process that runs, of all its threads."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def switches():
    return int(re.search(r"^ctxt (\d+)", pathlib.Path("/proc/stat").read_text(), re.MULTILINE).group(1))


def load(workload, seconds):
    return [
        subprocess.Popen([workload, "pingpong", str(cpu), str(seconds * 1000)], stdout=subprocess.DEVNULL)
        for cpu in sorted(os.sched_getaffinity(0))
    ]


def wait_until_recording(process, file):
    """The program says so; perf has its file."""
    if file is None:
        for line in process.stderr:
            if line.startswith("Recording."):
                return
        sys.exit("tracedeck-cli recorded nothing")
    while not file.exists() or file.stat().st_size == 0:
        if process.poll() is not None:
            sys.exit("perf recorded nothing")
        time.sleep(0.01)


def record(command, workload, seconds, file=None):
    """Seconds of processor time until it was asked to stop and until its end, switches a second, what it printed."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until_recording(process, file)
    begun, before = time.monotonic(), switches()
    running = load(workload, seconds) if workload else []
    for one in running:
        one.wait()
    time.sleep(max(0.0, begun + seconds - time.monotonic()))
    rate = (switches() - before) / (time.monotonic() - begun)
    until_stop = processor_seconds(process.pid)
    process.send_signal(signal.SIGINT)
    printed = process.stdout.read() + process.stderr.read()
    _, _, usage = os.wait4(process.pid, 0)
    return until_stop, usage.ru_utime + usage.ru_stime, rate, printed


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("--seconds", type=int, default=10)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("programs", type=pathlib.Path, help="build/bench/bin")
    chosen = arguments.parse_args()
    workload = str(chosen.programs / "workload")

    before, begun = switches(), time.monotonic()
    for one in load(workload, chosen.seconds):
        one.wait()
    print(f"untraced: {(switches() - before) / (time.monotonic() - begun):,.0f} switches/s")

    with tempfile.TemporaryDirectory(prefix="beside-perf-", dir=".") as folder:
        folder = pathlib.Path(folder)
        profile = folder / "switches.wprp"
        profile.write_text(PROFILE)
        trace, perf_data = folder / "out.etl", folder / "perf.data"
        ours = [str(chosen.programs / "tracedeck-cli"), "record", "-p", str(profile), "--file", "--force",
                "-o", str(trace)]
        perfs = ["perf", "record", "-a", "-g", "-e", "sched:sched_switch", "-e",
                 "cpu-clock/period=1000000/", "-k", "CLOCK_MONOTONIC", "-o", str(perf_data)]
        nets = {"tracedeck-cli": ([], []), "perf record": ([], [])}
        for number in range(1, chosen.rounds + 1):
            for name, command, file in (("tracedeck-cli", ours, None), ("perf record", perfs, perf_data)):
                perf_data.unlink(missing_ok=True)
                idle_stop, idle_end, _, _ = record(command, None, chosen.seconds, file)
                perf_data.unlink(missing_ok=True)
                busy_stop, busy_end, rate, printed = record(command, workload, chosen.seconds, file)
                size = (trace if file is None else perf_data).stat().st_size
                lost = re.findall(r"lost [\d,]+ of [\d,]+ events|lost \d+ chunks|LOST[^\n]*", printed)
                nets[name][0].append(busy_stop - idle_stop)
                nets[name][1].append(busy_end - idle_end)
                print(f"round {number}, {name}: {rate:,.0f} switches/s, net {nets[name][0][-1]:.2f} s until stop, "
                      f"{nets[name][1][-1]:.2f} s to its end (without load {idle_stop:.2f} and {idle_end:.2f} s), "
                      f"{size / 1e6:,.0f} MB, {'; '.join(lost) or 'no loss told'}")
        for index, until in ((0, "until stop"), (1, "to the end")):
            our, their = (statistics.median(nets[name][index]) for name in ("tracedeck-cli", "perf record"))
            print(f"net {until}: {our:.2f} s of ours, {their:.2f} s of perf's, ratio {our / their:.2f} (bar 2, aim 1)")


if __name__ == "__main__":
    main()
