"""Services of ladders. Who may call them is checked where a person asks (``staff``)."""

from webapp.contests.ladders.services.entering import admit
from webapp.contests.ladders.services.playing import play_all
from webapp.contests.ladders.services.staff import (
    LadderSetting,
    change_ladder,
    close_ladder,
    open_ladder,
    pause_ladder,
    require_may_withdraw,
    resume_ladder,
    withdraw,
)
