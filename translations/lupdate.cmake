# SPDX-License-Identifier: GPL-3.0-or-later
# Brings the .ts files up to date (VERB update), or fails where that would change one (VERB check).
# Run with -DLUPDATE=… -DSOURCE_DIR=… -DWORK_DIR=… -DTRANSLATIONS=… -DVERB=….
foreach(file IN LISTS TRANSLATIONS)
    set(target ${file})
    if(VERB STREQUAL "check")
        get_filename_component(name ${file} NAME)
        set(target ${WORK_DIR}/checked_${name})
        configure_file(${file} ${target} COPYONLY)
    endif()
    # The texts are English: that translation holds their plural forms and nothing else.
    set(what)
    if(file MATCHES "_en\\.ts$")
        set(what -pluralonly)
    endif()
    # Without locations a .ts changes only where a text does.
    execute_process(COMMAND ${LUPDATE} -silent ${what} -locations none -no-obsolete -I ${SOURCE_DIR} ${SOURCE_DIR}/ui ${SOURCE_DIR}/app/gui
        ${SOURCE_DIR}/app/messages -ts ${target} RESULT_VARIABLE failed)
    if(failed)
        message(FATAL_ERROR "lupdate failed on ${file}")
    endif()
    if(VERB STREQUAL "check")
        execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${file} ${target} RESULT_VARIABLE differs)
        if(differs)
            message(FATAL_ERROR "${file} is out of date: build the target update-translations and translate what is new")
        endif()
        file(STRINGS ${file} unfinished REGEX "type=\"unfinished\"")
        if(unfinished)
            list(LENGTH unfinished count)
            message(FATAL_ERROR "${file}: ${count} texts are not translated")
        endif()
    endif()
endforeach()
