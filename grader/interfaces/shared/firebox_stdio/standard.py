"""The game's pipes as standard input and output; standard error is the log already."""

import os


def take_standard(stdin_fd: int, stdout_fd: int) -> None:
    """Put the descriptors of the game at 0 and 1, and nowhere else. Raises OSError."""
    for descriptor, target in ((stdin_fd, 0), (stdout_fd, 1)):
        os.dup2(descriptor, target)
        if descriptor != target:
            os.close(descriptor)
