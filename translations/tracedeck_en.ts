<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>tracedeck::ui::Format</name>
    <message numerus="yes">
        <source>%n days</source>
        <translation>
            <numerusform>%n day</numerusform>
            <numerusform>%n days</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::HealthCard</name>
    <message numerus="yes">
        <source>%1: %n event(s) lost. %2 %3</source>
        <translation>
            <numerusform>%1: %n event lost. %2 %3</numerusform>
            <numerusform>%1: %n events lost. %2 %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n call stack(s)</source>
        <translation>
            <numerusform>%n call stack</numerusform>
            <numerusform>%n call stacks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::MainWindow</name>
    <message numerus="yes">
        <source>%n mark(s) set</source>
        <translation>
            <numerusform>%n mark set</numerusform>
            <numerusform>%n marks set</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::Words</name>
    <message numerus="yes">
        <source>%n source(s) of program events</source>
        <translation>
            <numerusform>%n source of program events</numerusform>
            <numerusform>%n sources of program events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n part(s) of the file are damaged.</source>
        <translation>
            <numerusform>%n part of the file is damaged.</numerusform>
            <numerusform>%n parts of the file are damaged.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) are out of order.</source>
        <translation>
            <numerusform>%n event is out of order.</numerusform>
            <numerusform>%n events are out of order.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n part(s) of the file are missing or repeated.</source>
        <translation>
            <numerusform>%n part of the file is missing or repeated.</numerusform>
            <numerusform>%n parts of the file are missing or repeated.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n call stack(s) belong to no event.</source>
        <translation>
            <numerusform>%n call stack belongs to no event.</numerusform>
            <numerusform>%n call stacks belong to no event.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) name a processor that does not exist.</source>
        <translation>
            <numerusform>%n event names a processor that does not exist.</numerusform>
            <numerusform>%n events name a processor that does not exist.</numerusform>
        </translation>
    </message>
</context>
</TS>
