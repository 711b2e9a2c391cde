"""Builds are kept, and found again only for the same sources, adapter and image."""

import fcntl
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from grader.core.errors import SystemFault
from grader.core.records import BuildMessage, BuildReport
from grader.interfaces import INTERFACES
from grader.interfaces.declaration import BuildSteps
from grader.play import build_cache
from grader.play.build_cache import BuildCache, Built, key

PYTHON, CPP = INTERFACES["python"], INTERFACES["gcc-cpp"]
OK = BuildReport(ok=True, messages=(BuildMessage(file="a.py", line=1, column=2, text="note"),))


class Compiler:
    """Counts how often it is called."""

    def __init__(self, report: BuildReport = OK, artefact: bytes = b"code\n\0more") -> None:
        self.calls = 0
        self.made: Built = (report, artefact)

    def __call__(self) -> Built:
        self.calls += 1
        return self.made


@pytest.fixture
def cache(tmp_path: Path) -> BuildCache:
    return BuildCache(tmp_path / "builds")


def test_an_agent_is_compiled_once_for_all_processes_unless_it_fails(
    cache: BuildCache, tmp_path: Path
) -> None:
    compiler = Compiler()
    caches = (cache, cache, BuildCache(tmp_path / "builds"))
    outcomes = [each.built(PYTHON, b"sources", compiler) for each in caches]
    assert (outcomes, compiler.calls) == ([compiler.made] * 3, 1)
    failing = Compiler(BuildReport(ok=False), b"")
    for _ in range(2):
        cache.built(PYTHON, b"others", failing)
    assert failing.calls == 2


def test_other_sources_and_interfaces_are_compiled_for_themselves() -> None:
    keys = {key(PYTHON, b"a"), key(PYTHON, b"b"), key(CPP, b"a"), key(CPP, b"a", debug=True)}
    assert len(keys) == 4


@pytest.mark.parametrize("what", ["adapter", "image"])
def test_another_compiler_or_adapter_means_another_build(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "adapter.h").write_text("one")
    adapted = replace(CPP, adapter=replace(CPP.adapter, paths=(tmp_path,)))
    monkeypatch.setattr(build_cache, "interface_named", lambda _: adapted)
    surroundings: Callable[[str], str] = build_cache._surroundings.__wrapped__
    before = surroundings("gcc-cpp")
    assert surroundings("gcc-cpp") == before
    if what == "adapter":
        (tmp_path / "adapter.h").write_text("two")
    else:
        monkeypatch.setattr(build_cache, "image_reference", lambda image: f"{image}:new")
    assert surroundings("gcc-cpp") != before


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"{not json",
        lambda whole: whole[:-1],
        lambda whole: whole[:-4] + bytes(4),
        lambda whole: whole.partition(b"\n")[2],
    ],
    ids=["no build", "cut off", "other bytes", "without digest"],
)
def test_a_damaged_build_is_compiled_again(
    damage: Callable[[bytes], bytes], cache: BuildCache, tmp_path: Path
) -> None:
    compiler = Compiler()
    cache.built(PYTHON, b"sources", compiler)
    (kept,) = (tmp_path / "builds").iterdir()
    kept.write_bytes(damage(kept.read_bytes()))
    assert cache.built(PYTHON, b"sources", compiler) == compiler.made
    assert compiler.calls == 2


def test_the_least_recently_used_build_makes_room(tmp_path: Path) -> None:
    cache = BuildCache(tmp_path, most_bytes=5000)
    compilers = {name: Compiler(artefact=bytes(2000)) for name in (b"a", b"b", b"c")}
    for name in (b"a", b"b"):
        cache.built(PYTHON, name, compilers[name])
    os.utime(tmp_path / key(PYTHON, b"a"), (1, 1))
    os.utime(tmp_path / key(PYTHON, b"b"), (2, 2))
    cache.built(PYTHON, b"a", compilers[b"a"])  # used again
    cache.built(PYTHON, b"c", compilers[b"c"])
    for name in (b"a", b"c", b"b"):  # the one that is built again comes last: it needs room, too
        cache.built(PYTHON, name, compilers[name])
    assert [compiler.calls for compiler in compilers.values()] == [1, 2, 1]


