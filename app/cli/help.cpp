// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/help.h"

namespace tracedeck::cli {
namespace {

constexpr std::string_view kProgramHelp = R"(Records what this computer is doing into one .etl file.

Usage: tracedeck-cli COMMAND [OPTIONS]

Commands:
  record      record until Ctrl+C or a time limit, then save
  start       record in the background (status, mark, stop, cancel)
  profiles    list what can be recorded, and how much of it here
  plan        show what a recording would turn on here
  check       read a recording from end to end and say whether it is worth sending
  summary     count what is in a recording, by name and by processor

  repair      make a whole file of one whose recorder was ended, or that is damaged
  trim        write a span of time of a recording
  compress    write a recording in a fraction of its size
  decompress  write it as it was
  merge       write several files of one computer's session into one

  profile-details  show what profiles ask for
  status           what is being recorded, and what is left of recordings that were cut off
  mark             put a mark into a recording in the background
  stop             stop and save one, or save what is left of one that was cut off
  cancel           discard one
  validate         check profile files and say what is wrong where
  export           write several profiles into one file
  export-events    write the events of a recording as CSV or JSON
  scrub            write a recording without names, paths, command lines and addresses

  -h, --help  this help; tracedeck-cli COMMAND --help tells more
  --version   the version

Examples:
  tracedeck-cli record -p CPU -t 10s -o cpu.etl
      ten seconds of this machine's processors
  tracedeck-cli record -p GeneralProfile -p CPU --file -o hang.etl --note "window freezes on save"
      everything until Ctrl+C, kept in a file
  tracedeck-cli check cpu.etl
      whether a recording is whole, and whether it is worth sending
  tracedeck-cli trim hang.etl moment.etl --from 12s --to 15s
      three seconds of a recording

Exit codes:
  0    good
  1    there is a file, but events are missing from it, or it is damaged
  2    wrong arguments, unknown profile, or a profile file with errors
  3    nothing could be recorded; usually administrator rights are missing
  4    a file or folder could not be read or written
  130  discarded by a second Ctrl+C, or work on a file ended by Ctrl+C
  141  whoever read the output (a pipe) wanted no more of it
)";

constexpr std::string_view kRecordHelp = R"(Records until Ctrl+C or a time limit, then saves one verified .etl file.

Usage: tracedeck-cli record -p PROFILE [-p PROFILE ...] [OPTIONS]

What:
  -p, --profile PROFILE   CPU, CPU.Light, CPU+DiskIO, my.wprp, or my.wprp!Name; may be repeated
  --detail LEVEL          verbose (the default) or light
  --note TEXT             what is being recorded; kept in the recording

How:
  --memory                keep the newest events, in memory (the default); may run for hours
  --file                  keep everything, in a file
  --max-size SIZE         with --file: stop at 500, 500MB, or 2GB
  --when-disk-short WHAT  with --file and no --max-size: "stop" (the default) and save while there is room to, or
                          "keep-newest" and go on, newer events taking the place of the oldest
  -t, --time TIME         stop after 10, 10s, 500ms, 2m, or 1h
  --host                  by the service tracedeck-host (Linux), which is started with an administrator's password
                          where it does not run; used anyway where it runs and you lack the rights

Where:
  -o, --output FILE       without it a new name in your recordings folder
  --force                 replace the file if it exists

  --verbose               say what goes on inside, on standard error
  -h, --help              this help

Ctrl+C stops and saves; a second Ctrl+C discards what was recorded. A signal to end (SIGTERM) stops and saves.
While it runs, the raw data is in a hidden folder beside the output.
It goes once the saved file has been read back.

Examples:
  tracedeck-cli record -p CPU -t 10s -o cpu.etl
  tracedeck-cli record -p GeneralProfile -p CPU --detail light --file --max-size 2GB -o hang.etl

Exit codes: 0 good, 1 saved but events are missing, 2 wrong arguments, 3 nothing could be recorded,
            4 file error, 130 discarded
)";

constexpr std::string_view kStartHelp = R"(Records in the background: the recording goes on when this command has ended.

Usage: tracedeck-cli start -p PROFILE [-p PROFILE ...] [OPTIONS]

  -p, --profile PROFILE   CPU, CPU.Light, CPU+DiskIO, my.wprp, or my.wprp!Name; may be repeated
  --detail LEVEL          verbose (the default) or light
  --note TEXT             what is being recorded; kept in the recording
  --memory                keep the newest events, in memory (the default); may run for hours
  --file                  keep everything, in a file
  --max-size SIZE         with --file: no more than 500, 500MB, or 2GB
  --when-disk-short WHAT  with --file and no --max-size: "stop" (the default) when the disk is full, or
                          "keep-newest" and go on, newer events taking the place of the oldest while there is
                          room to save them
  -t, --time TIME         no more than 10, 10s, 500ms, 2m, or 1h, when it is next looked at
  --raw-folder FOLDER     where the raw data goes; without it your recordings folder
  --verbose               say what goes on inside, on standard error
  -h, --help              this help

