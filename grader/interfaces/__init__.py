"""What agents are written against: per interface, the code that runs beside the student's.

An interface is a value: which image its agents run in, which of our packages serve them there, and
what a student may upload. The packages run inside the sandbox and are untrusted there: none of them
may ever be imported by the grader to decide anything.
"""

import re
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from re import Pattern
from types import MappingProxyType
from typing import Final

from grader.core.errors import RecordError
from grader.core.games import Game
from grader.core.records import Mode
from grader.uploads.archive import PYTHON_UPLOAD, UploadShape

__all__ = [
    "BUILD_OUTPUT_BYTES",
    "INTERFACES",
    "WORKSHOP_MIB",
    "Interface",
    "interface_named",
    "mode_of",
    "unfit",
]

BUILD_OUTPUT_BYTES: Final = 32 << 20
"""Most that compiling an agent may make."""
WORKSHOP_MIB: Final = 768
"""Memory of each of a compiler's processes, where it is a program of its own."""

_HERE: Final = Path(__file__).parent
_BY_HEART: Final = ("hand_size", "hint_tokens", "misplay", "last_round", "draw_position")
"""Options that the agents of every course know by heart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """One way to write an agent."""

    name: str
    title: str
    """For people."""
    runtime: str
    """The image that its agents run in."""
    adapters: tuple[Path, ...]
    """Folders of ours that lie beside an agent."""
    play: str
    """``module:function`` in one of them that plays."""
    build: str
    """``module:function`` that compiles."""
    preload: tuple[str, ...]
    """Modules that are imported once for all games."""
    prepare: str = ""
    """``module:function`` that starts the language's runtime in each process."""
    places: tuple[str, ...] = ()
    """Directories of the image that it takes for this."""
    last_words: int = signal.SIGUSR1
    """The signal that has a process say where its agent is."""
    threads: int = 0
    """How many threads that runtime has, at most."""
    stand_in: str = ""
    """The name of that one of them which works while the agent's waits for it."""
    address_space: bool = True
    """Whether the memory limit is one of the address space."""
    reads_adapters: bool = False
    """Whether adapters are compiled together with an agent."""
    keeps: bool = False
    """Whether a process plays one game after the other."""
    modes: tuple[Mode, ...] = (Mode.SEAT,)
    """How its agents can be played; the first is how an agent plays with itself unless an
    evaluation says otherwise. ``team`` needs a process that plays the seats it was started for."""
    upload: UploadShape
    """What a student may upload."""
    signs: tuple[Pattern[bytes], ...]
    """What the sources of its agents have in them, and those of no other interface's: all of these,
    each in some file."""
    faint_sign: Pattern[bytes] | None = None
    """What tells its agents where no interface has all of its signs: as a method is misspelt."""
    names_class: bool = False
    """Whether an upload can say which of its classes plays."""
    game: str = ""
    """The game that its agents play; empty: all games."""
    variant: str = ""
    """The rules that its agents were written for; empty: they are told any rules."""
    by_heart: tuple[str, ...] = _BY_HEART
    """Options of these rules that its types and its bookkeeping have built in."""
    players: tuple[int, ...] = ()
    """How many seats a game can have; empty: as many as the rules allow."""
    options: Mapping[str, str] = field(default_factory=dict)
    """What an assignment can switch on for it, by name, and what that does."""
    extra_memory_mib: int = 0
    """What its runtime needs of memory, beyond the limit for an agent."""
    extra_start_seconds: float = 0.0
    """How much longer than others its agents may take to start."""
    build_seconds: float = 5.0
    """Limit for compiling one."""
    trial_seconds: float = 0.0
    """Limit for a second build, which is given what the first one made and may make something else
    of the sources once it has tried that. 0: there is none."""
    debug: str = ""
    """``module:function`` that compiles for a search for errors: with checks of every access to
    memory, which are made where compilers are, in the workshop's image. Empty: there is no such
    build."""
    workshop: str = ""
    """The image that agents are compiled in, where that takes programs: a compiler's. What comes of
    it is machine code, loaded in the other image. Empty: they are compiled where they play."""

    @property
    def needs_sandbox(self) -> bool:
        """Whether its runtime is there only in its image."""
        return bool(self.prepare)

    @property
    def images(self) -> tuple[str, ...]:
        """All runtimes whose images it needs."""
        return (self.runtime, self.workshop) if self.workshop else (self.runtime,)


def _own(folder: str, package: str) -> Path:
    """A package that others import by its own name: installed, it lies beside ``grader``."""
    here = _HERE / folder / package
    return here if here.is_dir() else _HERE.parents[1] / package


def _sign(pattern: str) -> Pattern[bytes]:
    return re.compile(pattern.encode(), re.MULTILINE)


_ANY_PYTHON: Final = UploadShape(
    language="Python", suffixes=(".py",), keeps_name=True, stored_as="agent.py"
)

