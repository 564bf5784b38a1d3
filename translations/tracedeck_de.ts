<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>messages</name>
    <message>
        <source>This request cannot be carried out as it was given.</source>
        <translation>Diese Anforderung kann so nicht ausgeführt werden.</translation>
    </message>
    <message>
        <source>Check the settings and try again.</source>
        <translation>Prüfen Sie die Einstellungen und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>This is not supported on this machine.</source>
        <translation>Das wird auf diesem Rechner nicht unterstützt.</translation>
    </message>
    <message>
        <source>Choose another setting or another profile.</source>
        <translation>Wählen Sie eine andere Einstellung oder ein anderes Profil.</translation>
    </message>
    <message>
        <source>This was cancelled.</source>
        <translation>Der Vorgang wurde abgebrochen.</translation>
    </message>
    <message>
        <source>Nothing that was recorded is lost; you can try again.</source>
        <translation>Von der Aufzeichnung ist nichts verloren; Sie können es noch einmal versuchen.</translation>
    </message>
    <message>
        <source>There is not enough memory.</source>
        <translation>Der Arbeitsspeicher reicht nicht aus.</translation>
    </message>
    <message>
        <source>Close other programs, choose fewer profiles, or record with less detail.</source>
        <translation>Schließen Sie andere Programme, wählen Sie weniger Profile oder zeichnen Sie weniger ausführlich auf.</translation>
    </message>
    <message>
        <source>Something went wrong inside the recorder.</source>
        <translation>Im Rekorder selbst ist ein Fehler aufgetreten.</translation>
    </message>
    <message>
        <source>Please report this with the line of evidence.</source>
        <translation>Bitte melden Sie das zusammen mit der Zeile darüber.</translation>
    </message>
    <message>
        <source>The file does not exist.</source>
        <translation>Die Datei gibt es nicht.</translation>
    </message>
    <message>
        <source>Check the name and the folder.</source>
        <translation>Prüfen Sie den Namen und den Ordner.</translation>
    </message>
    <message>
        <source>The folder does not exist.</source>
        <translation>Den Ordner gibt es nicht.</translation>
    </message>
    <message>
        <source>Create the folder or choose another one.</source>
        <translation>Legen Sie den Ordner an oder wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>There is already a file of this name.</source>
        <translation>Es gibt schon eine Datei dieses Namens.</translation>
    </message>
    <message>
        <source>Choose another name, or say that the file is to be replaced.</source>
        <translation>Wählen Sie einen anderen Namen oder lassen Sie die Datei ersetzen.</translation>
    </message>
    <message>
        <source>You are not allowed to do this.</source>
        <translation>Das dürfen Sie nicht.</translation>
    </message>
    <message>
        <source>Choose another folder, or run again as an administrator.</source>
        <translation>Wählen Sie einen anderen Ordner oder starten Sie das Programm als Administrator.</translation>
    </message>
    <message>
        <source>The disk is full, or has no more than it is to keep free.</source>
        <translation>Der Datenträger ist voll oder hat nur noch so viel Platz, wie frei bleiben soll.</translation>
    </message>
    <message>
        <source>Free some space or choose a folder on another disk.</source>
        <translation>Schaffen Sie Platz oder wählen Sie einen Ordner auf einem anderen Datenträger.</translation>
    </message>
    <message>
        <source>The file could not be read.</source>
        <translation>Die Datei konnte nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Check the disk, or copy the file to another one and try again.</source>
        <translation>Prüfen Sie den Datenträger oder kopieren Sie die Datei auf einen anderen und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The file could not be written.</source>
        <translation>Die Datei konnte nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>Check the disk or choose a folder on another one.</source>
        <translation>Prüfen Sie den Datenträger oder wählen Sie einen Ordner auf einem anderen.</translation>
    </message>
    <message>
        <source>The profile file is not well-formed XML.</source>
        <translation>Die Profildatei ist kein wohlgeformtes XML.</translation>
    </message>
    <message>
        <source>Correct the file at the place given.</source>
        <translation>Berichtigen Sie die Datei an der genannten Stelle.</translation>
    </message>
    <message>
        <source>The profile file says something that a profile must not say.</source>
        <translation>In der Profildatei steht etwas, das in einem Profil nicht stehen darf.</translation>
    </message>
    <message>
        <source>There is no profile of this name.</source>
        <translation>Es gibt kein Profil dieses Namens.</translation>
    </message>
    <message>
        <source>Choose one of the profiles that are listed.</source>
        <translation>Wählen Sie eines der aufgeführten Profile.</translation>
    </message>
    <message>
        <source>The profile does not offer this level of detail or this way of keeping the recording.</source>
        <translation>Das Profil bietet diese Ausführlichkeit oder diese Art der Aufbewahrung nicht an.</translation>
    </message>
    <message>
        <source>Choose one of the variants that the profile has.</source>
        <translation>Wählen Sie eine der Varianten des Profils.</translation>
    </message>
    <message>
        <source>Nothing of the chosen profiles can be recorded on this machine.</source>
        <translation>Nichts von den gewählten Profilen kann auf diesem Rechner aufgezeichnet werden.</translation>
    </message>
    <message>
        <source>Choose other profiles, or follow what is said about each one.</source>
        <translation>Wählen Sie andere Profile oder folgen Sie den Hinweisen zu den einzelnen.</translation>
    </message>
    <message>
        <source>Another recording of the same name is running.</source>
        <translation>Es läuft schon eine Aufzeichnung gleichen Namens.</translation>
    </message>
    <message>
        <source>Stop the other recording first.</source>
        <translation>Halten Sie zuerst die andere Aufzeichnung an.</translation>
    </message>
    <message>
        <source>The recording has ended already.</source>
        <translation>Die Aufzeichnung ist schon zu Ende.</translation>
    </message>
    <message>
        <source>Start a new recording.</source>
        <translation>Starten Sie eine neue Aufzeichnung.</translation>
    </message>
    <message>
        <source>Too many recordings are running on this machine.</source>
        <translation>Auf diesem Rechner laufen zu viele Aufzeichnungen.</translation>
    </message>
    <message>
        <source>Stop another recording first.</source>
        <translation>Halten Sie zuerst eine andere Aufzeichnung an.</translation>
    </message>
    <message>
        <source>The profile asks for settings that are not allowed.</source>
        <translation>Das Profil verlangt unzulässige Einstellungen.</translation>
    </message>
    <message>
        <source>Choose another profile, or correct its buffers and sizes.</source>
        <translation>Wählen Sie ein anderes Profil oder berichtigen Sie dessen Puffer und Größen.</translation>
    </message>
    <message>
        <source>A source of events that the profile names does not exist here.</source>
        <translation>Eine Ereignisquelle, die das Profil nennt, gibt es hier nicht.</translation>
    </message>
    <message>
        <source>Choose another profile, or install the program that it belongs to.</source>
        <translation>Wählen Sie ein anderes Profil oder installieren Sie das zugehörige Programm.</translation>
    </message>
    <message>
        <source>The kernel does not let you record what this machine does.</source>
        <translation>Der Kernel lässt Sie nicht aufzeichnen, was dieser Rechner tut.</translation>
    </message>
    <message>
        <source>Run again as an administrator (sudo).</source>
        <translation>Starten Sie das Programm als Administrator (sudo).</translation>
    </message>
    <message>
        <source>Another recording of the kernel is running.</source>
        <translation>Es läuft schon eine Aufzeichnung des Kernels.</translation>
    </message>
    <message>
        <source>The kernel stopped giving events.</source>
        <translation>Der Kernel liefert keine Ereignisse mehr.</translation>
    </message>
    <message>
        <source>Save what was recorded up to now, then start again.</source>
        <translation>Speichern Sie, was bis jetzt aufgezeichnet wurde, und starten Sie dann neu.</translation>
    </message>
    <message>
        <source>This is not an .etl recording.</source>
        <translation>Das ist keine .etl-Aufzeichnung.</translation>
    </message>
    <message>
        <source>Choose a file that a recorder has written.</source>
        <translation>Wählen Sie eine Datei, die ein Rekorder geschrieben hat.</translation>
    </message>
    <message>
        <source>The recording is damaged.</source>
        <translation>Die Aufzeichnung ist beschädigt.</translation>
    </message>
    <message>
        <source>Copy it again from where it came, or record again.</source>
        <translation>Kopieren Sie sie noch einmal von dort, woher sie kam, oder zeichnen Sie neu auf.</translation>
    </message>
    <message>
        <source>The saved file is not what was recorded.</source>
        <translation>Die gespeicherte Datei stimmt nicht mit der Aufzeichnung überein.</translation>
    </message>
    <message>
        <source>Save again to another disk; the raw recording is still there.</source>
        <translation>Speichern Sie noch einmal auf einem anderen Datenträger; die Rohdaten sind noch da.</translation>
    </message>
    <message>
        <source>This is not possible at the moment.</source>
        <translation>Das ist im Augenblick nicht möglich.</translation>
    </message>
    <message>
        <source>Wait until the current step has ended.</source>
        <translation>Warten Sie, bis der laufende Schritt beendet ist.</translation>
    </message>
    <message>
        <source>The kernel lets only administrators record system activity.</source>
        <translation>Der Kernel lässt nur Administratoren das System aufzeichnen.</translation>
    </message>
    <message>
        <source>Run again as root (sudo), or ask an administrator to run: sysctl kernel.perf_event_paranoid=-1</source>
        <translation>Starten Sie das Programm als root (sudo) oder bitten Sie einen Administrator auszuführen: sysctl kernel.perf_event_paranoid=-1</translation>
    </message>
    <message>
        <source>The kernel gives no performance events to this program.</source>
        <translation>Der Kernel gibt diesem Programm keine Leistungsereignisse.</translation>
    </message>
    <message>
        <source>Run outside the container or sandbox as root, or with the capability CAP_PERFMON and a seccomp profile that allows perf_event_open.</source>
        <translation>Starten Sie das Programm außerhalb des Containers oder der Sandbox als root oder mit der Berechtigung CAP_PERFMON und einem seccomp-Profil, das perf_event_open erlaubt.</translation>
    </message>
    <message>
        <source>Context switches and wake-ups cannot be recorded, because the kernel&apos;s trace points cannot be reached.</source>
        <translation>Kontextwechsel und Weckvorgänge können nicht aufgezeichnet werden, weil die Messpunkte des Kernels nicht erreichbar sind.</translation>
    </message>
    <message>
        <source>Run as root, or ask an administrator to run: mount -t tracefs tracefs /sys/kernel/tracing</source>
        <translation>Starten Sie das Programm als root oder bitten Sie einen Administrator auszuführen: mount -t tracefs tracefs /sys/kernel/tracing</translation>
    </message>
    <message>
        <source>The kernel&apos;s buffers had to be made smaller, so that events may be lost when much happens.</source>
        <translation>Die Puffer des Kernels mussten verkleinert werden, sodass bei viel Betrieb Ereignisse verloren gehen können.</translation>
    </message>
    <message>
        <source>Run as root, or ask an administrator to raise kernel.perf_event_mlock_kb.</source>
        <translation>Starten Sie das Programm als root oder bitten Sie einen Administrator, kernel.perf_event_mlock_kb zu erhöhen.</translation>
    </message>
    <message>
        <source>Addresses of the kernel and its modules are hidden, so that their functions cannot be named.</source>
        <translation>Die Adressen des Kernels und seiner Module sind verborgen, sodass deren Funktionen nicht benannt werden können.</translation>
    </message>
    <message>
        <source>Run as root, or ask an administrator to run: sysctl kernel.kptr_restrict=0</source>
        <translation>Starten Sie das Programm als root oder bitten Sie einen Administrator auszuführen: sysctl kernel.kptr_restrict=0</translation>
    </message>
    <message>
        <source>Some processes do not show their command line or the code they have loaded.</source>
        <translation>Manche Prozesse zeigen ihre Befehlszeile oder den geladenen Code nicht.</translation>
    </message>
    <message>
        <source>Run as root; what a container or a security module refuses stays hidden.</source>
        <translation>Starten Sie das Programm als root; was ein Container oder ein Sicherheitsmodul verweigert, bleibt verborgen.</translation>
    </message>
    <message>
        <source>Stacks of code without frame pointers end early.</source>
        <translation>Aufruflisten von Code ohne Frame-Pointer enden früh.</translation>
    </message>
    <message>
        <source>Build the program that you look at with -fno-omit-frame-pointer.</source>
        <translation>Übersetzen Sie das untersuchte Programm mit -fno-omit-frame-pointer.</translation>
    </message>
    <message>
        <source>This kind of kernel event does not exist on this platform.</source>
        <translation>Diese Art von Kernel-Ereignis gibt es auf dieser Plattform nicht.</translation>
    </message>
    <message>
        <source>Record the rest here, or record on Windows.</source>
        <translation>Zeichnen Sie hier das Übrige auf oder zeichnen Sie unter Windows auf.</translation>
    </message>
    <message>
        <source>This kind of kernel event is not recorded by this version.</source>
        <translation>Diese Art von Kernel-Ereignis zeichnet diese Version nicht auf.</translation>
    </message>
    <message>
        <source>Record the rest; a later version may add it.</source>
        <translation>Zeichnen Sie das Übrige auf; eine spätere Version kann sie ergänzen.</translation>
    </message>
    <message>
        <source>Stacks of this kernel event are not recorded here.</source>
        <translation>Aufruflisten dieses Kernel-Ereignisses werden hier nicht aufgezeichnet.</translation>
    </message>
    <message>
        <source>Record the rest; the events themselves are complete.</source>
        <translation>Zeichnen Sie das Übrige auf; die Ereignisse selbst sind vollständig.</translation>
    </message>
    <message>
        <source>This source of events does not exist on this machine.</source>
        <translation>Diese Ereignisquelle gibt es auf diesem Rechner nicht.</translation>
    </message>
    <message>
        <source>Record the rest here, or record on a machine that has it.</source>
        <translation>Zeichnen Sie hier das Übrige auf oder auf einem Rechner, der sie hat.</translation>
    </message>
    <message>
        <source>Samples cannot be taken as often as the profile asks.</source>
        <translation>Stichproben können nicht so oft genommen werden, wie es das Profil verlangt.</translation>
    </message>
    <message>
        <source>Ask an administrator to raise kernel.perf_event_max_sample_rate.</source>
        <translation>Bitten Sie einen Administrator, kernel.perf_event_max_sample_rate zu erhöhen.</translation>
    </message>
    <message>
        <source>Without administrator rights only your own programs can be recorded.</source>
        <translation>Ohne Administratorrechte können nur Ihre eigenen Programme aufgezeichnet werden.</translation>
    </message>
    <message>
        <source>Code that a running program unloads keeps counting as loaded.</source>
        <translation>Code, den ein laufendes Programm entlädt, gilt weiter als geladen.</translation>
    </message>
    <message>
        <source>Nothing to do; function names in unloaded code may be wrong.</source>
        <translation>Sie müssen nichts tun; Funktionsnamen in entladenem Code können falsch sein.</translation>
    </message>
    <message>
        <source>This kernel keeps some threads to itself; some of their events are missing.</source>
        <translation>Dieser Kernel behält einige Threads für sich; von deren Ereignissen fehlen einige.</translation>
    </message>
    <message>
        <source>Record outside the sandbox or virtual machine if those threads matter; all others are complete.</source>
        <translation>Zeichnen Sie außerhalb der Sandbox oder virtuellen Maschine auf, wenn es auf diese Threads ankommt; alle anderen sind vollständig.</translation>
    </message>
    <message>
        <source>The recorder runs in a container with process ids of its own, so that the kernel&apos;s events cannot be told whose they are.</source>
        <translation>Der Rekorder läuft in einem Container mit eigenen Prozessnummern; von den Ereignissen des Kernels ist deshalb nicht zu sagen, zu wem sie gehören.</translation>
    </message>
    <message>
        <source>Record on the host, or start the container with the host&apos;s process ids (--pid=host).</source>
        <translation>Zeichnen Sie auf dem Host auf, oder starten Sie den Container mit den Prozessnummern des Hosts (--pid=host).</translation>
    </message>
    <message>
        <source>The recorder may not open as many files as recording this machine takes.</source>
        <translation>Der Rekorder darf nicht so viele Dateien öffnen, wie die Aufzeichnung dieses Rechners braucht.</translation>
    </message>
    <message>
        <source>Raise the limit of open files (ulimit -n, LimitNOFILE=, or fs.file-max), then start again.</source>
        <translation>Erhöhen Sie die Grenze für offene Dateien (ulimit -n, LimitNOFILE= oder fs.file-max) und starten Sie die Aufzeichnung noch einmal.</translation>
    </message>
    <message>
        <source>Programs and libraries on network drives were not looked into, so that recording never waits for a server.</source>
        <translation>In Programme und Bibliotheken auf Netzlaufwerken wurde nicht hineingesehen, damit die Aufzeichnung nie auf einen Server wartet.</translation>
    </message>
    <message>
        <source>Copy the program that you look at to a local disk if its function names are wrong.</source>
        <translation>Kopieren Sie das Programm, das Sie untersuchen, auf eine lokale Platte, wenn seine Funktionsnamen falsch sind.</translation>
    </message>
    <message>
        <source>Events came faster than they could be written.</source>
        <translation>Die Ereignisse kamen schneller, als sie geschrieben werden konnten.</translation>
    </message>
    <message>
        <source>Record with less detail, in memory, or with more or larger buffers.</source>
        <translation>Zeichnen Sie weniger ausführlich, im Arbeitsspeicher oder mit mehr oder größeren Puffern auf.</translation>
    </message>
    <message>
        <source>Some events were larger than a buffer.</source>
        <translation>Einige Ereignisse waren größer als ein Puffer.</translation>
    </message>
    <message>
        <source>Use a profile with larger buffers.</source>
        <translation>Verwenden Sie ein Profil mit größeren Puffern.</translation>
    </message>
    <message>
        <source>The kernel&apos;s own buffer overflowed before it was read.</source>
        <translation>Der Puffer des Kernels lief über, bevor er gelesen wurde.</translation>
    </message>
    <message>
        <source>Record fewer kinds of events, or as root, who may use larger buffers.</source>
        <translation>Zeichnen Sie weniger Arten von Ereignissen auf, oder als root, der größere Puffer verwenden darf.</translation>
    </message>
    <message>
        <source>The kernel paused sampling because it took too much time.</source>
        <translation>Der Kernel hat die Stichproben unterbrochen, weil sie zu viel Zeit brauchten.</translation>
    </message>
    <message>
        <source>Ask an administrator to raise kernel.perf_event_max_sample_rate and kernel.perf_cpu_time_max_percent.</source>
        <translation>Bitten Sie einen Administrator, kernel.perf_event_max_sample_rate und kernel.perf_cpu_time_max_percent zu erhöhen.</translation>
    </message>
    <message>
        <source>Some events arrived after their place in time was written.</source>
        <translation>Einige Ereignisse trafen ein, als ihr Platz in der Zeitfolge schon geschrieben war.</translation>
    </message>
    <message>
        <source>Record with less detail, so that the machine keeps up.</source>
        <translation>Zeichnen Sie weniger ausführlich auf, damit der Rechner mithält.</translation>
    </message>
    <message>
        <source>The disk was full, or had no more than it is to keep free.</source>
        <translation>Der Datenträger war voll oder hatte nur noch so viel Platz, wie frei bleiben soll.</translation>
    </message>
    <message>
        <source>Free some space, or record in memory.</source>
        <translation>Schaffen Sie Platz, oder zeichnen Sie im Arbeitsspeicher auf.</translation>
    </message>
    <message>
        <source>The disk failed while the recording was written.</source>
        <translation>Der Datenträger versagte, während die Aufzeichnung geschrieben wurde.</translation>
    </message>
    <message>
        <source>The profile insists on something that cannot be recorded here.</source>
        <translation>Das Profil besteht auf etwas, das hier nicht aufgezeichnet werden kann.</translation>
    </message>
    <message>
        <source>Choose another profile, or remove Strict from that entry.</source>
        <translation>Wählen Sie ein anderes Profil, oder entfernen Sie Strict aus diesem Eintrag.</translation>
    </message>
    <message>
        <source>Some of what the profiles ask for is not carried out on this machine.</source>
        <translation>Manches, was die Profile verlangen, wird auf diesem Rechner nicht ausgeführt.</translation>
    </message>
    <message>
        <source>Record all the same; more may be recorded than was asked for, or details be missing.</source>
        <translation>Zeichnen Sie trotzdem auf; es kann mehr aufgezeichnet werden als verlangt, oder Einzelheiten können fehlen.</translation>
    </message>
    <message>
        <source>Processors were switched off or on while recording, so that some of what they did is missing.</source>
        <translation>Während der Aufzeichnung wurden Prozessoren ab- oder zugeschaltet, sodass ein Teil dessen fehlt, was sie taten.</translation>
    </message>
    <message>
        <source>Record again without suspending the machine and without switching processors off if those seconds matter.</source>
        <translation>Zeichnen Sie noch einmal auf, ohne den Rechner in den Ruhezustand zu versetzen und ohne Prozessoren abzuschalten, wenn es auf diese Sekunden ankommt.</translation>
    </message>
    <message>
        <source>The file has reached the size that this program may write at most.</source>
        <translation>Die Datei ist so groß, wie dieses Programm höchstens schreiben darf.</translation>
    </message>
    <message>
        <source>Raise the limit on the size of files (ulimit -f, LimitFSIZE=), then record again.</source>
        <translation>Erhöhen Sie die Grenze für die Größe von Dateien (ulimit -f, LimitFSIZE=) und starten Sie die Aufzeichnung noch einmal.</translation>
    </message>
    <message>
        <source>If the program is killed, what it holds in memory is lost: there is no room for it in shared memory.</source>
        <translation>Wird das Programm abgebrochen, so ist verloren, was es im Arbeitsspeicher hält: Im gemeinsamen Speicher ist kein Platz dafür.</translation>
    </message>
    <message>
        <source>Make room in /dev/shm, record into a file, or choose less detail.</source>
        <translation>Schaffen Sie Platz in /dev/shm, zeichnen Sie in eine Datei auf, oder wählen Sie weniger Einzelheiten.</translation>
    </message>
    <message>
        <source>The service that records does not answer.</source>
        <translation>Der Dienst, der aufzeichnet, antwortet nicht.</translation>
    </message>
    <message>
        <source>Start the service (tracedeck-host) and try again; what it has recorded is in its files.</source>
        <translation>Starten Sie den Dienst (tracedeck-host) und versuchen Sie es noch einmal; was er aufgezeichnet hat, steht in seinen Dateien.</translation>
    </message>
    <message>
        <source>A program did not answer in time.</source>
        <translation>Ein Programm hat nicht rechtzeitig geantwortet.</translation>
    </message>
    <message>
        <source>Try again, or end the program that the line of evidence names.</source>
        <translation>Versuchen Sie es noch einmal, oder beenden Sie das Programm, das die Zeile darüber nennt.</translation>
    </message>