"tracedeck-cli stop FILE" stops and saves it, "cancel" discards it, "status" shows it.
The session host has to run: it owns the recording.

Exit codes: 0 it records, 2 wrong arguments, 3 nothing could be recorded, 4 file error
)";

constexpr std::string_view kStatusHelp =
    R"(Shows the recordings that are under way, and what is left of those that were cut off.

Usage: tracedeck-cli status

  --verbose    say what goes on inside, on standard error
  -h, --help   this help

A recording is cut off when its program, or the session host that owned it, is killed. What it had in its file, and
what it held in memory, is still there, until the machine is switched off or loses its power: "tracedeck-cli stop FILE"
saves it, "tracedeck-cli cancel" discards it.

Exit codes: 0 good, 3 the session host does not answer
)";

constexpr std::string_view kMarkHelp = R"(Puts a mark into a recording in the background.

Usage: tracedeck-cli mark TEXT [OPTIONS]

  -r, --recording N   the number that "tracedeck-cli status" gives it, where there are several
  --verbose           say what goes on inside, on standard error
  -h, --help          this help

Exit codes: 0 good, 2 wrong arguments, 3 there is no such recording
)";

constexpr std::string_view kStopHelp =
    R"(Stops a recording in the background and saves it, or saves what is left of one that was cut off.

Usage: tracedeck-cli stop [FILE] [OPTIONS]

  FILE                the file to write; without it a new name in your recordings folder
  -r, --recording N   the number that "tracedeck-cli status" gives it, where there are several
  --note TEXT         what happened; kept in the recording
  --force             replace the file if it exists
  --verbose           say what goes on inside, on standard error
  -h, --help          this help

Ctrl+C while it is being saved leaves it stopped, to be saved another time.

Exit codes: 0 good, 1 saved but events are missing, 2 wrong arguments, 3 there is no such recording, 4 file error
)";

constexpr std::string_view kCancelHelp =
    R"(Discards a recording in the background, or what is left of one that was cut off.

Usage: tracedeck-cli cancel [OPTIONS]

  -r, --recording N   the number that "tracedeck-cli status" gives it, where there are several
  --verbose           say what goes on inside, on standard error
  -h, --help          this help

Exit codes: 0 good, 2 wrong arguments, 3 there is no such recording, 4 file error
)";

constexpr std::string_view kProfilesHelp = R"(Lists what can be recorded, and how much of it on this machine.

Usage: tracedeck-cli profiles [FILE.wprp]

  FILE.wprp    a file to list, instead of the profiles that come along and your own
  --verbose    say what goes on inside, on standard error
  -h, --help   this help

Exit codes: 0 good, 2 a profile file has errors, 4 a file could not be read
)";

constexpr std::string_view kCheckHelp =
    R"(Reads a recording from end to end and says whether it is whole and worth sending.

Usage: tracedeck-cli check [--json] FILE.etl

  --json       for programs: verdict, health, findings, damaged_ranges, and all that summary tells
  --verbose    say what goes on inside, on standard error
  -h, --help   this help

Says what was lost, by session, cause and time; what was turned on and said nothing; whether samples and context
switches have stacks, and images their build; which processors have no samples; what of the file cannot be read.
Works on raw files of a recording that was interrupted, and on files of Windows, too.

Exit codes: 0 good, 1 incomplete, damaged, or no recording at all, 2 wrong arguments, 4 it could not be read
)";

constexpr std::string_view kRepairHelp = R"(Makes a closed file, in order, of what can be read.

Usage: tracedeck-cli repair IN.etl [OUT.etl] [--force]

  IN.etl       of a recorder that was ended, a copy that was cut off, a file with damaged parts
  OUT.etl      the file to write; without it IN-repaired.etl beside it
  --force      replace OUT.etl if it exists; it may be IN.etl
  --verbose    say what goes on inside, on standard error
  -h, --help   this help

Says what was lost and where. A file that needs no repair is left alone, and nothing is written.
Events keep their times; nothing is made up. Works with files of Windows too.
Ctrl+C cancels: nothing is left behind, and IN.etl stays as it is.

Exit codes: 0 good, 1 written but something is missing, or no recording at all, 2 wrong arguments, 4 file error,
            130 cancelled
)";

constexpr std::string_view kTrimHelp = R"(Writes a span of time of a recording into a file of its own.

