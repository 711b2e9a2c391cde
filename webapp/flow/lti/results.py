"""Ask a platform what it shows of the points that it took (LTI Assignment and Grade Services 2.0,
result service): platforms cut points to the maximum of their column, and accept them.
"""

from datetime import datetime
from decimal import Decimal
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import msgspec
from allauth.socialaccount.models import SocialAccount
from pylti1p3.service_connector import ServiceConnector

from webapp.flow.lti.models import LinkedAssignment, Score
from webapp.flow.lti.platforms import SERVICE_ERRORS, pages_of

_SCOPE: Final = "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly"
_ACCEPT: Final = "application/vnd.ims.lis.v2.resultcontainer+json"
_CLOSE: Final = Decimal("0.02")
"""A difference that comes of a platform's own rounding."""


class _Result(msgspec.Struct, rename="camel"):
    user_id: str | int
    result_score: float | None = None
    result_maximum: float | None = None


def read_results(link: LinkedAssignment, connector: ServiceConnector, *, at: datetime) -> bool:
    """Keep what the column shows of the points that were sent; return whether the platform said.

    A platform need not offer results, nor give them to this site: that is no error.
    """
    try:
        pages = pages_of(connector, _results_url(link.lineitem_url), scope=_SCOPE, accept=_ACCEPT)
        results = {
            str(row.user_id): row
            for body in pages
            for row in msgspec.convert(body, list[_Result] | None) or ()
        }
    except (*SERVICE_ERRORS, msgspec.ValidationError):
        return False
    provider = link.linked_course.platform.identity_provider
    subjects = dict(SocialAccount.objects.filter(provider=provider).values_list("user_id", "uid"))
    rows = list(link.scores.filter(state=Score.State.SENT, sent_at__lte=at))
    for row in rows:
        row.shown, row.read_at = _shown(results.get(subjects.get(row.user_id, "")), row), at
    Score.objects.bulk_update(rows, ["shown", "read_at"], 500)
    return True


def _results_url(column: str) -> str:
    parts = urlsplit(column)
    return urlunsplit(parts._replace(path=parts.path.rstrip("/") + "/results"))


def _shown(result: _Result | None, row: Score) -> Decimal | None:
    """Return the points that the platform shows, scaled to the maximum they were sent with."""
    if result is None or result.result_score is None:
        return None
    shown = Decimal(str(result.result_score))
    if result.result_maximum:
        shown *= row.maximum / Decimal(str(result.result_maximum))
    if row.points is not None and abs(shown - row.points) <= _CLOSE:
        return row.points
    return min(shown, Decimal(999_999)).quantize(Decimal("0.01"))