</context>
<context>
    <name>tracedeck::app</name>
    <message>
        <source>Records what this computer is doing into one .etl file.</source>
        <translation>Zeichnet in einer .etl-Datei auf, was dieser Rechner tut.</translation>
    </message>
    <message>
        <source>tracedeck: %1
See tracedeck --help.
</source>
        <translation>tracedeck: %1
Siehe tracedeck --help.
</translation>
    </message>
    <message>
        <source>“%1” is no option, and there is nothing else to give.</source>
        <translation>„%1“ ist keine Option; weitere Angaben gibt es nicht.</translation>
    </message>
</context>
<context>
    <name>tracedeck::app::ProgramEnd</name>
    <message>
        <source>The recording was stopped and not saved. Its raw files are:</source>
        <translation>Die Aufzeichnung wurde angehalten und nicht gespeichert. Ihre Rohdateien sind:</translation>
    </message>
    <message>
        <source>The session ends: the recording is stopped. Its raw files stay in a hidden folder in %1.</source>
        <translation>Die Sitzung endet: die Aufzeichnung wird angehalten. Ihre Rohdateien bleiben in einem versteckten Ordner in %1.</translation>
    </message>
    <message>
        <source>What was recorded in memory is lost, because no folder takes it:</source>
        <translation>Was im Arbeitsspeicher aufgezeichnet wurde, ist verloren, weil kein Ordner es aufnimmt:</translation>
    </message>
    <message>
        <source>The display is gone: the recording is stopped.</source>
        <translation>Die Anzeige ist weg: die Aufzeichnung wird angehalten.</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::CostWords</name>
    <message>
        <source>About %1 and %2 of one processor, as measured on this machine.</source>
        <translation>Etwa %1 und %2 eines Prozessors, auf diesem Rechner gemessen.</translation>
    </message>
    <message>
        <source>About %1 and %2 of one processor, if the machine is in ordinary use.</source>
        <translation>Etwa %1 und %2 eines Prozessors bei gewöhnlicher Nutzung des Rechners.</translation>
    </message>
    <message>
        <source>Memory holds about the last %1.</source>
        <translation>Im Arbeitsspeicher liegen etwa die letzten %1.</translation>
    </message>
    <message>
        <source>The file gets about %1 in %2.</source>
        <translation>Die Datei wird in %2 etwa %1 groß.</translation>
    </message>
    <message>
        <source>The file is full after about %1.</source>
        <translation>Die Datei ist nach etwa %1 voll.</translation>
    </message>
    <message>
        <source>The disk lasts about %1.</source>
        <translation>Der Datenträger reicht für etwa %1.</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::DetailsDialog</name>
    <message>
        <source>What This Records</source>
        <translation>Was aufgezeichnet wird</translation>
    </message>
    <message>
        <source>Sessions of the recording</source>
        <translation>Sitzungen der Aufzeichnung</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>&amp;Copy as JSON</source>
        <translation>Als JSON &amp;kopieren</translation>
    </message>
    <message>
        <source>Profiles</source>
        <translation>Profile</translation>
    </message>
    <message>
        <source>Logging mode</source>
        <translation>Protokollmodus</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>%1 KB × %2 to %3</source>
        <translation>%1 KB × %2 bis %3</translation>
    </message>
    <message>
        <source>Largest file</source>
        <translation>Größte Datei</translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation>Schlüsselwörter</translation>
    </message>
    <message>
        <source>Stacks</source>
        <translation>Aufruflisten</translation>
    </message>
    <message>
        <source>Sampling interval</source>
        <translation>Stichprobenabstand</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>Providers</source>
        <translation>Anbieter</translation>
    </message>
    <message>
        <source>Left out or changed</source>
        <translation>Weggelassen oder geändert</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::FolderLine</name>
    <message>
        <source>Looking at the folder…</source>
        <translation>Der Ordner wird geprüft …</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>%1 frei</translation>
    </message>
    <message>
        <source>%1 free; the folder will be created</source>
        <translation>%1 frei; der Ordner wird angelegt</translation>
    </message>
    <message>
        <source>This folder does not exist.</source>
        <translation>Diesen Ordner gibt es nicht.</translation>
    </message>
    <message>
        <source>You cannot write to this folder.</source>
        <translation>In diesen Ordner können Sie nicht schreiben.</translation>
    </message>
    <message>
        <source>This folder does not answer.</source>
        <translation>Dieser Ordner antwortet nicht.</translation>
    </message>
    <message>
        <source>Only %1 free: too little to record.</source>
        <translation>Nur %1 frei: zu wenig zum Aufzeichnen.</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::Format</name>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>%1 %</source>
        <extracomment>%1 is a number; keep the space before the sign where your language has one</extracomment>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 min %2 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 h %2 min</translation>
    </message>
    <message numerus="yes">
        <source>%n days</source>
        <translation>
            <numerusform>%n Tag</numerusform>
            <numerusform>%n Tage</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::GuidancePanel</name>
    <message>
        <source>Press Record, do what is slow, press Stop. You can look at everything before you save.</source>
        <translation>Drücken Sie „Aufzeichnen“, tun Sie das, was langsam ist, und drücken Sie „Anhalten“. Vor dem Speichern können Sie alles ansehen.</translation>
    </message>
    <message>
        <source>Meanwhile:</source>
        <translation>Währenddessen:</translation>
    </message>
    <message>
        <source>How long:</source>
        <translation>Wie lange:</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::HealthCard</name>
    <message>
        <source>Saved and checked: good to send.</source>
        <translation>Gespeichert und geprüft: kann weitergegeben werden.</translation>
    </message>
    <message>
        <source>Saved, but the file is damaged.</source>
        <translation>Gespeichert, aber die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>Saved and readable, but not complete.</source>
        <translation>Gespeichert und lesbar, aber nicht vollständig.</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Length:</source>
        <translation>Länge:</translation>
    </message>
    <message>
        <source>%1, file size %2</source>
        <translation>%1, Dateigröße %2</translation>
    </message>
    <message>
        <source>Events:</source>
        <translation>Ereignisse:</translation>
    </message>
    <message>
        <source>%1 recorded, %2 lost</source>
        <translation>%1 aufgezeichnet, %2 verloren</translation>
    </message>
    <message>
        <source>Samples:</source>
        <translation>Stichproben:</translation>
    </message>
    <message>
        <source>%1 on the processors in their order</source>
        <translation>%1 auf den Prozessoren der Reihe nach</translation>
    </message>
    <message>
        <source>%1; %2 more belonged to events that gave way to newer ones</source>
        <translation>%1; %2 weitere gehörten zu Ereignissen, die neueren gewichen sind</translation>
    </message>
    <message>
        <source>Stacks:</source>
        <translation>Aufruflisten:</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>Most frequent:</source>
        <translation>Am häufigsten:</translation>
    </message>
    <message>
        <source>Open Fo&amp;lder</source>
        <translation>Ordner öff&amp;nen</translation>
    </message>
    <message>
        <source>Cop&amp;y Path</source>
        <translation>Pfad kopie&amp;ren</translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln event(s) lost. %2 %3</source>
        <translation>
            <numerusform>%1: %Ln Ereignis verloren. %2 %3</numerusform>
            <numerusform>%1: %Ln Ereignisse verloren. %2 %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln call stack(s)</source>
        <translation>
            <numerusform>%Ln Aufrufliste</numerusform>
            <numerusform>%Ln Aufruflisten</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Missing:</source>
        <translation>Fehlt:</translation>
    </message>
    <message>
        <source>The program that recorded was ended: the newest part may be missing.</source>
        <translation>Das aufzeichnende Programm wurde beendet: Der neueste Teil kann fehlen.</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1; %2</translation>
    </message>
    <message>
        <source>Marks:</source>
        <translation>Marken:</translation>
    </message>
    <message>
        <source>Silent:</source>
        <translation>Ohne Ereignisse:</translation>
    </message>
    <message>
        <source>Good to know:</source>
        <translation>Gut zu wissen:</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::HealthWords</name>
    <message>
        <source>No events came of what the system calls %1.</source>
        <translation>Zu dem, was das System %1 nennt, kamen keine Ereignisse.</translation>
    </message>
    <message>
        <source>Call stacks were asked for, and there are none.</source>
        <translation>Aufruflisten waren verlangt, es gibt aber keine.</translation>
    </message>
    <message>
        <source>Less than half of the events that should have a call stack have one.</source>
        <translation>Weniger als die Hälfte der Ereignisse, die eine Aufrufliste haben sollten, hat eine.</translation>
    </message>
    <message>
        <source>The call stacks cannot be read: nothing says which programs they belong to.</source>
        <translation>Die Aufruflisten sind nicht lesbar: nichts sagt, zu welchen Programmen sie gehören.</translation>
    </message>
    <message>
        <source>Names of functions can be found on this machine only.</source>
        <translation>Namen von Funktionen lassen sich nur auf diesem Rechner finden.</translation>
    </message>
    <message>
        <source>Processors without samples, being off or left out: %1.</source>
        <extracomment>%1: numbers of processors</extracomment>
        <translation>Prozessoren ohne Stichproben, weil abgeschaltet oder ausgelassen: %1.</translation>
    </message>
    <message>
        <source>%1 % of the samples and %2 % of the context switches have one</source>
        <translation>%1 % der Stichproben und %2 % der Kontextwechsel haben eine</translation>
    </message>
    <message>
        <source>%1 % of the samples have one</source>
        <translation>%1 % der Stichproben haben eine</translation>
    </message>
    <message>
        <source>%1 % of the context switches have one</source>
        <translation>%1 % der Kontextwechsel haben eine</translation>
    </message>
    <message>
        <source>%1 of %2 event sources: %3</source>
        <extracomment>%1 of %2 sources of events; %3: their names</extracomment>
        <translation>%1 von %2 Ereignisquellen: %3</translation>
    </message>
    <message>
        <source>The disk was short: older events made room for newer ones.</source>
        <translation>Der Datenträger war knapp: Ältere Ereignisse haben neueren Platz gemacht.</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::HistoryChart</name>
    <message>
        <source>Buffer fill and event rate over the last two minutes</source>
        <translation>Pufferfüllung und Ereignisrate der letzten zwei Minuten</translation>
    </message>
    <message>
        <source>%d s</source>
        <extracomment>seconds on the time axis; %d is the number</extracomment>
        <translation>%d s</translation>
    </message>
    <message>
        <source>%d %%</source>
        <extracomment>percent on the axis of the buffer fill; %d is the number, %% the sign</extracomment>
        <translation>%d %%</translation>
    </message>
    <message>
        <source>%d/s</source>
        <extracomment>events per second on the axis of the event rate; %d is the number</extracomment>
        <translation>%d/s</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::HistoryView</name>
    <message>
        <source>Last two minutes</source>
        <translation>Letzte zwei Minuten</translation>
    </message>
    <message>
        <source>— Buffers in use: %1
      highest %2</source>
        <extracomment>the line patterns say which line of the chart is meant</extracomment>
        <translation>— Belegte Puffer: %1
      höchstens %2</translation>
    </message>
    <message>
        <source>‐ ‐ Events per second: %1
      highest %2</source>
        <translation>‐ ‐ Ereignisse je Sekunde: %1
      höchstens %2</translation>
    </message>
    <message>
        <source>▲ Lost: %1</source>
        <translation>▲ Verloren: %1</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::LimitationPanel</name>
    <message>
        <source>Not recorded on this machine</source>
        <translation>Auf diesem Rechner nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::LivePane</name>
    <message numerus="yes">
        <source>%Ln mark(s) set</source>
        <translation>
            <numerusform>%Ln Marke gesetzt</numerusform>
            <numerusform>%Ln Marken gesetzt</numerusform>
        </translation>
    </message>
    <message>
        <source>stops in %1</source>
        <translation>hält in %1 an</translation>
    </message>
    <message>
        <source>%1 written, full in about %2</source>
        <translation>%1 geschrieben, voll in etwa %2</translation>
    </message>
    <message>
        <source>%1 written, disk lasts about %2</source>
        <translation>%1 geschrieben, der Datenträger reicht noch etwa %2</translation>
    </message>
    <message>
        <source>the disk is short: newer events take the place of the oldest</source>
        <translation>der Datenträger ist knapp: neuere Ereignisse ersetzen die ältesten</translation>
    </message>
    <message>
        <source>the disk runs short: in about %1 newer events take the place of the oldest</source>
        <extracomment>%1: a time or a size</extracomment>
        <translation>der Datenträger wird knapp: in etwa %1 ersetzen neuere Ereignisse die ältesten</translation>
    </message>
    <message>
        <source>the disk where it will be saved runs short: stops in about %1</source>
        <extracomment>%1: a time or a size</extracomment>
        <translation>der Datenträger, auf dem gespeichert wird, wird knapp: hält in etwa %1 an</translation>
    </message>
    <message>
        <source>the disk runs short: stops in about %1</source>
        <translation>der Datenträger wird knapp: hält in etwa %1 an</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::MainWindow</name>
    <message>
        <source>Tracedeck</source>
        <translation>Tracedeck</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>&amp;Speichern …</translation>
    </message>
    <message>
        <source>About Qt</source>
        <translation>Über Qt</translation>
    </message>
    <message>
        <source>This program uses Qt version %1.</source>
        <translation>Dieses Programm verwendet Qt %1.</translation>
    </message>
    <message>
        <source>Qt is a toolkit for programs with windows. See www.qt.io.</source>
        <translation>Qt ist ein Werkzeugkasten für Programme mit Fenstern. Siehe www.qt.io.</translation>
    </message>
    <message>
        <source>Looking at what this machine can record…</source>
        <translation>Es wird ermittelt, was dieser Rechner aufzeichnen kann …</translation>
    </message>
    <message>
        <source>The command is in the clipboard.</source>
        <translation>Der Befehl ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>Mark %1</source>
        <translation>Marke %1</translation>
    </message>
    <message>
        <source>Nothing is lost: the recording is still there.</source>
        <translation>Nichts ist verloren: Die Aufzeichnung ist noch da.</translation>
    </message>
    <message>
        <source>Replace the File?</source>
        <translation>Datei ersetzen?</translation>
    </message>
    <message>
        <source>There is already a file named “%1”.</source>
        <translation>Es gibt schon eine Datei namens „%1“.</translation>
    </message>
    <message>
        <source>&amp;Replace</source>
        <translation>&amp;Ersetzen</translation>
    </message>
    <message>
        <source>&amp;Choose Another Name</source>
        <translation>Anderen Namen &amp;wählen</translation>
    </message>
    <message>
        <source>Discard the Recording?</source>
        <translation>Aufzeichnung verwerfen?</translation>
    </message>
    <message>
        <source>Throw this recording away?</source>
        <translation>Diese Aufzeichnung verwerfen?</translation>
    </message>
    <message>
        <source>What was recorded cannot be brought back.</source>
        <translation>Was aufgezeichnet wurde, lässt sich nicht zurückholen.</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>&amp;Verwerfen</translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation>&amp;Behalten</translation>
    </message>
    <message>
        <source>Close Tracedeck?</source>
        <translation>Tracedeck schließen?</translation>
    </message>
    <message>
        <source>A recording is running.</source>
        <translation>Eine Aufzeichnung läuft.</translation>
    </message>
    <message>
        <source>A recording is not saved yet.</source>
        <translation>Eine Aufzeichnung ist noch nicht gespeichert.</translation>
    </message>
    <message>
        <source>&amp;Stop and Save…</source>
        <translation>&amp;Anhalten und speichern …</translation>
    </message>
    <message>
        <source>Close, &amp;Keep Raw Files</source>
        <translation>Schließen, &amp;Rohdateien behalten</translation>
    </message>
    <message>
        <source>&amp;Go Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>About Tracedeck</source>
        <translation>Über Tracedeck</translation>
    </message>
    <message>
        <source>Tracedeck %1</source>
        <translation>Tracedeck %1</translation>
    </message>
    <message>
        <source>Records what a computer is doing into one .etl file.

