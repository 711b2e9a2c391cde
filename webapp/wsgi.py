"""The WSGI application that `webapp.serve` runs. Refuses to start with a well-known secret key."""

import os

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")

application = get_wsgi_application()

if settings.SECRET_KEY == settings.INSECURE_SECRET_KEY and not settings.DEBUG:
    raise ImproperlyConfigured("set FIREBOX_SECRET_KEY to 50 or more random characters")
