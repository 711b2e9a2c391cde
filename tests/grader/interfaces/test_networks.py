"""Agents with a small trained network: its weights in the upload, its answers from onnxruntime."""

import io
from collections.abc import Sequence

import numpy as np
import pytest

from firebox_games.connect_four import COLUMNS, ROWS, Board, ConnectFour
from grader.core.games import GAMES
from grader.core.records import BuildMessage, GameResult
from grader.play.batch import open_batch
from grader.uploads.archive import read_upload
from tests.support.agents import practice_request
from tests.support.onnx_file import Layer, network
from tests.support.slots import confined
from tests.support.zips import zipped

pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.usefixtures("docker_engine", "warm_sandboxes"),
]

AGENT = """
import numpy as np
import onnxruntime
from firebox import Agent

SESSION = {session}

class Network(Agent):
    def act(self, observation):
        cells = [0 if disc is None else 1 if disc == observation.seat else -1
                 for row in observation.board for disc in row]
        (values,), = SESSION.run(None, {{"x": np.array([cells], np.float32)}})
        {act}
        return max(observation.legal_actions, key=lambda action: values[action.column])
"""
DRAWS = """
from firebox import Agent

class Draws(Agent):
    def start(self, context):
        self.random = context.random

    def act(self, observation):
        return self.random.choice(observation.legal_actions)
"""
CELLS = COLUMNS * ROWS


def trained(seed: int = 1) -> list[Layer]:
    """Return a network that has learnt, in random games, which column takes the most winning lines.

    The first layer is random, the second is fitted to it by least squares.
    """
    random = np.random.default_rng(seed)
    tables, values = [], []
    for _ in range(60):
        board = Board()
        while not board.ending:
            legal = [action["column"] for action in board.legal_actions()]
            mover = board.turn % 2
            cells = [0 if disc is None else 1 if disc == mover else -1
                     for row in board.observe(0)["board"] for disc in row]  # fmt: skip
            tables.append(cells)
            values.append([worth(board, column) for column in range(COLUMNS)])
            board.apply({"type": "drop", "column": int(random.choice(legal))})
    inputs = np.array(tables, np.float32)
    first = random.normal(size=(CELLS, 256)).astype(np.float32) / 4, np.zeros(256, np.float32)
    hidden = np.maximum(inputs @ first[0] + first[1], 0)
    weights, *_ = np.linalg.lstsq(hidden, np.array(values, np.float32), rcond=1e-3)
    return [first, (weights.astype(np.float32), np.zeros(COLUMNS, np.float32))]


def worth(board: Board, column: int) -> float:
    """Return 1 for a column in which somebody would have four; less further from the middle."""
    tried = Board()
    for each in board.moves:
        tried.apply({"type": "drop", "column": each})
    if not any(action["column"] == column for action in tried.legal_actions()):
        return -1.0
    tried.apply({"type": "drop", "column": column})
    return 1.0 if tried.winner is not None else 0.3 - 0.1 * abs(column - COLUMNS // 2)


def weights_of(layers: Sequence[Layer]) -> bytes:
    file = io.BytesIO()
    np.savez(file, *[values for layer in layers for values in layer])
    return file.getvalue()


def played(
    session: str, act: str = "pass", options: Sequence[str] = ("onnxruntime",)
) -> list[GameResult] | Sequence[BuildMessage]:
    """Return ten games against an agent that draws its actions."""
    layers = trained()
    files = {
        "agent.py": AGENT.format(session=session, act=act).encode(),
        "net.onnx": network(layers),
        "table.npz": weights_of(layers),
        "more.npy": bytes(19 << 20),
    }
    agents = [zipped(*files.items()), zipped(("agent.py", DRAWS.encode()))]
    asked = practice_request(
        *(["python", "python"], range(10)),
        game=ConnectFour.name,
        seating=(0, 1),
        agent_options=options,
    )
    archives = [read_upload("agent.zip", data).archive() for data in agents]
    with open_batch(asked, archives, confined()) as batch:
        return list(batch.games()) if batch.playable else batch.builds[0].messages


@pytest.fixture(autouse=True)
def connect_four(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, ConnectFour.name, ConnectFour)


@pytest.mark.parametrize(
    "options",
    ["", "intra_op_num_threads = 4", "inter_op_num_threads = 4"],
    ids=["by default", "four threads in a layer", "four threads for layers"],
)
def test_a_trained_network_plays_in_one_thread(options: str) -> None:
    session = f"""onnxruntime.SessionOptions()
{f"SESSION.{options}" if options else ""}
SESSION.execution_mode = onnxruntime.ExecutionMode.ORT_PARALLEL
SESSION = onnxruntime.InferenceSession("net.onnx", SESSION)
TABLE = [*np.load("table.npz").values()]"""
    same = """hidden = np.maximum(np.array(cells, np.float32) @ TABLE[0] + TABLE[1], 0)
        assert np.allclose(values, hidden @ TABLE[2] + TABLE[3], atol=1e-4)"""
    results = played(session, same)
    faults = [(one.record.fault, one.evidence) for one in results if isinstance(one, GameResult)]
    assert faults == [(None, None)] * 10
    scores = [one.record.scores for one in results if isinstance(one, GameResult)]
    assert sum(own > other for own, other in scores) >= 7, scores


def test_an_agent_is_refused_for_the_runtime_where_the_assignment_forbids_it() -> None:
    (message,) = played("None", options=("numpy",))
    assert isinstance(message, BuildMessage)
    assert "No module named 'onnxruntime'" in message.text
    assert "--interface-option onnxruntime" in message.text