def test_without_room_on_the_disk_it_is_compiled_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, compiler = BuildCache(tmp_path), Compiler()

    def full(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(build_cache, "_write", full)
    assert [cache.built(PYTHON, b"a", compiler)[1] for _ in range(2)] == [compiler.made[1]] * 2
    assert compiler.calls == 2


class SlowCompiler(Compiler):
    """A compiler that ends when the test lets it."""

    def __init__(self, report: BuildReport = OK) -> None:
        super().__init__(report, b"code" if report.ok else b"")
        self.begun, self.ready = Event(), Event()

    def __call__(self) -> Built:
        self.begun.set()
        assert self.ready.wait(60)
        return super().__call__()


def in_two_slots(cache: BuildCache, one: SlowCompiler, other: Compiler,
                 monkeypatch: pytest.MonkeyPatch) -> list[Built]:  # fmt: skip
    """The results of two builds of which the second begins while the first compiles."""
    monkeypatch.setattr(build_cache.time, "sleep", lambda _: one.ready.set())
    with ThreadPoolExecutor(2) as slots:
        first = slots.submit(cache.built, PYTHON, b"sources", one)
        assert one.begun.wait(60)
        second = slots.submit(cache.built, PYTHON, b"sources", other)
        return [first.result(), second.result()]


def test_two_slots_do_not_compile_the_same_at_the_same_time(
    cache: BuildCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = SlowCompiler(), Compiler()
    outcomes = in_two_slots(cache, one, other, monkeypatch)
    assert outcomes == [one.made] * 2
    assert (one.calls, other.calls) == (1, 0)
    assert len(list((tmp_path / "builds").iterdir())) == 1


def test_a_slot_that_waited_for_a_failed_build_compiles_itself(
    cache: BuildCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = SlowCompiler(BuildReport(ok=False)), Compiler()
    outcomes = in_two_slots(cache, one, other, monkeypatch)
    assert outcomes == [one.made, other.made]
    assert (one.calls, other.calls) == (1, 1)


def test_other_sources_are_compiled_while_one_build_runs(cache: BuildCache) -> None:
    one, other = SlowCompiler(), Compiler()
    with ThreadPoolExecutor(1) as slots:
        first = slots.submit(cache.built, PYTHON, b"sources", one)
        assert one.begun.wait(60)
        cache.built(PYTHON, b"others", other)
        one.ready.set()
        first.result()
    assert (one.calls, other.calls) == (1, 1)


def test_waiting_for_a_build_has_an_end(
    cache: BuildCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_cache, "_OPENING_SECONDS", 0.0)
    compiler, hurried = Compiler(), replace(PYTHON, build=BuildSteps(seconds=0.01))
    lock = tmp_path / "builds" / f".{key(PYTHON, b'sources')}.lock"
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert cache.built(hurried, b"sources", compiler) == compiler.made
    assert compiler.calls == 1


def test_a_build_that_breaks_down_leaves_no_lock(cache: BuildCache, tmp_path: Path) -> None:
    def breaking() -> Built:
        raise SystemFault("the sandbox is lost")

    with pytest.raises(SystemFault):
        cache.built(PYTHON, b"sources", breaking)
    assert list((tmp_path / "builds").iterdir()) == []


def test_an_agent_is_compiled_where_nothing_can_be_locked(
    cache: BuildCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(descriptor: int, operation: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(build_cache.fcntl, "flock", unsupported)
    compiler = Compiler()
    assert [cache.built(PYTHON, b"a", compiler) for _ in range(2)] == [compiler.made] * 2
    assert compiler.calls == 1


def test_the_directory_of_builds_is_its_owners_alone(tmp_path: Path) -> None:
    BuildCache(tmp_path / "builds")
    assert (tmp_path / "builds").stat().st_mode & 0o777 == 0o700
    (tmp_path / "builds").chmod(0o777)
    with pytest.raises(OSError, match="nobody else's to write"):
        BuildCache(tmp_path / "builds")
