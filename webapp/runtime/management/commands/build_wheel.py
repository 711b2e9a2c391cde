"""``build_wheel``: build the wheel of Firebox that students install from the site."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from webapp.base import wheel


class Command(BaseCommand):
    help = "Build Firebox as a wheel from the running sources, for students to install from here."

    def handle(self, *_: Any, **options: Any) -> None:
        """Build it after ``collectstatic``; the site serves it at once."""
        try:
            path = wheel.build()
        except (wheel.WheelError, OSError) as error:
            raise CommandError(f"The wheel was not built: {error}") from error
        if options["verbosity"]:
            self.stdout.write(str(path))