Usage: tracedeck-cli trim IN.etl OUT.etl [--from TIME | --from-mark MARK] [--to TIME | --to-mark MARK] [--force]

  --from TIME       from the start of the recording: 2.5, 2.5s, 500ms, 2m, or 1h
  --to TIME         the same
  --from-mark MARK  from the mark of that text; one that is not there, or not once, lists the marks that there are
  --to-mark MARK    up to that mark
  --force           replace OUT.etl if it exists; it may be IN.etl
  --verbose         say what goes on inside, on standard error
  -h, --help        this help

Names stay: of the processes, threads and images that were there, of the computer and of the recording. They keep
their own times, so that a time in OUT.etl is the same time in IN.etl.
Ctrl+C cancels: nothing is left behind, and IN.etl stays as it is.

Exit codes: 0 good, 1 damaged, nothing in that time, or no recording at all, 2 wrong arguments, 4 file error,
            130 cancelled
)";

constexpr std::string_view kCompressHelp = R"(Writes a recording in a fraction of its size; Windows opens it as it is.

Usage: tracedeck-cli compress IN.etl [OUT.etl] [--force]

  OUT.etl      the file to write; without it IN-compressed.etl beside it
  --force      replace OUT.etl if it exists; it may be IN.etl
  --verbose    say what goes on inside, on standard error
  -h, --help   this help

The result is read back and compared before it gets its name. A compressed file is left alone.
Ctrl+C cancels: nothing is left behind, and IN.etl stays as it is.

Exit codes: 0 good, 1 to be repaired first, or no recording at all, 2 wrong arguments, 4 file error,
            130 cancelled
)";

constexpr std::string_view kDecompressHelp = R"(Writes a compressed recording as it was.

Usage: tracedeck-cli decompress IN.etl [OUT.etl] [--force]

  OUT.etl      the file to write; without it IN-decompressed.etl beside it
  --force      replace OUT.etl if it exists; it may be IN.etl
  --verbose    say what goes on inside, on standard error
  -h, --help   this help

The result is read back and compared before it gets its name. A file that is not compressed is left alone.
Ctrl+C cancels: nothing is left behind, and IN.etl stays as it is.

Exit codes: 0 good, 1 to be repaired first, or no recording at all, 2 wrong arguments, 4 file error,
            130 cancelled
)";

constexpr std::string_view kMergeHelp =
    R"(Writes several files of one computer's session into one, in the order of time.

Usage: tracedeck-cli merge OUT.etl IN.etl ... [--force]

  OUT.etl      the file to write; first, and none of the others
  IN.etl       raw files of one boot
  --force      replace OUT.etl if it exists
  --verbose    say what goes on inside, on standard error
  -h, --help   this help

The result is read back before it gets its name.
Ctrl+C cancels: nothing is left behind, and the other files stay as they are.

Exit codes: 0 good, 1 written but events are missing, or files that do not belong together, 2 wrong arguments,
            4 file error, 130 cancelled
)";

constexpr std::string_view kSummaryHelp = R"(Counts what is in a recording, by name and by processor.

Usage: tracedeck-cli summary [--json] FILE.etl

  --json       for programs: events, lost, span_s, names, processors, header, recorder and more
  --verbose    say what goes on inside, on standard error
  -h, --help   this help

Whether the recording is good, check says.

Exit codes: 0 it could be read, 1 no recording at all, 2 wrong arguments, 4 it could not be read
)";

constexpr std::string_view kExportEventsHelp = R"(Writes the events of a recording, in the order of their time.

Usage: tracedeck-cli export-events FILE.etl OUT [OPTIONS]

  OUT          the file to write, or - for standard output
  --csv        comma-separated values (RFC 4180); without an option the end of OUT says it: .csv
  --json       one JSON object per line; .json, .jsonl
  --force      replace the file if it exists
  --verbose    say what goes on inside, on standard error
  -h, --help   this help

Columns: time_s (since the start), time_utc, processor, process, thread, provider, event, level, keyword, fields.
fields is a JSON object: of kernel events by the names of Windows' classes, of self-describing events by their own.
Events that nothing tells the meaning of have "@payload", hexadecimal. Short kernel events do not say their thread:
it comes from the context switches, as in every reader of such files.
In CSV, names that a spreadsheet would take for a formula get an apostrophe in front.
Ctrl+C ends it; then there is no file.

Exit codes: 0 good, 1 damaged parts left out, or no recording at all, 2 wrong arguments, 4 file error, 130 ended
)";

constexpr std::string_view kScrubHelp = R"(Writes a recording again without what says whose it is, to be sent to others.