_PYTHON: Final = Interface(
    name="python",
    title="Python class",
    runtime="python",
    adapters=(_own("python", "firebox"),),
    play="firebox.boxed:play",
    build="firebox.boxed:build",
    preload=("firebox.boxed",),
    upload=PYTHON_UPLOAD,
    signs=(_sign(r"^[ \t]*(from|import)[ \t]+firebox\b"),),
)
_UWA_JAVA: Final = Interface(
    name="uwa-java",
    title="Java, package hanabAI (University of Western Australia)",
    runtime="java",
    adapters=(_HERE / "java" / "firebox_java", _HERE / "uwa_java" / "hanabAI"),
    play="firebox_java.uwa:play",
    build="firebox_java.uwa:build",
    preload=("firebox_java.uwa",),
    prepare="firebox_java.uwa:prepare",
    places=("/usr/lib/java",),
    last_words=signal.SIGQUIT,
    threads=24,
    stand_in="VM Thread",
    address_space=False,
    reads_adapters=True,
    keeps=True,
    upload=UploadShape(language="Java", suffixes=(".java",), keeps_name=True),
    names_class=True,
    signs=(_sign(r"\bhanabAI\b"),),
    game="hanabi",
    variant="uwa",
    by_heart=(*_BY_HEART, "lives", "five_returns_token", "discard_at_max", "swaps"),
    options={
        "legacy_first_state": "The state before the first cannot be asked for: getPreviousState()"
        " throws a NullPointerException, as in the course's code before October 2018."
    },
    extra_memory_mib=256,
    extra_start_seconds=10.0,
    build_seconds=60.0,
)
_ENSTA_PYTHON: Final = Interface(
    name="ensta-python",
    title="Python, module hanabi (ENSTA Paris, IN104)",
    runtime="python",
    adapters=(
        _own("python", "firebox"),
        _HERE / "ensta_python" / "firebox_ensta",
        _HERE / "ensta_python" / "hanabi",
    ),
    play="firebox_ensta.boxed:play",
    build="firebox_ensta.boxed:build",
    preload=("firebox_ensta.boxed",),
    upload=_ANY_PYTHON,
    names_class=True,
    signs=(_sign(r"\bAI\b"), _sign(r"def[ \t]+play[ \t]*\([ \t]*self\b")),
    game="hanabi",
    variant="ensta",
    modes=(Mode.TEAM, Mode.SEAT),
)
_CS221_PYTHON: Final = Interface(
    name="cs221-python",
    title="Python, simulator of Lin and Xu",
    runtime="python",
    adapters=(_own("python", "firebox"), _own("cs221_python", "firebox_cs221")),
    play="firebox_cs221.boxed:play",
    build="firebox_cs221.boxed:build",
    preload=("firebox_cs221.boxed",),
    upload=_ANY_PYTHON,
    names_class=True,
    signs=(_sign(r"def[ \t]+getAction[ \t]*\("),),
    faint_sign=_sign(r"^[ \t]*(from|import)[ \t]+simulator\b"),
    game="hanabi",
    variant="cs221",
    by_heart=(
        "misplay",
        "five_returns_token",
        "discard_at_max",
        "empty_hints",
        "last_round",
        "draw_position",
        "swaps",
    ),
    build_seconds=20.0,
    trial_seconds=3.0,
)

