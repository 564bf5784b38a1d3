<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>messages</name>
    <message>
        <source>This request cannot be carried out as it was given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the settings and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not supported on this machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another setting or another profile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This was cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing that was recorded is lost; you can try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is not enough memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close other programs, choose fewer profiles, or record with less detail.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something went wrong inside the recorder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Please report this with the line of evidence.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file does not exist.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the name and the folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder does not exist.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Create the folder or choose another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is already a file of this name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another name, or say that the file is to be replaced.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You are not allowed to do this.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another folder, or run again as an administrator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk is full.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free some space or choose a folder on another disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file could not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the disk, or copy the file to another one and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file could not be written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the disk or choose a folder on another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The profile file is not well-formed XML.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the file at the place given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The profile file says something that a profile must not say.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no profile of this name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one of the profiles that are listed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The profile does not offer this level of detail or this way of keeping the recording.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one of the variants that the profile has.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing of the chosen profiles can be recorded on this machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose other profiles, or follow what is said about each one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another recording of the same name is running.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the other recording first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The recording has ended already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start a new recording.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too many recordings are running on this machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop another recording first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The profile asks for settings that are not allowed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another profile, or correct its buffers and sizes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A source of events that the profile names does not exist here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another profile, or install the program that it belongs to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel does not let you record what this machine does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run again as an administrator (sudo).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another recording of the kernel is running.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel stopped giving events.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save what was recorded up to now, then start again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not an .etl recording.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file that a recorder has written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The recording is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy it again from where it came, or record again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The saved file is not what was recorded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save again to another disk; the raw recording is still there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not possible at the moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait until the current step has ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel lets only administrators record system activity.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run again as root (sudo), or ask an administrator to run: sysctl kernel.perf_event_paranoid=-1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel gives no performance events to this program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run outside the container or sandbox as root, or with the capability CAP_PERFMON and a seccomp profile that allows perf_event_open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context switches and wake-ups cannot be recorded, because the kernel&apos;s trace points cannot be reached.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run as root, or ask an administrator to run: mount -t tracefs tracefs /sys/kernel/tracing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel&apos;s buffers had to be made smaller, so that events may be lost when much happens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run as root, or ask an administrator to raise kernel.perf_event_mlock_kb.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Addresses of the kernel and its modules are hidden, so that their functions cannot be named.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run as root, or ask an administrator to run: sysctl kernel.kptr_restrict=0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some processes do not show their command line or the code they have loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run as root; what a container or a security module refuses stays hidden.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stacks of code without frame pointers end early.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Build the program that you look at with -fno-omit-frame-pointer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This kind of kernel event does not exist on this platform.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record the rest here, or record on Windows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This kind of kernel event is not recorded by this version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record the rest; a later version may add it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stacks of this kernel event are not recorded here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record the rest; the events themselves are complete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This source of events does not exist on this machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record the rest here, or record on a machine that has it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples cannot be taken as often as the profile asks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask an administrator to raise kernel.perf_event_max_sample_rate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without administrator rights only your own programs can be recorded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code that a running program unloads keeps counting as loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to do; function names in unloaded code may be wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Events came faster than they could be written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record with less detail, in memory, or with more or larger buffers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some events were larger than a buffer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use a profile with larger buffers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel&apos;s own buffer overflowed before it was read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record fewer kinds of events, or as root, who may use larger buffers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel paused sampling because it took too much time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask an administrator to raise kernel.perf_event_max_sample_rate and kernel.perf_cpu_time_max_percent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some events arrived after their place in time was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record with less detail, so that the machine keeps up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk, or the size that was set for the recording, was full.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free some space, allow a larger file, or record in memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk failed while the recording was written.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::app</name>
    <message>
        <source>Records what this computer is doing into one .etl file.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::DetailsDialog</name>
    <message>
        <source>What This Records</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions of the recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Profiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logging mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 KB × %2 to %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stacks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sampling interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Providers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out or changed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::Format</name>
    <message>
        <source>%1/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <extracomment>%1 is a number; keep the space before the sign where your language has one</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n days</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::HealthCard</name>
    <message>
        <source>Open &amp;Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy &amp;Path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved and checked: good to send.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved, but the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved and readable, but not complete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1: %n event(s) lost. %2 %3</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Length:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, file size %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Events:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 recorded, %2 lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on the processors in their order</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n call stack(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1; %2 more belonged to events that gave way to newer ones</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stacks:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most frequent:</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::HistoryChart</name>
    <message>
        <source>Buffer fill and event rate over the last two minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%d s</source>
        <extracomment>seconds on the time axis; %d is the number</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%d %%</source>
        <extracomment>percent on the axis of the buffer fill; %d is the number, %% the sign</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%d/s</source>
        <extracomment>events per second on the axis of the event rate; %d is the number</extracomment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::HistoryView</name>
    <message>
        <source>Last two minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>— Buffers in use: %1
      highest %2</source>
        <extracomment>the line patterns say which line of the chart is meant</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>‐ ‐ Events per second: %1
      highest %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>▲ Lost: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::MainWindow</name>
    <message>
        <source>Tracedeck</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <extracomment>tool tip: text of a command and its shortcut</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mar&amp;k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy as Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>De&amp;tails…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Filter Profiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open F&amp;older</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R&amp;ecording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vie&amp;w</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Tracedeck</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Qt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This program uses Qt version %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Qt is a toolkit for programs with windows. See www.qt.io.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press Record, do what is slow, press Stop. You can look at everything before you save.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing yet: tick a profile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at what this machine can record…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 At the last recording&apos;s %2 they hold about %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This cannot be recorded: see above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tick a profile first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at the folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another folder first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk of the folder is too full.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The command is in the clipboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mark %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n mark(s) set</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 written, full in about %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 written, disk lasts about %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Events are being lost. %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is lost: the recording is still there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace the File?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is already a file named “%1”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Replace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Choose Another Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard the Recording?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Throw this recording away?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was recorded cannot be brought back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close Tracedeck?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A recording is running.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A recording is not saved yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without saving, the raw files stay in %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Stop and Save…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close, &amp;Keep Raw Files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Go Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Tracedeck</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tracedeck %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Records what a computer is doing into one .etl file.

Free software under the GNU General Public License, version 3 or later. It comes without any warranty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not ready</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::MessageStrip</name>
    <message>
        <source>Cop&amp;y Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies the message with its code, %1, for a report.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::OptionsPanel</name>
    <message>
        <source>&amp;Verbose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>L&amp;ight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In &amp;memory, newest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In a fil&amp;e</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In a file, at m&amp;ost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything that the profiles offer, with call stacks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Less to record: for long recordings and slow machines.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Can run for hours: when the buffers are full, the oldest events give way to new ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps everything from start to stop, as long as the disk has room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps everything until the file has this size, then stops.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> MB</source>
        <extracomment>unit behind a number of megabytes</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest size of the file in megabytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After a time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> s</source>
        <extracomment>unit behind a number of seconds</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds until the recording stops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Detail:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Stop:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fol&amp;der:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder for Recordings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at the folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 free; the folder will be created</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This folder does not exist.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You cannot write to this folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only %1 free: too little to record.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::PlanPanel</name>
    <message>
        <source>What this records</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>De&amp;tails…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy as Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not recorded on this machine:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions, buffers, keywords, stacks and providers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same recording as a command line (Ctrl+Shift+C).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::Presets</name>
    <message>
        <source>First look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something is wrong and it is not clear what: a bit of everything, light enough to run for hours.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slow or busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Programs are slow or the processors are busy: which code runs, which threads wait and who wakes them.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ProfileModel</name>
    <message>
        <source>Custom measurements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. On the command line: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ProfilePanel</name>
    <message>
        <source>Filter profiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Profiles</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ProgressPanel</name>
    <message>
        <source>1. Stopping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2. Writing one file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3. Checking it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go &amp;Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the stopped recording. Nothing is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about %1 left</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::RecordingBar</name>
    <message>
        <source>Time since the start of the recording</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::RecordingForm</name>
    <message>
        <source>What is wrong?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>modified from “%1”</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::SaveDialog</name>
    <message>
        <source>&amp;Browse…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open the folder afterwards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go Bac&amp;k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save Recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For example: the window froze while saving, at about 14:05.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the stopped recording. Nothing is thrown away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;What was happening?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept in the recording. Enter saves; Shift+Enter starts a new line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File &amp;name:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Folder:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file contains</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the names, command lines and users of all programs that ran, which may show names of documents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the names and folders of the programs and libraries in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this machine&apos;s name, its processors, memory and system version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what you write above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no contents of files, windows or network traffic, and no key strokes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder for the Recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file needs a name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file name must not contain slashes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the whole path of the folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace the File?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is already a file named “%1”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replacing it throws away what is in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Replace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Choose Another Name</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::SessionGauges</name>
    <message>
        <source>%1: buffers in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lost %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, holds the last %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: events lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Serious: more than 1 % lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First loss at %1. %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::StoppedPanel</name>
    <message>
        <source>%1 %2 events of %3 wait to be saved, %4 were lost.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::Words</name>
    <message>
        <source>samples of what each processor runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>which thread runs when</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>which thread wakes another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>processes and threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>programs and libraries in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>disk reads and writes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>who starts disk reads and writes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file operations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>who starts file operations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory that is read from disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>registry operations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>network sends and receives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>deferred driver work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interrupts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>power states</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory counters of processes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory use of the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>system configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n source(s) of program events</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1, with call stacks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffers take %1 of memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffers take %1 of memory (%2 of what this machine has).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recording in memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recording in a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped, not saved yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking the saved file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You stopped the recording.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The time that was set is over.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk is nearly full, so the recording was stopped. What fitted is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The size that was set is reached. Everything up to that point is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk failed, so the recording was stopped. What was written until then is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system stopped giving events. What came until then is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The recording was not closed properly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file ends too early.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n part(s) of the file are damaged.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) are out of order.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n part(s) of the file are missing or repeated.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The file does not hold as much as it says.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n call stack(s) belong to no event.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Events were lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file holds no events.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) name a processor that does not exist.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
