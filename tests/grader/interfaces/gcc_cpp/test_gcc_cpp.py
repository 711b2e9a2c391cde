"""Agents in C++ in real sandboxes: they compile and play, and errors are reported."""

from collections.abc import Iterator
from statistics import fmean
from typing import Final

import docker
import pytest

from grader.audit import AuditedGame, AuditRequest, Conclusion
from grader.core.records import FaultKind
from grader.play.batch import open_batch
from grader.play.players import ProcessPlayer, play_game
from grader.worker.auditor import audit_games
from sandbox.container import owned_containers
from tests.grader.interfaces.gcc_cpp.engine import retold
from tests.grader.interfaces.gcc_cpp.playing import SLOT, faulted, opened, played
from tests.grader.interfaces.gcc_cpp.uploads import (
    AGENTS,
    deals_of,
    doing,
    folder,
    player,
    request_for,
)
from tests.grader.interfaces.outcomes import fault_of
from tests.support.archives import archive
from tests.support.deeds import Deeds, open_deeds
from tests.support.depth import deeper

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine")]

THIRD_TURN: Final = "if (turn == 3) "


GAMES: Final = deeper(2, deep=40)


@pytest.mark.parametrize("agent", sorted(path.name for path in AGENTS.iterdir()))
def test_every_agent_plays_without_a_fault(agent: str) -> None:
    results = played(folder(agent), GAMES)
    assert [result.record.fault for result in results] == [None] * GAMES


def test_a_cautious_player_reaches_its_known_mean() -> None:
    results = played(folder("cautious"), deeper(20, deep=40))
    assert 16 < fmean(result.record.scores[0] for result in results) < 20.5


def test_players_get_the_same_events_as_in_the_original_engine() -> None:
    request = request_for(range(3))
    with open_batch(request, [folder("recorder")], SLOT) as batch:
        games = batch._games
        for order in request.games:
            opened = [each.sandbox.start_process() for each in games.pool.sandboxes]
            players = [ProcessPlayer(process, 256) for process in opened]
            record = play_game(games._game, bytes.fromhex(order.deal_seed), players)
            said = [player.exit.stderr.splitlines() for player in players if player.exit]
            assert tuple(said) == retold(record)
            assert record.fault is None


def test_the_agents_random_numbers_are_the_games_own() -> None:
    print_one = 'cout << "drew " << rand() << endl; ' + THIRD_TURN + "throw 1;"
    first, again = faulted(player(print_one))[1], faulted(player(print_one))[1]
    assert first == again
    assert first.count("drew") == 3


def test_nothing_survives_from_game_to_game() -> None:
    source = player("if (before && turn == 1) throw 1; before = true;", top="static bool before;")
    assert [result.record.fault for result in played(source, 3)] == [None] * 3


def test_an_agent_with_the_games_random_numbers_repeats_every_move_when_it_is_audited() -> None:
    upload = player("if (hints == 0 || rand() % 3 == 0) return new DiscardEvent(rand() % 4);")
    batch = request_for([0])
    games = tuple(AuditedGame(index=one.index, record=one.record) for one in played(upload))
    request = AuditRequest(
        audit="audit",
        agent=batch.agents[0],
        seats=(0, 1),
        limits=batch.limits,
        games=games,
        seed=1,
        seconds=120.0,
    )
    report = audit_games(request, upload, SLOT)
    assert [seat.conclusion for seat in report.seats] == [Conclusion.SAME] * 2


def test_a_fault_in_a_file_outside_of_the_players_folder_has_its_line() -> None:
    upload = {
        "hanabi/src/Player.h": '#include "../common/Lead.h"\nclass Player { public:'
        " void tell(Event*, vector<int>, int, int, vector<Card>, int) {}"
        " Event* ask() { return lead(); } };",
        "hanabi/common/Lead.h": "Event* lead() {\n    throw 1;\n}\n",
    }
    fault, said = faulted(archive(upload))
    assert "hanabi/common/Lead.h:2" in fault.detail
    assert "../" not in said


def test_the_builder_is_closed_before_games_begin() -> None:
    before = owned_containers()
    with opened(player()):
        assert len(owned_containers() - before) == 2


