"""The steps of people's games. Each function is one step; views and tasks call them."""

from webapp.contests.playing.services.ending import end_idle_games, leave
from webapp.contests.playing.services.moves import act
from webapp.contests.playing.services.starting import play_again, play_on, start_game
