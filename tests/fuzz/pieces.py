"""Cuts a fuzzer's bytes into the parts that a harness needs. Every input means something."""

import os
from collections.abc import Iterator
from typing import Final

from sandbox.clock import ProcessClock, Usage


class Reader:
    """Takes values from the front of the input; past its end there are zeros and nothing."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def more(self) -> bool:
        return self._at < len(self._data)

    def byte(self) -> int:
        return (self.take(1) or b"\0")[0]

    def take(self, count: int) -> bytes:
        self._at += count
        return self._data[self._at - count : self._at]

    def rest(self) -> bytes:
        return self.take(len(self._data))

    def pieces(self) -> Iterator[tuple[bool, bytes]]:
        while self.more:
            head = self.byte()
            yield head > 0x7F, self.take(head & 0x7F)


NOBODY: Final = 1 << 30
"""Beyond all process numbers of Linux: a process that is gone."""


class FeedingClock(ProcessClock):
    """A clock without figures. Each look at it lets the next piece arrive, after the last the end.

    So bytes come in pieces while somebody waits for them, without a second thread.
    """

    def __init__(self, pieces: Iterator[tuple[int, bytes]], descriptors: tuple[int, ...]) -> None:
        """``pieces`` say to which descriptor they go; all ``descriptors`` are closed at the end."""
        super().__init__(NOBODY)
        self._pieces = pieces
        self._descriptors = descriptors
        self.fed = {descriptor: bytearray() for descriptor in descriptors}
        """What has been written so far, by descriptor."""

    def read(self) -> Usage:
        """Return 0: nothing was used."""
        for descriptor, piece in self._pieces:
            os.write(descriptor, piece)
            self.fed[descriptor] += piece
            break
        else:
            self.hang_up()
        return super().read()

    def hang_up(self) -> None:
        for descriptor in self._descriptors:
            os.close(descriptor)
        self._descriptors = ()