def test_a_lost_sandbox_is_replaced_without_compiling_again(
    docker_engine: docker.DockerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = owned_containers()
    with opened(folder("cautious"), 3) as batch:
        monkeypatch.setattr("grader.play.building.BatchAgent.built_in_builder", None)
        games = batch.games()
        first = next(games)
        docker_engine.containers.get(min(owned_containers() - before)).kill()
        results = [first, *games]
    assert [result.record.fault for result in results] == [None] * 3


def test_the_engines_own_files_and_unused_ones_are_left_out_with_a_note() -> None:
    with opened(folder("bundled")) as batch:
        (report,) = batch.builds
    assert report.ok
    assert [message.file for message in report.messages] == [
        "hanabi/Card.h",
        "hanabi/Events.h",
        "hanabi/GameConstants.h",
        "hanabi/main.cpp",
    ]


ILLEGAL: Final = {
    "return new PlayEvent(5);": "card is 5; allowed: 0 to 4",
    "return new DiscardEvent(-1);": "card is -1; allowed: 0 to 4",
    "return new ColorHintEvent(vector<int>(), 5);": "color is '5'",
    "return new NumberHintEvent(vector<int>(), 0);": "rank is 0; allowed: 1 to 5",
    "return new SwapEvent(1, 5);": "second is 5; allowed: 0 to 4",
    "return new SwapEvent(5, 5);": "first is 5; allowed: 0 to 4",
    "return new Event();": "ask() returned an event of the kind 0, which is no action",
    "return new DrawEvent(0, Card(RED, 1));": "an event of the kind 14",
    "return NULL;": "a null pointer",
}


FORBIDDEN: Final = {
    "std::thread([] {}).detach();": "#include <thread>",
    "std::async(std::launch::async, [] {}).wait();": "#include <future>",
    'system("ls");': "",
    "fork();": "#include <unistd.h>",
}


@pytest.fixture(scope="module")
def refused_deeds(docker_engine: docker.DockerClient) -> Iterator[Deeds]:
    """One agent with every illegal answer, and everything that is forbidden to start."""
    deeds = {deed: f"if (turn >= 3) {deed}" for deed in (*ILLEGAL, *FORBIDDEN)}
    upload = doing(deeds, top="\n".join(FORBIDDEN.values()))
    with open_deeds(request_for([0]), upload, deals_of(deeds)) as opened:
        yield opened


@pytest.mark.slow
@pytest.mark.parametrize("statement", ILLEGAL)
def test_an_illegal_answer_is_named(statement: str, refused_deeds: Deeds) -> None:
    fault, _ = fault_of(refused_deeds.play(statement))
    assert fault.kind is FaultKind.ILLEGAL
    assert ILLEGAL[statement] in fault.detail


def test_a_hint_that_touches_no_card_ends_that_game_only() -> None:
    missing = (
        "for (int c = 0; turn == 3 && c < NUM_COLORS; c++) { bool found = false;"
        "for (auto& card : partners) found = found || card.color == c;"
        "if (!found) return new ColorHintEvent(vector<int>(), c); }"
    )
    results = played(player(missing), 4)
    faults = [result.record.fault for result in results]
    assert len(faults) == 4
    assert {fault.kind for fault in faults if fault is not None} == {FaultKind.ILLEGAL}


def test_a_crash_with_a_broken_stack_is_reported_once_with_its_advice(ends: Deeds) -> None:
    fault, said = fault_of(ends.play(BROKEN_STACK))
    assert fault.kind is FaultKind.CRASH
    assert fault.detail.startswith("ended during the game: SIGSEGV")
    assert said.count("SIGSEGV") == said.count("firebox play --debug") == 1


CRASHES: Final = {
    "int* nowhere = NULL; *nowhere = 1;": "SIGSEGV (segmentation fault",
    "volatile int zero = 0; hints = 7 / zero;": "division by zero",
    "abort();": "aborted",
    "partners.at(17);": "std::out_of_range: vector::_M_range_check",
    'throw runtime_error("two\\nlines");': "std::runtime_error: two lines",
    'throw string("words");': "threw words",
    "throw 5;": "threw an exception that is no std::exception",
    "delete new int(1); int* twice = new int(1); delete twice; delete twice;": "aborted",
    "static PlayEvent kept(0); return &kept;": "aborted",
    "hints = deeper(1);": "stack overflow",
    "exit(3);": "exit status 3",
}
DEEPER: Final = "#include <stdexcept>\nint deeper(int n) { return n ? deeper(n + 1) + 1 : 0; }"
BROKEN_STACK: Final = "*(long*)__builtin_frame_address(0) = 16; *(volatile int*)0 = 1;"
LOOP: Final = 'printf("here\\n");\n while (true) {}'
MEMORY: Final = "while (true) partners.resize(2 * partners.size());"


@pytest.fixture(scope="module")
def ends(docker_engine: docker.DockerClient) -> Iterator[Deeds]:
    """One agent with every deed at its third turn that ends its process."""
    deeds = {deed: f"{THIRD_TURN}{{ {deed} }}" for deed in (*CRASHES, BROKEN_STACK, LOOP, MEMORY)}
    with open_deeds(request_for([0]), doing(deeds, top=DEEPER), deals_of(deeds)) as opened:
        yield opened


@pytest.mark.slow
@pytest.mark.parametrize("statement", CRASHES)
def test_a_crash_is_named_with_its_line(statement: str, ends: Deeds) -> None:
    fault, said = fault_of(ends.play(statement))
    assert fault.kind is FaultKind.CRASH
    assert CRASHES[statement] in fault.detail
    own = "exit" not in statement and "kept" not in statement
    assert ("\n  Player.h:" in said) is own
    assert ("in ask()" in said) is ("exit" not in statement)


def test_a_crash_in_tell_says_so() -> None:
    fault, said = faulted(player(tell="if (event->getAction() == NUMBER_HINT) throw 1;"))
    assert (fault.kind, fault.turn) == (FaultKind.CRASH, 1)
    assert "during turn 1, in tell()" in said


def test_a_crash_in_the_constructor_or_while_loading_is_a_fault_while_starting() -> None:
    fault, said = faulted(player(made="throw 1;"))
    assert (fault.kind, fault.turn) == (FaultKind.CRASH, -1)
    assert "during the start, in Player()" in said
    fault, said = faulted(player(top="static int* none; static int one = *none;"))
    assert (fault.kind, fault.turn) == (FaultKind.CRASH, -1)
    assert "during loading" in said


def test_an_infinite_loop_is_found_with_its_line_and_what_was_printed(ends: Deeds) -> None:
    fault, said = fault_of(ends.play(LOOP))
    assert fault.kind is FaultKind.TIMEOUT
    assert "here\n" in said
    assert "time was over during turn 4, in ask()" in said
    assert "\n  Player.h:" in said


def test_printing_is_no_answer_whatever_it_looks_like() -> None:
    answer = (
        '{\\"type\\":\\"action\\",\\"turn\\":0,\\"action\\":{\\"type\\":\\"play\\",\\"card\\":0}}'
    )
    source = player(f'puts("{answer}"); cout << "{answer}" << endl; cerr << "{answer}";')
    (result,) = played(source)
    assert result.record.fault is None
    assert "p" not in result.record.actions


@pytest.mark.slow
@pytest.mark.parametrize("statement", FORBIDDEN)
def test_a_thread_or_a_process_is_forbidden(statement: str, refused_deeds: Deeds) -> None:
    fault, _ = fault_of(refused_deeds.play(statement))
    assert fault.kind is FaultKind.FORBIDDEN


def test_files_and_sockets_are_refused_and_the_game_continues() -> None:
    attempts = (
        'if (fopen("/tmp/x", "w") || fopen("/etc/passwd", "r") || fopen("/proc/self/maps", "r")'
        ' || socket(AF_INET, SOCK_STREAM, 0) >= 0 || popen("ls", "r")) throw 1;'
    )
    (result,) = played(player(attempts, top="#include <cstdio>\n#include <sys/socket.h>"))
    assert result.record.fault is None


def test_unlimited_allocation_is_a_memory_fault(ends: Deeds) -> None:
    fault, said = fault_of(ends.play(MEMORY))
    assert fault.kind is FaultKind.MEMORY
    assert "std::bad_alloc" in said


def test_static_memory_counts_towards_the_limit() -> None:
    fault, _ = faulted(player(top="static char large[1 << 30];"))
    assert fault.kind is FaultKind.MEMORY