_NATIVE: Final = _HERE / "native" / "firebox_native"
_GCC_CPP: Final = Interface(
    name="gcc-cpp",
    title="C++, Player.h (Grove City College)",
    runtime="python",
    adapters=(_NATIVE, _HERE / "cpp" / "firebox_cpp", _HERE / "gcc_cpp" / "gcc_cpp"),
    play="firebox_cpp.gcc:play",
    build="firebox_cpp.gcc:build",
    debug="firebox_cpp.gcc:build_checked",
    preload=("firebox_cpp.gcc",),
    upload=UploadShape(language="C++", suffixes=(".h", ".hpp"), stored_as="Player.h"),
    signs=(_sign(r"\bclass[ \t]+Player\b"),),
    game="hanabi",
    variant="gcc",
    players=(2,),
    build_seconds=60.0,
    workshop="cpp",
)
_SAYS_READY: Final = _sign(r"[\"'`]ready\\?[\"'`]")
"""What every program says that speaks the protocol by itself."""
_STDIO: Final = _HERE / "stdio" / "firebox_stdio"
_STDIO_PYTHON: Final = Interface(
    name="stdio-python",
    title="Python program over standard input and output",
    runtime="python",
    adapters=(_own("python", "firebox"), _STDIO),
    play="firebox_stdio.python:play",
    build="firebox_stdio.python:build",
    preload=("firebox_stdio.python",),
    upload=UploadShape(language="Python", suffixes=(".py",), stored_as="main.py", entry="main.py"),
    signs=(
        _SAYS_READY,
        _sign(r"\bstdin\b|\binput[ \t]*\(|\bopen[ \t]*\([ \t]*0\b|\bread[ \t]*\(0"),
    ),
)
_STDIO_CPP: Final = Interface(
    name="stdio-cpp",
    title="C++ program over standard input and output",
    runtime="python",
    adapters=(_NATIVE, _HERE / "cpp" / "firebox_cpp", _STDIO, _HERE / "stdio" / "stdio_cpp"),
    play="firebox_stdio.cpp:play",
    build="firebox_stdio.cpp:build",
    preload=("firebox_stdio.cpp",),
    upload=UploadShape(
        language="C++",
        suffixes=(".cpp", ".cc", ".cxx"),
        stored_as="main.cpp",
        entry="main.cpp",
    ),
    signs=(_SAYS_READY, _sign(r"\bmain[ \t]*\(")),
    build_seconds=60.0,
    workshop="cpp",
)
_STDIO_JAVA: Final = replace(
    _UWA_JAVA,
    name="stdio-java",
    title="Java program over standard input and output",
    adapters=(_HERE / "java" / "firebox_java", _STDIO, _HERE / "stdio" / "stdio_java"),
    play="firebox_stdio.java:play",
    build="firebox_stdio.java:build",
    preload=("firebox_stdio.java",),
    prepare="firebox_stdio.java:prepare",
    signs=(_SAYS_READY, _sign(r"\bvoid[ \t]+main[ \t]*\(")),
    game="",
    variant="",
    options={},
)

_FIT2102_HASKELL: Final = Interface(
    name="fit2102-haskell",
    title="Haskell, Player.hs (Monash University, FIT2102)",
    runtime="haskell",
    adapters=(
        _NATIVE,
        _HERE / "haskell" / "firebox_haskell",
        _HERE / "fit2102_haskell" / "fit2102_haskell",
    ),
    play="firebox_haskell.fit2102:play",
    build="firebox_haskell.fit2102:build",
    preload=("firebox_haskell.fit2102",),
    upload=UploadShape(language="Haskell", suffixes=(".hs",), stored_as="Player.hs"),
    signs=(_sign(r"\bplayCard\b"),),
    game="hearts",
    variant="fit2102",
    by_heart=("passing", "bleeding", "queen_breaks"),
    players=(2, 4),
    extra_memory_mib=192,
    build_seconds=60.0,
    workshop="haskell",
)

INTERFACES: Final[Mapping[str, Interface]] = MappingProxyType(
    {
        each.name: each
        for each in (
            _PYTHON, _UWA_JAVA, _GCC_CPP, _ENSTA_PYTHON, _CS221_PYTHON,
            _FIT2102_HASKELL, _STDIO_PYTHON, _STDIO_CPP, _STDIO_JAVA,
        )
    }
)  # fmt: skip
"""All interfaces by name."""


def interface_named(name: str) -> Interface:
    """The interface of this name. Raises RecordError for one that this Firebox does not have."""
    try:
        return INTERFACES[name]
    except KeyError:
        raise RecordError(f"there is no interface {name!r}") from None


def unfit(interface: Interface, game: Game) -> str:
    """Why no agent of this interface can play by these rules, as a sentence; empty if one can.

    An agent that was written for certain rules knows the cards, the tokens and the order of a hand
    by heart: what it may differ in is when a game is lost, and what is illegal.
    """
    if interface.game not in {"", game.name}:
        return f"{interface.title}: its agents play {interface.game}, not {game.name}."
    if interface.players and game.seats not in interface.players:
        allowed = " or ".join(map(str, interface.players))
        return f"{interface.title}: a game has {allowed} players, not {game.seats}."
    if not interface.variant:
        return ""
    known = type(game).from_options({"variant": interface.variant, "players": game.seats}).options
    wrong = [name for name in interface.by_heart if known.get(name) != game.options.get(name)]
    if not wrong:
        return ""
    words = ", ".join(f"{name} is {game.options.get(name)}" for name in wrong)
    return f"{interface.title}: its agents play the variant {interface.variant}, but {words}."


def mode_of(interfaces: Sequence[str], seating: Sequence[int], asked: Mode | None) -> Mode:
    """The mode of a table at which agents of these interfaces sit as ``seating`` says.

    An agent that has all seats plays as its interface prefers; different agents always sit in
    processes of their own, unless that is what was ``asked`` for. Raises RecordError for a mode
    that an interface does not have.
    """
    if asked is None:
        alone = set(seating) == {0} and len(interfaces) == 1
        return interface_named(interfaces[0]).modes[0] if alone else Mode.SEAT
    for name in interfaces:
        if asked not in interface_named(name).modes:
            raise RecordError(f"agents of the interface {name} are not played in mode {asked}")
    return asked