Free software under the GNU General Public License, version 3 or later. It comes without any warranty.</source>
        <translation>Zeichnet in einer .etl-Datei auf, was ein Rechner tut.

Freie Software unter der GNU General Public License, Version 3 oder später. Ohne jede Gewährleistung.</translation>
    </message>
    <message>
        <source>Not ready</source>
        <translation>Nicht bereit</translation>
    </message>
    <message>
        <source>The recording was discarded.</source>
        <translation>Die Aufzeichnung wurde verworfen.</translation>
    </message>
    <message>
        <source>Nothing has changed since.</source>
        <translation>Seither hat sich nichts geändert.</translation>
    </message>
    <message>
        <source>The folder does not answer.</source>
        <translation>Der Ordner antwortet nicht.</translation>
    </message>
    <message>
        <source>Choose another folder, or wait until its server answers again.</source>
        <translation>Wählen Sie einen anderen Ordner, oder warten Sie, bis sein Server wieder antwortet.</translation>
    </message>
    <message>
        <source>%1 The recording is not lost: its raw files are %2.</source>
        <translation>%1 Die Aufzeichnung ist nicht verloren: ihre Rohdateien sind %2.</translation>
    </message>
    <message>
        <source>Without saving, the raw files stay in a hidden folder in %1. You will be told its name.</source>
        <translation>Ohne Speichern bleiben die Rohdateien in einem versteckten Ordner in %1. Sein Name wird Ihnen gesagt.</translation>
    </message>
    <message>
        <source>Without saving, the raw files stay where they are: %1.</source>
        <translation>Ohne Speichern bleiben die Rohdateien, wo sie sind: %1.</translation>
    </message>
    <message>
        <source>Raw Files Are Kept</source>
        <translation>Rohdateien bleiben erhalten</translation>
    </message>
    <message>
        <source>The recording was stopped and not saved.</source>
        <translation>Die Aufzeichnung wurde angehalten und nicht gespeichert.</translation>
    </message>
    <message>
        <source>Its raw files are %1.</source>
        <translation>Ihre Rohdateien sind %1.</translation>
    </message>
    <message>
        <source>&amp;Copy and Close</source>
        <translation>&amp;Kopieren und schließen</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>&amp;Schließen</translation>
    </message>
    <message>
        <source>Replacing it throws away what is in it.</source>
        <translation>Beim Ersetzen geht ihr bisheriger Inhalt verloren.</translation>
    </message>
    <message>
        <source>Some of it is still in memory, because its raw file could not be written. Without saving, it goes into the folder for temporary files.</source>
        <translation>Ein Teil ist noch im Arbeitsspeicher, weil seine Rohdatei nicht geschrieben werden konnte. Ohne Speichern kommt er in den Ordner für temporäre Dateien.</translation>
    </message>
    <message>
        <source>Discarding…</source>
        <translation>Wird verworfen …</translation>
    </message>
    <message>
        <source>Taking the recording over…</source>
        <translation>Die Aufzeichnung wird übernommen …</translation>
    </message>
    <message>
        <source>It can go on without the window, and is offered again when Tracedeck is started. %1</source>
        <translation>Sie kann ohne das Fenster weiterlaufen und wird beim nächsten Start von Tracedeck wieder angeboten. %1</translation>
    </message>
    <message>
        <source>&amp;Let It Go On</source>
        <translation>&amp;Weiterlaufen lassen</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::MessageStrip</name>
    <message>
        <source>Close the message</source>
        <translation>Meldung schließen</translation>
    </message>
    <message>
        <source>Copies the message with its code, %1, for a report.</source>
        <translation>Kopiert die Meldung mit ihrem Code, %1, für einen Bericht.</translation>
    </message>
    <message>
        <source>Code: %1</source>
        <translation>Code: %1</translation>
    </message>
    <message>
        <source>Copy Messa&amp;ge</source>
        <translation>Meldun&amp;g kopieren</translation>
    </message>
    <message>
        <source>Some of it is missing from the recording.</source>
        <translation>Einiges fehlt in der Aufzeichnung.</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <extracomment>what is missing, and which things it concerns</extracomment>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::OptionsPanel</name>
    <message>
        <source>&amp;Verbose</source>
        <translation>A&amp;usführlich</translation>
    </message>
    <message>
        <source>L&amp;ight</source>
        <translation>&amp;Knapp</translation>
    </message>
    <message>
        <source>In &amp;memory, newest first</source>
        <translation>Im Ar&amp;beitsspeicher, Neuestes zuerst</translation>
    </message>
    <message>
        <source>In a fil&amp;e</source>
        <translation>In einer Dat&amp;ei</translation>
    </message>
    <message>
        <source>In a file, at m&amp;ost</source>
        <translation>In einer Datei, h&amp;öchstens</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>Durchsu&amp;chen …</translation>
    </message>
    <message>
        <source>Everything that the profiles offer, with call stacks.</source>
        <translation>Alles, was die Profile bieten, mit Aufruflisten.</translation>
    </message>
    <message>
        <source>Less to record: for long recordings and slow machines.</source>
        <translation>Weniger Daten: für lange Aufzeichnungen und langsame Rechner.</translation>
    </message>
    <message>
        <source>Can run for hours: when the buffers are full, the oldest events give way to new ones.</source>
        <translation>Kann stundenlang laufen: Sind die Puffer voll, weichen die ältesten Ereignisse den neuen.</translation>
    </message>
    <message>
        <source>Keeps everything from start to stop, as long as the disk has room.</source>
        <translation>Behält alles von Anfang bis Ende, solange der Datenträger Platz hat.</translation>
    </message>
    <message>
        <source>Keeps everything until the file has this size, then stops.</source>
        <translation>Behält alles, bis die Datei diese Größe hat, und hält dann an.</translation>
    </message>
    <message>
        <source> MB</source>
        <extracomment>unit behind a number of megabytes</extracomment>
        <translation> MB</translation>
    </message>
    <message>
        <source>Largest size of the file in megabytes</source>
        <translation>Größte Dateigröße in Megabyte</translation>
    </message>
    <message>
        <source>By hand</source>
        <translation>Von Hand</translation>
    </message>
    <message>
        <source>After a time</source>
        <translation>Nach einer Zeit</translation>
    </message>
    <message>
        <source> s</source>
        <extracomment>unit behind a number of seconds</extracomment>
        <translation> s</translation>
    </message>
    <message>
        <source>Seconds until the recording stops</source>
        <translation>Sekunden, bis die Aufzeichnung anhält</translation>
    </message>
    <message>
        <source>Detail:</source>
        <translation>Ausführlichkeit:</translation>
    </message>
    <message>
        <source>Keep:</source>
        <translation>Aufbewahren:</translation>
    </message>
    <message>
        <source>Fol&amp;der:</source>
        <translation>O&amp;rdner:</translation>
    </message>
    <message>
        <source>Folder for Recordings</source>
        <translation>Ordner für Aufzeichnungen</translation>
    </message>
    <message>
        <source>Sto&amp;p:</source>
        <translation>Anha&amp;lten:</translation>
    </message>
    <message>
        <source>When the disk runs short, keep the newest</source>
        <translation>Wird der Datenträger knapp, das Neueste behalten</translation>
    </message>
    <message>
        <source>Goes on instead of stopping: newer events take the place of the oldest, with room left to save them.</source>
        <translation>Nimmt weiter auf, statt anzuhalten: Neuere Ereignisse ersetzen die ältesten, und zum Speichern bleibt Platz.</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::PlanPanel</name>
    <message>
        <source>What this records</source>
        <translation>Was aufgezeichnet wird</translation>
    </message>
    <message>
        <source>De&amp;tails…</source>
        <translation>De&amp;tails …</translation>
    </message>
    <message>
        <source>&amp;Copy as Command</source>
        <translation>Als Befehl k&amp;opieren</translation>
    </message>
    <message>
        <source>Sessions, buffers, keywords, stacks and providers.</source>
        <translation>Sitzungen, Puffer, Schlüsselwörter, Aufruflisten und Anbieter.</translation>
    </message>
    <message>
        <source>The same recording as a command line (Ctrl+Shift+C).</source>
        <translation>Dieselbe Aufzeichnung als Befehlszeile (Strg+Umschalt+C).</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Look &amp;Again</source>
        <translation>Noch einm&amp;al prüfen</translation>
    </message>
    <message>
        <source>Asks again what this machine lets you record (F5).</source>
        <translation>Fragt noch einmal, was sich auf diesem Rechner aufzeichnen lässt (F5).</translation>
    </message>
    <message>
        <source>What this records (on this machine only in part)</source>
        <translation>Was aufgezeichnet wird (auf diesem Rechner nur teilweise)</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::Preset</name>
    <message>
        <source>Window freezes</source>
        <extracomment>on a button, at most 20 characters: what the user feels</extracomment>
        <translation>Fenster hängt</translation>
    </message>
    <message>
        <source>A window stops answering for seconds or minutes.</source>
        <translation>Ein Fenster antwortet sekunden- oder minutenlang nicht.</translation>
    </message>
    <message>
        <source>Work as usual until the window freezes. Wait until it answers again, or at least ten seconds, then press Stop at once.</source>
        <translation>Arbeiten Sie wie gewohnt, bis das Fenster hängt. Warten Sie, bis es wieder antwortet, oder wenigstens zehn Sekunden, und drücken Sie dann sofort „Anhalten“.</translation>
    </message>
    <message>
        <source>As long as you like: the newest part is kept, often less than a minute, so stop right after it happened.</source>
        <translation>So lange Sie wollen: Das Neueste bleibt erhalten, oft weniger als eine Minute; halten Sie deshalb gleich danach an.</translation>
    </message>
    <message>
        <source>Slow or busy</source>
        <extracomment>on a button, at most 20 characters: what the user feels</extracomment>
        <translation>Rechner langsam</translation>
    </message>
    <message>
        <source>Programs are slow, or the fan is loud and the processors are busy.</source>
        <translation>Programme sind langsam, oder der Lüfter ist laut und die Prozessoren sind ausgelastet.</translation>
    </message>
    <message>
        <source>Do what is slow, or just let the computer be busy. Press Stop while it still is.</source>
        <translation>Tun Sie das, was langsam ist, oder lassen Sie den Rechner einfach arbeiten. Drücken Sie „Anhalten“, solange er noch ausgelastet ist.</translation>
    </message>
    <message>
        <source>Ten to thirty seconds of it are enough.</source>
        <translation>Zehn bis dreißig Sekunden davon genügen.</translation>
    </message>
    <message>
        <source>Disk busy</source>
        <extracomment>on a button, at most 20 characters: what the user feels</extracomment>
        <translation>Laufwerk arbeitet</translation>
    </message>
    <message>
        <source>The disk works all the time, and opening or saving files takes long.</source>
        <translation>Das Laufwerk arbeitet ständig, und das Öffnen oder Speichern von Dateien dauert lange.</translation>
    </message>
    <message>
        <source>Open or save what takes long, or wait until the disk gets busy by itself. Press Stop while it still is.</source>
        <translation>Öffnen oder speichern Sie, was lange dauert, oder warten Sie, bis das Laufwerk von selbst zu arbeiten beginnt. Drücken Sie „Anhalten“, solange es noch arbeitet.</translation>
    </message>
    <message>
        <source>Half a minute of it is enough.</source>
        <translation>Eine halbe Minute davon genügt.</translation>
    </message>
    <message>
        <source>Memory grows</source>
        <extracomment>on a button, at most 20 characters: what the user feels</extracomment>
        <translation>Speicher wächst</translation>
    </message>
    <message>
        <source>A program takes more and more memory until the computer gets slow.</source>
        <translation>Ein Programm belegt immer mehr Arbeitsspeicher, bis der Rechner langsam wird.</translation>
    </message>
    <message>
        <source>Do again and again what makes the program grow, and set a mark after each time.</source>
        <translation>Tun Sie immer wieder das, was das Programm wachsen lässt, und setzen Sie nach jedem Mal eine Marke.</translation>
    </message>
    <message>
        <source>Until it has grown clearly; recording stops by itself after half an hour or at 2 GB.</source>
        <translation>Bis es deutlich gewachsen ist; die Aufzeichnung hält nach einer halben Stunde oder bei 2 GB von selbst an.</translation>
    </message>
    <message>
        <source>Network slow</source>
        <extracomment>on a button, at most 20 characters: what the user feels</extracomment>
        <translation>Netz langsam</translation>
    </message>
    <message>
        <source>Web pages, shared folders or online programs answer slowly or break off.</source>
        <translation>Webseiten, freigegebene Ordner oder Onlineprogramme antworten langsam oder brechen ab.</translation>
    </message>
    <message>
        <source>Open the page or the folder that is slow. Press Stop when it has come, or when it has given up.</source>
        <translation>Öffnen Sie die Seite oder den Ordner, der langsam ist. Drücken Sie „Anhalten“, wenn alles da ist oder der Versuch aufgegeben wurde.</translation>
    </message>
    <message>
        <source>One slow answer is enough, up to a minute.</source>
        <translation>Eine langsame Antwort genügt, höchstens eine Minute.</translation>
    </message>
    <message>
        <source>Battery drains</source>
        <extracomment>on a button, at most 20 characters: what the user feels</extracomment>
        <translation>Akku schnell leer</translation>
    </message>
    <message>
        <source>The battery empties too fast, or the computer keeps waking up and does not come to rest.</source>
        <translation>Der Akku leert sich zu schnell, oder der Rechner wacht immer wieder auf und kommt nicht zur Ruhe.</translation>
    </message>
    <message>
        <source>Unplug the computer, leave your programs open as usual, and do not touch it.</source>
        <translation>Trennen Sie den Rechner vom Netzteil, lassen Sie Ihre Programme wie gewohnt offen und rühren Sie ihn nicht an.</translation>
    </message>
    <message>
        <source>Ten minutes; it stops by itself.</source>
        <translation>Zehn Minuten; die Aufzeichnung hält von selbst an.</translation>
    </message>
    <message>
        <source>Picture stutters</source>
        <extracomment>on a button, at most 20 characters: what the user feels</extracomment>
        <translation>Bild ruckelt</translation>
    </message>
    <message>
        <source>Games, films or scrolling stutter, or the mouse pointer jumps.</source>
        <translation>Spiele, Filme oder das Blättern ruckeln, oder der Mauszeiger springt.</translation>
    </message>
    <message>
        <source>Play, watch or scroll until it stutters. Press Stop within a few seconds.</source>
        <translation>Spielen, schauen oder blättern Sie, bis es ruckelt. Drücken Sie innerhalb weniger Sekunden „Anhalten“.</translation>
    </message>
    <message>
        <source>Ten seconds with some stutters in them are enough.</source>
        <translation>Zehn Sekunden mit einigen Rucklern darin genügen.</translation>
    </message>
    <message>
        <source>Slow start-up</source>
        <extracomment>on a button, at most 20 characters: what the user feels</extracomment>
        <translation>Langsamer Start</translation>
    </message>
    <message>
        <source>It takes long until the computer can be used after it was switched on.</source>
        <translation>Nach dem Einschalten dauert es lange, bis der Rechner benutzbar ist.</translation>
    </message>
    <message>
        <source>Restart the computer, sign in at once, and wait until it can be used and has come to rest.</source>
        <translation>Starten Sie den Rechner neu, melden Sie sich sofort an und warten Sie, bis er benutzbar ist und zur Ruhe gekommen ist.</translation>
    </message>
    <message>
        <source>One start, and two minutes after it.</source>
        <translation>Ein Start und zwei Minuten danach.</translation>
    </message>
    <message>
        <source>First look</source>
        <extracomment>on a button, at most 20 characters: what the user feels</extracomment>
        <translation>Erster Blick</translation>
    </message>
    <message>
        <source>Something is wrong, and it is not clear what.</source>
        <translation>Etwas stimmt nicht, und es ist nicht klar, was.</translation>
    </message>
    <message>
        <source>Work as usual, and press Stop as soon as it happens.</source>
        <translation>Arbeiten Sie wie gewohnt, und drücken Sie „Anhalten“, sobald es geschieht.</translation>
    </message>
    <message>
        <source>As long as you like: the newest part is kept.</source>
        <translation>So lange Sie wollen: Das Neueste bleibt erhalten.</translation>
    </message>
    <message>
        <source>Remote desktop lags</source>
        <extracomment>on a button, at most 20 characters: what the user feels</extracomment>
        <translation>Fernsitzung hakt</translation>
    </message>
    <message>
        <source>Typing, the mouse or the picture of a remote desktop comes late.</source>
        <translation>Tastatur, Maus oder Bild einer Fernsitzung kommen verzögert.</translation>
    </message>
    <message>
        <source>Record on the remote computer if you can, else on your own. Type and scroll until it lags, then press Stop.</source>
        <translation>Zeichnen Sie möglichst auf dem entfernten Rechner auf, sonst auf Ihrem eigenen. Tippen und blättern Sie, bis es hakt, und drücken Sie dann „Anhalten“.</translation>
    </message>
    <message>
        <source>Driver trouble</source>
        <extracomment>on a button, at most 20 characters: what the user feels</extracomment>
        <translation>Treiber gestört</translation>
    </message>
    <message>
        <source>Sound crackles, the mouse sticks or everything halts for a moment, often since a new device or driver.</source>
        <translation>Der Ton knackt, die Maus hängt, oder alles stockt einen Moment, oft seit einem neuen Gerät oder Treiber.</translation>
    </message>
    <message>
        <source>Use the device, or play a sound, until it happens. Press Stop within a few seconds.</source>
        <translation>Benutzen Sie das Gerät oder spielen Sie einen Ton ab, bis es geschieht. Drücken Sie innerhalb weniger Sekunden „Anhalten“.</translation>
    </message>
    <message>
        <source>.NET pauses</source>
        <extracomment>on a button, at most 20 characters: what the user feels</extracomment>
        <translation>.NET stockt</translation>
    </message>
    <message>
        <source>A .NET program halts for a moment again and again, or uses much memory.</source>
        <translation>Ein .NET-Programm stockt immer wieder für einen Moment oder braucht viel Arbeitsspeicher.</translation>
    </message>
    <message>
        <source>Do in the program what makes it halt, a few times. Then press Stop.</source>
        <translation>Tun Sie in dem Programm einige Male das, was es stocken lässt. Drücken Sie dann „Anhalten“.</translation>
    </message>
    <message>
        <source>Half a minute with some pauses in it is enough.</source>
        <translation>Eine halbe Minute mit einigen Pausen darin genügt.</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::PresetOutlook</name>
    <message>
        <source>%1 %2</source>
        <extracomment>what happened, and what helps: two sentences</extracomment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 (%2) %3</source>
        <extracomment>what happened, what it concerns, and what helps: two sentences with names between them</extracomment>
        <translation>%1 (%2) %3</translation>
    </message>
    <message>
        <source>This takes a recording that goes on while the computer restarts, which this version cannot do yet. Start “First look” right after signing in instead.</source>
        <translation>Dazu muss die Aufzeichnung weiterlaufen, während der Rechner neu startet; das kann diese Version noch nicht. Starten Sie stattdessen gleich nach der Anmeldung „Erster Blick“.</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::PresetRow</name>
    <message>
        <source>Only a part of it can be recorded on this machine.</source>
        <translation>Auf diesem Rechner kann nur ein Teil davon aufgezeichnet werden.</translation>
    </message>
    <message>
        <source>It cannot be recorded on this machine now.</source>
        <translation>Auf diesem Rechner kann es zurzeit nicht aufgezeichnet werden.</translation>
    </message>
    <message>
        <source>It cannot be chosen here.</source>
        <translation>Es kann hier nicht gewählt werden.</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>More things that can be wrong.</source>
        <translation>Was sonst noch sein kann.</translation>
    </message>
    <message>
        <source>%1 Chosen: %2.</source>
        <translation>%1 Gewählt: %2.</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ProfileModel</name>
    <message>
        <source>Custom measurements</source>
        <translation>Eigene Messungen</translation>
    </message>
    <message>
        <source>%1. On the command line: %2</source>
        <translation>%1. Auf der Befehlszeile: %2</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ProfilePanel</name>
    <message>
        <source>Filter profiles</source>
        <translation>Profile filtern</translation>
    </message>
    <message>
        <source>Profiles</source>
        <translation>Profile</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ProgressPanel</name>
    <message>
        <source>1. Stopping</source>
        <translation>1. Anhalten</translation>
    </message>
    <message>
        <source>2. Writing one file</source>
        <translation>2. Eine Datei schreiben</translation>
    </message>
    <message>
        <source>3. Checking it</source>
        <translation>3. Datei prüfen</translation>
    </message>
    <message>
        <source>Go &amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>Progress of this step</source>
        <translation>Fortschritt dieses Schritts</translation>
    </message>
    <message>
        <source>Back to the stopped recording. Nothing is lost.</source>
        <translation>Zurück zur angehaltenen Aufzeichnung. Nichts geht verloren.</translation>
    </message>
    <message>
        <source>about %1 left</source>
        <translation>noch etwa %1</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::RecordingBar</name>
    <message>
        <source>Time since the start of the recording</source>
        <translation>Zeit seit Beginn der Aufzeichnung</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::RecordingForm</name>
    <message>
        <source>What is wrong?</source>
        <translation>Was stimmt nicht?</translation>
    </message>
    <message>
        <source>modified from “%1”</source>
        <translation>geändert gegenüber „%1“</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::SaveDialog</name>
    <message>
        <source>&amp;Browse…</source>
        <translation>Durchsu&amp;chen …</translation>
    </message>
    <message>
        <source>&amp;Open the folder afterwards</source>
        <translation>Danach den &amp;Ordner öffnen</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Go Bac&amp;k</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>Save Recording</source>
        <translation>Aufzeichnung speichern</translation>
    </message>
    <message>
        <source>For example: the window froze while saving, at about 14:05.</source>
        <translation>Zum Beispiel: Das Fenster fror beim Speichern ein, gegen 14:05 Uhr.</translation>
    </message>
    <message>
        <source>Back to the stopped recording. Nothing is thrown away.</source>
        <translation>Zurück zur angehaltenen Aufzeichnung. Nichts wird verworfen.</translation>
    </message>
    <message>
        <source>&amp;What was happening?</source>
        <translation>&amp;Was ist passiert?</translation>
    </message>
    <message>
        <source>Kept in the recording. Enter saves; Shift+Enter starts a new line.</source>
        <translation>Steht in der Aufzeichnung. Eingabe speichert; Umschalt+Eingabe beginnt eine neue Zeile.</translation>
    </message>
    <message>
        <source>File &amp;name:</source>
        <translation>Datei&amp;name:</translation>
    </message>
    <message>
        <source>&amp;Folder:</source>
        <translation>O&amp;rdner:</translation>
    </message>
    <message>
        <source>The file contains</source>
        <translation>Die Datei enthält</translation>
    </message>
    <message>
        <source>the names, command lines and users of all programs that ran, which may show names of documents</source>
        <translation>Namen, Befehlszeilen und Benutzer aller Programme, die liefen; darin können Namen von Dokumenten stehen</translation>
    </message>
    <message>
        <source>the names and folders of the programs and libraries in use</source>
        <translation>Namen und Ordner der benutzten Programme und Bibliotheken</translation>
    </message>
    <message>
        <source>this machine&apos;s name, its processors, memory and system version</source>
        <translation>den Namen dieses Rechners, seine Prozessoren, den Arbeitsspeicher und die Systemversion</translation>
    </message>
    <message>
        <source>what you write above</source>
        <translation>was Sie oben schreiben</translation>
    </message>
    <message>
        <source>no contents of files, windows or network traffic, and no key strokes</source>
        <translation>keine Inhalte von Dateien, Fenstern oder Netzverkehr und keine Tastatureingaben</translation>
    </message>
    <message>
        <source>Folder for the Recording</source>
        <translation>Ordner für die Aufzeichnung</translation>
    </message>
    <message>
        <source>The file needs a name.</source>
        <translation>Die Datei braucht einen Namen.</translation>
    </message>
    <message>
        <source>A file name must not contain slashes.</source>
        <translation>Ein Dateiname darf keine Schrägstriche enthalten.</translation>
    </message>
    <message>
        <source>Give the whole path of the folder.</source>
        <translation>Geben Sie den ganzen Pfad des Ordners an.</translation>
    </message>
    <message>
        <source>The folder could not be created.</source>
        <translation>Der Ordner konnte nicht angelegt werden.</translation>
    </message>
    <message>
        <source>This folder does not answer.</source>
        <translation>Dieser Ordner antwortet nicht.</translation>
    </message>
    <message>
        <source>This name belongs to something that is no file.</source>
        <translation>Diesen Namen trägt etwas, das keine Datei ist.</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::SessionGauges</name>
    <message>
        <source>%1: buffers in use</source>
        <translation>%1: belegte Puffer</translation>
    </message>
    <message>
        <source>lost %1 of %2</source>
        <translation>%1 von %2 verloren</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1, holds the last %2</source>
        <translation>%1, umfasst die letzten %2</translation>
    </message>
    <message>
        <source>Nothing lost</source>
        <translation>Nichts verloren</translation>
    </message>
    <message>
        <source>Warning: events lost</source>
        <translation>Warnung: Ereignisse verloren</translation>
    </message>
    <message>
        <source>Serious: more than 1 % lost</source>
        <translation>Ernst: mehr als 1 % verloren</translation>
    </message>
    <message>
        <source>First loss at %1. %2 %3</source>
        <translation>Erster Verlust bei %1. %2 %3</translation>
    </message>
    <message>
        <source>Events are being lost. %1</source>
        <translation>Es gehen Ereignisse verloren. %1</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::SetupView</name>
    <message>
        <source>Nothing yet: tick a profile.</source>
        <translation>Noch nichts: Wählen Sie ein Profil.</translation>
    </message>
    <message>
        <source>Looking at what this machine can record…</source>
        <translation>Es wird ermittelt, was dieser Rechner aufzeichnen kann …</translation>
    </message>
    <message>
        <source>This cannot be recorded: see above.</source>
        <translation>Das kann nicht aufgezeichnet werden: siehe oben.</translation>
    </message>
    <message>
        <source>Tick a profile first.</source>
        <translation>Wählen Sie zuerst ein Profil.</translation>
    </message>
    <message>
        <source>Looking at the folder…</source>
        <translation>Der Ordner wird geprüft …</translation>
    </message>
    <message>
        <source>Choose another folder first.</source>
        <translation>Wählen Sie zuerst einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The disk of the folder is too full.</source>
        <translation>Der Datenträger des Ordners ist zu voll.</translation>
    </message>
    <message>
        <source>%1 is recorded too, as always together with profiles of your own.</source>
        <extracomment>%1 is the name of a profile, in a line of its own</extracomment>
        <translation>%1 wird auch aufgezeichnet, wie immer zusammen mit eigenen Profilen.</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::StoppedPanel</name>
    <message>
        <source>%1 %2 events of %3 wait to be saved, %4 were lost.</source>
        <translation>%1 Ungespeichert: %2 Ereignisse aus %3; %4 gingen verloren.</translation>
    </message>
    <message>
        <source>Until then its raw files are %1.</source>
        <translation>Bis dahin sind ihre Rohdateien %1.</translation>
    </message>
    <message>
        <source>%1 What it recorded until then waits to be saved.</source>
        <extracomment>why the recording has ended; nobody knows its length or how much it holds</extracomment>
        <translation>%1 Was bis dahin aufgezeichnet wurde, wartet auf das Speichern.</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::UnfinishedBar</name>
    <message>
        <source>Discard…</source>
        <translation>Verwerfen …</translation>
    </message>
    <message>
        <source>&amp;Later</source>
        <translation>S&amp;päter</translation>
    </message>
    <message>
        <source>Asks again the next time Tracedeck is started.</source>
        <translation>Fragt beim nächsten Start von Tracedeck wieder.</translation>
    </message>
    <message>
        <source>It is still recording. It was begun on %1.</source>
        <translation>Sie zeichnet noch auf. Begonnen wurde sie am %1.</translation>
    </message>
    <message>
        <source>The program was ended before it was saved. It was begun on %1.</source>
        <translation>Das Programm wurde beendet, bevor sie gespeichert war. Begonnen wurde sie am %1.</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <extracomment>which of several recordings this is</extracomment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>&amp;Go On</source>
        <translation>&amp;Weiterführen</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>&amp;Speichern …</translation>
    </message>
    <message>
        <source>Takes the recording over into this window.</source>
        <translation>Übernimmt die Aufzeichnung in dieses Fenster.</translation>
    </message>
    <message>
        <source>Saves what was recorded until then.</source>
        <translation>Speichert, was bis dahin aufgezeichnet wurde.</translation>
    </message>
    <message>
        <source>A recording from earlier still runs: %1</source>
        <extracomment>%1 are names of profiles</extracomment>
        <translation>Eine frühere Aufzeichnung läuft noch: %1</translation>
    </message>
    <message>
        <source>A recording from earlier is not saved: %1</source>
        <translation>Eine frühere Aufzeichnung ist nicht gespeichert: %1</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::UnfinishedFlow</name>
    <message>
        <source>Nothing is left of this recording.</source>
        <translation>Von dieser Aufzeichnung ist nichts übrig.</translation>
    </message>
    <message>
        <source>It is not offered again.</source>
        <translation>Sie wird nicht wieder angeboten.</translation>
    </message>
    <message>
        <source>This recording was saved or discarded somewhere else.</source>
        <translation>Diese Aufzeichnung wurde anderswo gespeichert oder verworfen.</translation>
    </message>
    <message>
        <source>This recording is open in another window or on a command line.</source>
        <translation>Diese Aufzeichnung ist in einem anderen Fenster oder auf einer Befehlszeile geöffnet.</translation>
    </message>
    <message>
        <source>Save or discard it there.</source>
        <translation>Speichern oder verwerfen Sie sie dort.</translation>
    </message>
    <message>
        <source>%1 The recording is kept, and offered again.</source>
        <extracomment>what helps, and what became of the recording: sentences</extracomment>
        <translation>%1 Die Aufzeichnung bleibt erhalten und wird wieder angeboten.</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::WindowActions</name>
    <message>
        <source>%1 (%2)</source>
        <extracomment>tool tip: text of a command and its shortcut</extracomment>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>&amp;Record</source>
        <translation>&amp;Aufzeichnen</translation>
    </message>
    <message>
        <source>Mar&amp;k</source>
        <translation>&amp;Marke</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>&amp;Speichern …</translation>
    </message>
    <message>
        <source>Discard…</source>
        <translation>Verwerfen …</translation>
    </message>
    <message>
        <source>&amp;Copy as Command</source>
        <translation>Als Befehl &amp;kopieren</translation>
    </message>
    <message>
        <source>Look &amp;Again</source>
        <translation>Noch einm&amp;al prüfen</translation>
    </message>
    <message>
        <source>De&amp;tails…</source>
        <translation>De&amp;tails …</translation>
    </message>
    <message>
        <source>&amp;Filter Profiles</source>
        <translation>Profile &amp;filtern</translation>
    </message>
    <message>
        <source>Open F&amp;older</source>
        <translation>&amp;Ordner öffnen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Recordi&amp;ng</source>
        <translation>Aufzeichn&amp;ung</translation>
    </message>
    <message>
        <source>Vie&amp;w</source>
        <translation>Ansi&amp;cht</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;About Tracedeck</source>
        <translation>&amp;Über Tracedeck</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>Über &amp;Qt</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Anhalten</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::Words</name>
    <message>
        <source>samples of what each processor runs</source>
        <translation>Stichproben davon, was jeder Prozessor ausführt</translation>
    </message>
    <message>
        <source>which thread runs when</source>
        <translation>welcher Thread wann läuft</translation>
    </message>
    <message>
        <source>which thread wakes another</source>
        <translation>welcher Thread einen anderen weckt</translation>
    </message>
    <message>
        <source>processes and threads</source>
        <translation>Prozesse und Threads</translation>
    </message>
    <message>
        <source>programs and libraries in use</source>
        <translation>benutzte Programme und Bibliotheken</translation>
    </message>
    <message>
        <source>disk reads and writes</source>
        <translation>Lesen und Schreiben auf Datenträgern</translation>
    </message>
    <message>
        <source>who starts disk reads and writes</source>
        <translation>wer das Lesen und Schreiben auf Datenträgern auslöst</translation>
    </message>
    <message>
        <source>file operations</source>
        <translation>Dateizugriffe</translation>
    </message>
    <message>
        <source>who starts file operations</source>
        <translation>wer Dateizugriffe auslöst</translation>
    </message>
    <message>
        <source>file names</source>
        <translation>Dateinamen</translation>
    </message>
    <message>
        <source>memory that is read from disk</source>
        <translation>vom Datenträger gelesener Speicher</translation>
    </message>
    <message>
        <source>registry operations</source>
        <translation>Registrierungszugriffe</translation>
    </message>
    <message>
        <source>network sends and receives</source>
        <translation>Senden und Empfangen im Netz</translation>
    </message>
    <message>
        <source>deferred driver work</source>
        <translation>verzögerte Treiberarbeit</translation>
    </message>
    <message>
        <source>interrupts</source>
        <translation>Unterbrechungen</translation>
    </message>
    <message>
        <source>power states</source>
        <translation>Energiezustände</translation>
    </message>
    <message>
        <source>memory counters of processes</source>
        <translation>Speicherzähler der Prozesse</translation>
    </message>
    <message>
        <source>memory use of the system</source>
        <translation>Speichernutzung des Systems</translation>
    </message>
    <message>
        <source>system configuration</source>
        <translation>Systemkonfiguration</translation>
    </message>
    <message>
        <source>%1, with call stacks.</source>
        <translation>%1, mit Aufruflisten.</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1.</translation>
    </message>
    <message>
        <source>Buffers take %1 of memory.</source>
        <translation>Die Puffer belegen %1 Arbeitsspeicher.</translation>
    </message>
    <message>
        <source>Buffers take %1 of memory (%2 of what this machine has).</source>
        <translation>Die Puffer belegen %1 Arbeitsspeicher (%2 dessen, was dieser Rechner hat).</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet …</translation>
    </message>
    <message>
        <source>Recording in memory</source>
        <translation>Zeichnet im Arbeitsspeicher auf</translation>
    </message>
    <message>
        <source>Recording in a file</source>
        <translation>Zeichnet in einer Datei auf</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Hält an …</translation>
    </message>
    <message>
        <source>Stopped, not saved yet</source>
        <translation>Angehalten, noch nicht gespeichert</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Speichert …</translation>
    </message>
    <message>
        <source>Checking the saved file…</source>
        <translation>Prüft die gespeicherte Datei …</translation>
    </message>
    <message>
        <source>You stopped the recording.</source>
        <translation>Sie haben die Aufzeichnung angehalten.</translation>
    </message>
    <message>
        <source>The time that was set is over.</source>
        <translation>Die festgelegte Zeit ist um.</translation>
    </message>
    <message>
        <source>The disk is nearly full, so the recording was stopped. What fitted is kept.</source>
        <translation>Der Datenträger ist fast voll, deshalb wurde die Aufzeichnung angehalten. Was hineinpasste, ist erhalten.</translation>
    </message>
    <message>
        <source>The size that was set is reached. Everything up to that point is kept.</source>
        <translation>Die festgelegte Größe ist erreicht. Alles bis dahin ist erhalten.</translation>
    </message>
    <message>
        <source>The disk failed, so the recording was stopped. What was written until then is kept.</source>
        <translation>Der Datenträger hat versagt, deshalb wurde die Aufzeichnung angehalten. Was bis dahin geschrieben wurde, ist erhalten.</translation>
    </message>
    <message>
        <source>The system stopped giving events. What came until then is kept.</source>
        <translation>Das System liefert keine Ereignisse mehr. Was bis dahin kam, ist erhalten.</translation>
    </message>
    <message>
        <source>The recording was not closed properly.</source>
        <translation>Die Aufzeichnung wurde nicht ordentlich geschlossen.</translation>
    </message>
    <message>
        <source>The file ends too early.</source>
        <translation>Die Datei endet zu früh.</translation>
    </message>
    <message>
        <source>The file does not hold as much as it says.</source>
        <translation>Die Datei enthält nicht so viel, wie sie angibt.</translation>
    </message>
    <message>
        <source>Events were lost.</source>
        <translation>Es gingen Ereignisse verloren.</translation>
    </message>
    <message>
        <source>The file holds no events.</source>
        <translation>Die Datei enthält keine Ereignisse.</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message numerus="yes">
        <source>%Ln source(s) of program events</source>
        <translation>
            <numerusform>%Ln Quelle von Programmereignissen</numerusform>
            <numerusform>%Ln Quellen von Programmereignissen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %Ln more</source>
        <extracomment>%1 is a list of names that is cut short</extracomment>
        <translation>
            <numerusform>%1 und %Ln weiteres</numerusform>
            <numerusform>%1 und %Ln weitere</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln part(s) of the file are damaged.</source>
        <translation>
            <numerusform>%Ln Teil der Datei ist beschädigt.</numerusform>
            <numerusform>%Ln Teile der Datei sind beschädigt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln event(s) are out of order.</source>
        <translation>
            <numerusform>%Ln Ereignis steht nicht in der Zeitfolge.</numerusform>
            <numerusform>%Ln Ereignisse stehen nicht in der Zeitfolge.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln part(s) of the file are missing or repeated.</source>
        <translation>
            <numerusform>%Ln Teil der Datei fehlt oder kommt doppelt vor.</numerusform>
            <numerusform>%Ln Teile der Datei fehlen oder kommen doppelt vor.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln call stack(s) belong to no event.</source>
        <translation>
            <numerusform>%Ln Aufrufliste gehört zu keinem Ereignis.</numerusform>
            <numerusform>%Ln Aufruflisten gehören zu keinem Ereignis.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln event(s) name a processor that does not exist.</source>
        <translation>
            <numerusform>%Ln Ereignis nennt einen Prozessor, den es nicht gibt.</numerusform>
            <numerusform>%Ln Ereignisse nennen einen Prozessor, den es nicht gibt.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <extracomment>names of files, and the folder that they are in</extracomment>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>still in memory, because they could not be written</source>
        <extracomment>follows &quot;its raw files are&quot;</extracomment>
        <translation>noch im Arbeitsspeicher, weil sie nicht geschrieben werden konnten</translation>
    </message>
    <message>
        <source>%1; the others are still in memory, because they could not be written</source>
        <translation>%1; die übrigen sind noch im Arbeitsspeicher, weil sie nicht geschrieben werden konnten</translation>
    </message>
    <message>
        <source>Heap</source>
        <translation>Heap</translation>
    </message>
    <message>
        <source>Hypervisor</source>
        <translation>Hypervisor</translation>
    </message>
    <message>
        <source>The program was ended before the recording was saved.</source>
        <translation>Das Programm wurde beendet, bevor die Aufzeichnung gespeichert war.</translation>
    </message>
    <message>
        <source>%1 (in part)</source>
        <extracomment>%1: a keyword of which some events are recorded and some are not</extracomment>
        <translation>%1 (teilweise)</translation>
    </message>
</context>
</TS>
