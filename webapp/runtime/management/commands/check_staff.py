"""``check_staff``: lists staff whose address nobody has confirmed."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from webapp.teaching.courses.unconfirmed import unconfirmed_staff


class Command(BaseCommand):
    help = (
        "List accounts with a role above student whose address nobody has confirmed: another"
        " person may have registered it. Fails if there are any."
    )

    def handle(self, *_: Any, **__: Any) -> None:
        found = unconfirmed_staff()
        for staff in found:
            self.stdout.write(f"{staff.user.email}  {staff.user}: {', '.join(staff.rights)}")
        if found:
            raise CommandError(
                f"{len(found)} with an address that nobody has confirmed. Ask them to confirm it"
                " on their profile page."
            )
        self.stdout.write("All staff have confirmed their addresses.")