Usage: tracedeck-cli scrub FILE.etl OUT.etl [OPTIONS]

  --salt TEXT      the same text gives the same replacements in several files; without it nobody can repeat them
  --keep-notes     keep what you typed: the note, the marks, the description of the problem
  --drop-unknown   clear the events that nothing tells the meaning of
  --force          replace the file if it exists
  --verbose        say what goes on inside, on standard error
  -h, --help       this help

Replaced by letters of the same length: command lines, users, names of the machine and of threads, paths and names
of files, keys and programs, network addresses, notes, every text of self-describing events. What was equal stays
equal. Fields of bytes become zeros. Sizes and times stay.
Kept: files and programs of the operating system, well-known folders and ends of file names, names of event sources
and fields, ids of processes and threads and all other numbers, the time zone.
Events that nothing tells the meaning of are listed; the file is not called clean unless they are cleared.

Exit codes: 0 clean, 1 not clean, damaged, or no recording at all, 2 wrong arguments, 4 file error, 130 ended
)";

constexpr std::string_view kPlanHelp = R"(Shows what a recording of these profiles would turn on, on this machine.

Usage: tracedeck-cli plan PROFILE[+PROFILE ...] [OPTIONS]

  PROFILE          CPU, CPU.Light, my.wprp, or my.wprp!Name
  --detail LEVEL   verbose (the default) or light
  --memory         of a recording in memory (the default)
  --file           of a recording in a file
  --json           for programs: the whole plan, the same for the same profiles and machine, and its cost
  --verbose        say what goes on inside, on standard error
  -h, --help       this help

Exit codes: 0 good, 2 wrong arguments or profiles, 3 nothing of it can be recorded here, 4 a file could not be read
)";

constexpr std::string_view kDetailsHelp = R"(Shows what profiles ask for, on whatever machine.

Usage: tracedeck-cli profile-details PROFILE[+PROFILE ...] [OPTIONS]

  PROFILE          CPU, CPU.Light, my.wprp, or my.wprp!Name
  --detail LEVEL   verbose (the default) or light
  --memory         of a recording in memory (the default)
  --file           of a recording in a file
  --verbose        say what goes on inside, on standard error
  -h, --help       this help

Exit codes: 0 good, 2 wrong arguments or profiles, 4 a file could not be read
)";

constexpr std::string_view kExportHelp = R"(Writes what profiles ask for into one profile file that stands alone.

Usage: tracedeck-cli export PROFILE[+PROFILE ...] OUT.wprp [OPTIONS]

  PROFILE          CPU, CPU.Light, my.wprp, or my.wprp!Name
  OUT.wprp         the file to write
  --name NAME      of the new profile; without it the names of the profiles, joined by "_"
  --detail LEVEL   verbose (the default) or light
  --memory         the variant for a recording in memory (the default)
  --file           the variant for a recording in a file
  --force          replace the file if it exists
  --verbose        say what goes on inside, on standard error
  -h, --help       this help

Exit codes: 0 good, 2 wrong arguments or profiles, 4 a file could not be read or written
)";

constexpr std::string_view kValidateHelp = R"(Checks profile files; one line per problem: file, line, column, element.

Usage: tracedeck-cli validate FILE.wprp ... [--json]

  --json       for programs: every file with its problems
  --verbose    say what goes on inside, on standard error
  -h, --help   this help

Exit codes: 0 all are valid, 1 one is not or could not be read, 2 wrong arguments
)";

} // namespace

std::string_view helpText(std::string_view command) noexcept {
    if (command == "record") {
        return kRecordHelp;
    }
    if (command == "start") {
        return kStartHelp;
    }
    if (command == "status") {
        return kStatusHelp;
    }
    if (command == "mark") {
        return kMarkHelp;
    }
    if (command == "stop") {
        return kStopHelp;
    }
    if (command == "cancel") {
        return kCancelHelp;
    }
    if (command == "profiles") {
        return kProfilesHelp;
    }
    if (command == "plan") {
        return kPlanHelp;
    }
    if (command == "profile-details") {
        return kDetailsHelp;
    }
    if (command == "export") {
        return kExportHelp;
    }
    if (command == "validate") {
        return kValidateHelp;
    }
    if (command == "check") {
        return kCheckHelp;
    }
    if (command == "repair") {
        return kRepairHelp;
    }
    if (command == "trim") {
        return kTrimHelp;
    }
    if (command == "compress") {
        return kCompressHelp;
    }
    if (command == "decompress") {
        return kDecompressHelp;
    }
    if (command == "merge") {
        return kMergeHelp;
    }
    if (command == "export-events") {
        return kExportEventsHelp;
    }
    if (command == "scrub") {
        return kScrubHelp;
    }
    if (command == "summary") {
        return kSummaryHelp;
    }
    return kProgramHelp;
}

} // namespace tracedeck::cli
