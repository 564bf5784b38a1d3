# SPDX-License-Identifier: GPL-3.0-or-later
# Turns profile files into a constant table of their texts: cmake -DINPUTS=a.wprp,b.wprp -DOUTPUT=… -P builtin_profiles.cmake
string(REPLACE "," ";" files "${INPUTS}")
set(table "// Made of the files of profiles/.\nconstexpr std::string_view kProfileTexts[] = {\n")
foreach(file IN LISTS files)
    # Hexadecimal and back: lists and brackets of CMake do not get in the way of the text.
    file(READ "${file}" hex HEX)
    string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${hex}")
    # In pieces, for compilers limit the length of one literal.
    string(LENGTH "${bytes}" length)
    set(at 0)
    while(at LESS length)
        string(SUBSTRING "${bytes}" ${at} 480 piece)
        string(APPEND table "    \"${piece}\"\n")
        math(EXPR at "${at} + 480")
    endwhile()
    string(APPEND table "    ,\n")
endforeach()
file(WRITE "${OUTPUT}" "${table}};\n")
