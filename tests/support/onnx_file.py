"""Writes small networks as ONNX files: fully connected layers, with ReLU between them.

The format is protocol buffers; these few messages need no library (``onnx.proto`` numbers them).
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Weights: TypeAlias = NDArray[np.float32]
Layer: TypeAlias = tuple[Weights, Weights]
"""A matrix and a bias."""
_FLOAT: Final = 1


def network(layers: Sequence[Layer]) -> bytes:
    """Return the file of a network from ``x``, one row, to ``y``."""
    nodes: list[bytes] = []
    tensors: list[bytes] = []
    name = "x"
    for number, (matrix, bias) in enumerate(layers):
        last = number == len(layers) - 1
        made = "y" if last else f"h{number}"
        summed = made if last else f"s{number}"
        nodes.append(_node("Gemm", [name, f"w{number}", f"b{number}"], summed))
        if not last:
            nodes.append(_node("Relu", [summed], made))
        tensors += [_tensor(f"w{number}", matrix), _tensor(f"b{number}", bias)]
        name = made
    graph = b"".join(
        [
            *(_field(1, node) for node in nodes),
            _field(2, b"network"),
            *(_field(5, tensor) for tensor in tensors),
            _field(11, _value("x", layers[0][0].shape[0])),
            _field(12, _value("y", layers[-1][0].shape[1])),
        ]
    )
    return _number(1, 8) + _field(7, graph) + _field(8, _number(2, 13))


def _node(kind: str, inputs: Sequence[str], output: str) -> bytes:
    names = [*(_field(1, name.encode()) for name in inputs), _field(2, output.encode())]
    return b"".join(names) + _field(4, kind.encode())


def _tensor(name: str, values: Weights) -> bytes:
    sizes = b"".join(_number(1, size) for size in values.shape)
    data = _field(9, values.astype("<f4").tobytes())
    return sizes + _number(2, _FLOAT) + _field(8, name.encode()) + data


def _value(name: str, width: int) -> bytes:
    shape = b"".join(_field(1, _number(1, size)) for size in (1, width))
    return _field(1, name.encode()) + _field(2, _field(1, _number(1, _FLOAT) + _field(2, shape)))


def _field(number: int, data: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
