"""Settings of a site that a measurement starts for itself, in a directory of its own."""

import secrets
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


def site_settings(directory: Path, broker_url: str, *, log_level: str) -> dict[str, str]:
    """Return the environment of the site's processes; its files go into ``directory``."""
    return {
        "DJANGO_SETTINGS_MODULE": "webapp.settings",
        "FIREBOX_SECRET_KEY": secrets.token_urlsafe(50),
        "FIREBOX_VAR_DIR": str(directory),
        "FIREBOX_STORE_URL": str(directory / "store"),
        "FIREBOX_BROKER_URL": broker_url,
        "FIREBOX_LOG_LEVEL": log_level,
        "PYTHONPATH": str(ROOT),
    }
