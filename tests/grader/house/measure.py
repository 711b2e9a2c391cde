"""Measures house agents in this process: ``python -m tests.grader.house.measure NAME… [-n GAMES]``.

Prints one line per agent and number of players: mean ± half-width of the 95 % interval, standard
deviation, share of perfect and of lost games, CPU milliseconds per game of all seats together.
"""

import argparse
import math
import statistics
import time

from grader import house
from grader.games import game_from_options
from tests.grader.house.table import play


def measure(name: str, players: int, variant: str, deals: range) -> str:
    """One line of the table."""
    game = game_from_options("hanabi", {"variant": variant, "players": players})
    agent = house.agent(name)
    games = len(deals)
    began = time.process_time()
    played = [play(game, [agent] * players, index) for index in deals]
    milliseconds = (time.process_time() - began) * 1000 / games
    scores = [one.score for one in played]
    deviation = statistics.stdev(scores)
    lost = sum(one.ending == "strikes" for one in played) / games
    perfect = sum(score == 25 for score in scores) / games
    half = 1.96 * deviation / math.sqrt(games)
    return (
        f"| {name} | {players} | {statistics.fmean(scores):.2f} ± {half:.2f} | {deviation:.2f} "
        f"| {perfect:.1%} | {lost:.1%} | {milliseconds:.1f} |"
    )


def main() -> None:
    """Read the command line and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(house.NAMES))
    parser.add_argument("-n", "--games", type=int, default=1000)
    parser.add_argument(
        "--first", type=int, default=1000, help="first deal; lower ones are tuned on"
    )
    parser.add_argument("-p", "--players", type=int, nargs="*", default=[2, 3, 4, 5])
    parser.add_argument("-v", "--variant", default="standard")
    chosen = parser.parse_args()
    deals = range(chosen.first, chosen.first + chosen.games)
    for name in chosen.names:
        for players in chosen.players:
            print(measure(name, players, chosen.variant, deals), flush=True)


if __name__ == "__main__":
    main()
