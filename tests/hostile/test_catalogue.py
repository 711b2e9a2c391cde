"""The expected attacks, and the program for each."""

import pytest

from grader.hostile.hostile_programs import default_suite, read_suite

PYTHON = {
    "time": {
        "computing for ever": "busy_loop",
        "computing for ever inside one call": "big_integers backtracking long_sum colliding_hashes"
            " many_digits",
        "sleeping, selecting, pausing": "sleeps polls_nothing pauses",
        "stopping itself": "stops_itself",
        "ignoring signals": "ignores_signals",
        "handling the signal that ends its turn": "answers_its_interruption",
        "a byte now and then": "drips",
        "half an answer": "half_an_answer",
        "just within the limit, every turn": "almost_too_slow",
        "just beyond the limit": "answers_late",
        "half computing, half sleeping": "half_asleep",
        "thinking on the others' turns": "thinks_between_turns",
        "slow imports and starts": "slow_import slow_start sleeps_while_loading",
        "loading before its start is asked for": "loads_before_its_start",
        "loops in exit handlers, finalisers and last events": "lingers",
        "timers of its own": "interrupts_itself",
        "giving the processor away": "yields",
        "having the kernel compute": "kernel_work",
        "waiting for what is not sent": "reads_ahead",
    },
    "memory": {
        "a gigabyte at once": "huge_list huge_bytes huge_mapping loads_too_much",
        "a gigabyte bit by bit": "slow_leak small_objects doubles_a_string insists",
        "a gigabyte from a small upload": "decompresses",
        "past the interpreter": "many_mappings asks_the_allocator",
        "deep recursion": "recursion stack_overflow nested_generators",
        "processes": "fork fork_bomb vfork posix_spawn subprocesses pool shell reads_a_command",
        "processes by bare system calls": "raw_clone raw_clone3 replaces_itself",
        "leaving the session": "daemon",
        "threads": "thread bare_thread thread_pool timer watchdog",
        "handling the filter's signal": "catches_the_filter",
        "event loops": "event_loop",
        "descriptors": "many_descriptors",
        "memory that counts for no process": "shared_pages starves_its_supervisor",
        "locked memory, core dumps, higher limits": "locks_memory dumps_core raises_its_limits",
    },
    "protocol": {
        "no newline, a line too long, no end": "no_newline long_line endless_stdout",
        "endless standard error, also at the very end": "endless_stderr last_flood",
        "bytes that are no text": "invalid_utf8 overlong_utf8 utf16 nul_bytes lone_surrogate",
        "other ends of a line, other starts of a text":
            "carriage_returns byte_order_mark line_separators",
        "numbers that are none": "not_a_number infinite_number huge_integer",
        "JSON that readers disagree about": "lenient_json escaped_letters",
        "strange JSON": "repeated_keys deep_nesting list_for_an_object two_objects object_as_index",
        "empty and missing things": "empty_line no_action no_turn",
        "another message, another turn": "ready_again wrong_turn answers_a_past_turn turn_as_text",
        "two answers, early answers, answers in parts": "two_answers early_answer answer_in_pieces",
        "padding and taking back": "padded_answers takes_its_answer_back",
        "answers after the end": "answers_the_end",
        "not reading, closing pipes": "never_reads closes_stdin closes_stdout closes_everything",
        "rearranging and tuning its pipes": "swaps_its_pipes tunes_its_pipes",
        "losing or misusing standard error": "closes_stderr prints_into_the_game",
        "exits": "exits_quietly exits_with_three interrupts_from_the_keyboard",
        "exits that look like somebody else's":
            "exits_as_the_sandbox exits_as_the_adapter exits_as_interrupted"
            " exits_as_if_out_of_memory",
        "crashes of the interpreter": "segfaults machine_code",
        "prints, among them what looks like a result": "prints announces_a_result",
        "other descriptors": "writes_everywhere",
        "illegal moves": "illegal_move unknown_action negative_index hints_itself hints_nobody"
            " hints_two_things",
        "other types for an index": "true_as_index float_as_index",
        "fields that nobody asked for, words of some length": "extra_fields long_words",
    },
    "files": {
        "the supervisor's and the host's /proc": "supervisor_proc host_proc",
        "its own /proc": "own_proc descriptors_by_path",
        "the system's files": "system_files path_tricks",
        "the harness's sources and secrets": "harness_sources environment",
        "the sockets of Docker and others": "docker_socket",
        "writing": "writes changes_files site_hooks own_executable",
        "mounts and name spaces": "mounts",
        "terminals and devices": "terminals",
        "administering the machine": "administers",
        "priorities and cores": "schedules",
        "other processes: tracing, signals, memory, descriptors": "other_processes",
        "rarely used and new parts of the kernel": "kernel_surface newest_calls",
        "system calls of other kinds": "other_abi compatibility_calls vsyscall",
    },
    "network": {
        "every family of sockets": "every_family",
        "the internet, the host, the cloud": "internet web_request",
        "names": "names",
        "unix and abstract sockets": "local_sockets",
        "serving": "serves",
        "sockets from descriptors": "descriptors_as_sockets",
    },
    "harness": {
        "replacing functions and modules": "patches_modules hooks_imports deletes_builtins",
        "shadowing the library": "own_standard_library shadows_modules",
        "looking for hidden hands": "hunts_for_hands",
        "writing over memory, ending the interpreter":
            "overwrites_objects breaks_its_adapter ends_the_interpreter",
        "tracing": "traces_the_adapter profiles_the_adapter audit_hook collector_callbacks",
        "lies about equality, numbers and texts": "lies_about_equality lying_index lying_text",
        "what is no action": "not_an_action asynchronous",
        "changing what is frozen": "changes_frozen_values",
        "objects that never go": "comes_back",
        "strange classes": "own_metaclass needs_arguments",
        "strange exceptions":
            "poisonous_exception huge_exception exception_tree exception_chain leaves_through_exit",
        "pickles": "pickles",
        "sources that break the compiler": "compile_bomb",
        "flooding logs": "warns",
    },
    "covert": {
        "what the supervisor remembers of the last game": "diary",
        "figures of the host": "host_figures disk_space",
        "merged pages and the page cache": "merges_pages",
        "locks, leases and watches": "locks",
        "shared memory, semaphores, queues, keys": "shared_objects counters_of_a_user",
        "futexes in shared pages": "shared_futex",
        "numbers of inodes": "inode_numbers proc_inodes",
        "clocks of other processes": "clocks_of_others",
        "notes for the next game": "left_overs",
        "marks on the data beside its sources": "own_data",
    },
    "deals": {
        "trying seeds": "guesses_the_seed tries_many_seeds",
        "recovering a generator's state": "continues_the_generator",
        "learning deals from one game to another": "learnt_deals",
    },
}  # fmt: skip
JAVA = {
    "time": {
        "computing for ever": "BusyLoop CatchesEverything",
        "computing for ever inside one call": "LargeNumbers Backtracks",
        "computing for ever before it is asked": "LoopsWhileLoading LoopsInItsConstructor",
        "sleeping, waiting, parking": "Sleeps Waits Parks JoinsItself WaitsForAPartner",
        "stopping its thread, giving the processor away": "SuspendsItself Yields",
        "having the machine's own threads work": "CollectsGarbage MakesGarbage",
        "thinking on the others' turns":
            "ThinksInAFinalizer ThinksInTheLibrarysFinalizer ThinksInACleaner",
        "going on after the end": "LingersInAHook ExitsIntoAHook",
    },
    "memory": {
        "all of the heap at once": "HugeArray HugeDimensions",
        "all of the heap bit by bit": "LeaksSlowly SmallObjects DoublesAString",
        "memory outside of the heap": "DirectBuffers HeapAndBuffers ManyClasses",
        "living without memory": "CatchesMemoryErrors HoversAtTheLimit",
        "deep recursion": "Recursion CatchesStackOverflows",
        "threads": "StartsAThread ThreadGroups ThreadPool CommonPool ParallelStream UsesATimer"
            " CompletesLater RunsFinalization",
        "processes": "RunsPrograms",
        "memory that outlives its game": "LeaksItsClasses",
    },
    "protocol": {
        "exits": "Exits Halts ExitsWhileLoading StopsItself",
        "prints, among them what looks like an answer": "PrintsIntoTheGame PrintsForEver",
        "replacing and closing streams": "ReplacesItsStreams ClosesItsStreams",
        "descriptors": "AnswersTwice ClosesTheGame ReadsAhead MakesDescriptors",
        "playing past its adapter, and on into the next game": "TakesOver",
    },
    "files": {
        "reading": "ReadsFiles",
        "writing": "WritesFiles",
        "machine code, and what reaches around the language": "LoadsLibraries",
        "other processes": "OtherProcesses",
    },
    "network": {
        "every kind of socket": "Sockets",
        "names": "Names",
    },
    "harness": {
        "opening what is private": "OpensTheLibrary ChangesTheInterface ChangesTheLauncher",
        "classes in place of ours, or beside them":
            "ShipsTheInterface ShipsALauncher LibraryPackage DefinesClasses",
        "policies": "OwnSecurityManager",
        "lies about its answer": "LyingAction",
        "strange exceptions": "PoisonousException EndlessException HugeException"
            " CannotBeInitialised",
        "large names": "NameWithoutEnd",
        "sources that break the compiler": "BombOfConstants BombOfTypes NestsDeeply",
        "the compiler at play": "CompilesInTheGame",
    },
    "covert": {
        "notes for the next game in its own classes": "Statics FullHeap",
        "notes in what the machine keeps": "Properties Defaults Loggers Providers InternedStrings"
            " UrlHandlers DatabaseDrivers NetworkDefaults Introspection ErrorsOfTheMachine"
            " CountOfChance",
        "notes with threads": "NotesOfItsThread NumbersOfThreads ParkedNotes SharedPool",
    },
}  # fmt: skip
CPP = {
    "time": {
        "computing for ever": "busy_loop jumps_back",
        "computing for ever before it is asked":
            "loops_while_loading loops_in_its_constructor loops_in_its_assignment",
        "sleeping, selecting, pausing": "sleeps waits_for_nothing",
        "going on whatever happens": "ignores_signals handles_its_crash answers_its_interruption",
        "going on after the end": "lingers",
        "timers of its own": "sets_timers",
        "a second for every swap": "swaps_for_time",
    },
    "memory": {
        "a gigabyte at once": "huge_array huge_static maps_a_gigabyte",
        "a gigabyte bit by bit": "leaks_slowly grows_a_vector",
        "living without memory": "catches_bad_alloc",
        "the stack": "stack_overflow huge_frame",
        "memory that is not its own":
            "null_pointer calls_nothing frees_twice breaks_its_heap uses_what_is_freed",
        "processes": "forks raw_clone runs_a_shell reads_a_command becomes_another",
        "threads": "std_thread posix_thread std_async",
    },
    "protocol": {
        "exits": "exits exits_at_once aborts leaves_its_thread",
        "exceptions": "throws_a_number throws_twice throws_where_it_promised_not_to throws_a_liar",
        "descriptors": "writes_everywhere closes_everything",
        "prints, among them what looks like an answer": "prints prints_for_ever",
        "what is no answer": "null_event unknown_event answers_with_garbage negative_index"
            " swaps_for_ever",
        "writing over its adapter": "writes_over_its_adapter",
    },
    "files": {
        "the system's files": "system_files",
        "system calls that no agent needs": "system_calls",
        "system calls of other kinds": "calls_as_i386 calls_as_x32",
        "libraries": "loads_libraries",
        "files that the compiler reads": "includes_system_files includes_a_device"
            " includes_its_adapter embeds_its_environment embeds_the_supervisor",
    },
    "network": {
        "every family of sockets": "sockets",
        "names": "names",
    },
    "harness": {
        "the interpreter around it": "calls_the_interpreter",
        "looking for hidden hands": "hunts_for_its_hand",
        "functions in place of others'": "replaces_functions replaces_the_engine",
        "code that nobody calls": "runs_before_it_is_asked",
        "code that nobody compiled": "runs_machine_code writes_over_code",
        "sources that break the compiler":
            "template_bomb macro_bomb includes_itself computes_while_compiled",
        "sources that break the assembler, and what comes after":
            "large_object repeats_itself strange_debug_information",
        "files for the compiler": "other_programs",
    },
}  # fmt: skip
HASKELL = {
    "time": {
        "computing for ever, with and without allocating": "Loops Spins",
        "putting off what is computed for ever": "PutsItOff RemembersForever",
        "sleeping, waiting": "DelaysItself WaitsForNobody",
        "the language's own threads": "ThinksInAThread",
        "catching what ends it": "CatchesEverything",
    },
    "memory": {
        "a full heap, also again": "GrowsAList CatchesItsOverflow",
        "a full stack": "PilesUpThunks",
        "past the heap": "AllocatesAtOnce",
        "processes, programs, threads": "Forks RunsAShell StartsAThread",
    },
    "protocol": {
        "exits": "ExitsFromWithin ExitsByTheLibrary",
        "messages that do not end": "EndlessMessage PoisonousMessage",
        "values by force": "NoCardAtAll",
    },
    "files": {"reading and writing in what seems to compute": "ReadsFiles WritesFiles"},
    "network": {"sockets": "OpensSockets"},
    "harness": {
        "code that runs while it compiles": "RunsWhileCompiled OwnPreprocessor HidesItsPragma"
        " SpellsItsPragma LengthensItsPragma IsLiterate",
        "a bomb for the compiler": "TypesWithoutEnd",
    },
    "covert": {"variables": "GlobalVariable"},
}

CATALOGUE = {"": PYTHON, ".java": JAVA, ".h": CPP, ".hs": HASKELL}
"""By what is added to a program's name for its language."""
LISTED = {
    f"{group}/{name}{suffix}"
    for suffix, groups in CATALOGUE.items()
    for group, attacks in groups.items()
    for names in attacks.values()
    for name in names.split()
}


def test_every_expected_attack_has_its_programs() -> None:
    assert {one.name for one in read_suite(default_suite())} == LISTED


@pytest.mark.parametrize(("suffix", "least"), [("", 200), (".java", 80), (".h", 70), (".hs", 25)])
def test_the_suite_is_not_small(suffix: str, least: int) -> None:
    assert sum(name.endswith(suffix) for name in LISTED) >= least


@pytest.mark.parametrize("suffix", CATALOGUE)
def test_no_program_is_listed_for_two_attacks(suffix: str) -> None:
    for attacks in CATALOGUE[suffix].values():
        listed = " ".join(attacks.values()).split()
        assert len(listed) == len(set(listed))
