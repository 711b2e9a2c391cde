"""What is special about this game. ``firebox game check .`` checks what all games share."""

from firebox_tic_tac_toe import TicTacToe


def test_three_in_a_row_win() -> None:
    game = TicTacToe.from_options({})
    play = game.start()
    for notation in ("m00", "m10", "m01", "m11", "m02"):
        play.apply(game.parse(notation))
    assert play.ending == "line"
    assert play.scores() == (1, -1)
