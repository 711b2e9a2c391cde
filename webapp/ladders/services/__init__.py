"""Services of ladders. Who may call them is checked where a person asks (``staff``)."""

from webapp.ladders.services.entering import admit
from webapp.ladders.services.playing import play_all
from webapp.ladders.services.staff import (
    Setting,
    change_ladder,
    close_ladder,
    is_owner,
    open_ladder,
    pause_ladder,
    resume_ladder,
    withdraw,
)

__all__ = [
    "Setting",
    "admit",
    "change_ladder",
    "close_ladder",
    "is_owner",
    "open_ladder",
    "pause_ladder",
    "play_all",
    "resume_ladder",
    "withdraw",
]
