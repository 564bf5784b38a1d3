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
        <source>%1: %Ln event(s) lost. %2 %3</source>
        <translation>
            <numerusform>%1: %Ln event lost. %2 %3</numerusform>
            <numerusform>%1: %Ln events lost. %2 %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln call stack(s)</source>
        <translation>
            <numerusform>%Ln call stack</numerusform>
            <numerusform>%Ln call stacks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::LivePane</name>
    <message numerus="yes">
        <source>%Ln mark(s) set</source>
        <translation>
            <numerusform>%Ln mark set</numerusform>
            <numerusform>%Ln marks set</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::Words</name>
    <message numerus="yes">
        <source>%Ln source(s) of program events</source>
        <translation>
            <numerusform>%Ln source of program events</numerusform>
            <numerusform>%Ln sources of program events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %Ln more</source>
        <extracomment>%1 is a list of names that is cut short</extracomment>
        <translation>
            <numerusform>%1 and %Ln more</numerusform>
            <numerusform>%1 and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln part(s) of the file are damaged.</source>
        <translation>
            <numerusform>%Ln part of the file is damaged.</numerusform>
            <numerusform>%Ln parts of the file are damaged.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln event(s) are out of order.</source>
        <translation>
            <numerusform>%Ln event is out of order.</numerusform>
            <numerusform>%Ln events are out of order.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln part(s) of the file are missing or repeated.</source>
        <translation>
            <numerusform>%Ln part of the file is missing or repeated.</numerusform>
            <numerusform>%Ln parts of the file are missing or repeated.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln call stack(s) belong to no event.</source>
        <translation>
            <numerusform>%Ln call stack belongs to no event.</numerusform>
            <numerusform>%Ln call stacks belong to no event.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln event(s) name a processor that does not exist.</source>
        <translation>
            <numerusform>%Ln event names a processor that does not exist.</numerusform>
            <numerusform>%Ln events name a processor that does not exist.</numerusform>
        </translation>
    </message>
</context>
</TS>
