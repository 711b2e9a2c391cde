"""Settings of the site, read from the environment once; a malformed one stops the start.

Every variable is documented in deploy/env.example. Nothing here contacts the broker, the store or
the database: whether they answer is for the health check and the tasks to say.
"""

from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit

import dj_database_url
from django.contrib import messages
from environs import Env, validate

from grader.core.games import GAMES, folder_of
from grader.results.evaluation import MAX_GAMES as VERIFIED_GAMES
from grader.viewer.files import static_folders
from webapp.base.logs import logging_config
from webapp.base.providers import allauth_settings, read_providers

env = Env()

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.str("FIREBOX_VAR_DIR", str(BASE_DIR / "var")))
"""The directory into which the site writes by default: database and artefact store."""

DEBUG = env.bool("FIREBOX_DEBUG", False)

INSECURE_SECRET_KEY = "firebox-insecure-key-for-development-and-tests-only-0123456789"  # noqa: S105
"""Good enough to run tests with; ``webapp.wsgi`` refuses to serve with it unless debugging."""
SECRET_KEY = env.str("FIREBOX_SECRET_KEY", INSECURE_SECRET_KEY)

SITE_URL = env.str("FIREBOX_SITE_URL", "http://127.0.0.1:8000").rstrip("/")
"""The public address of the site: for links in mails, the allowed host, secure cookies."""
_site = urlsplit(SITE_URL)
ALLOWED_HOSTS = env.list("FIREBOX_ALLOWED_HOSTS", [_site.hostname or "127.0.0.1", "localhost"])
CSRF_TRUSTED_ORIGINS = [SITE_URL]

INSTALLED_APPS = [
    # Before webapp.people.accounts, which takes their pages out of the admin.
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.socialaccount.providers.saml",
    "allauth.mfa",
    "webapp.people.accounts",
    "webapp.people.auditlog",
    "webapp.teaching.courses",
    "webapp.teaching.announcements",
    "webapp.grading.submissions",
    "webapp.grading.evaluations",
    "webapp.grading.similarity",
    "webapp.contests.tournaments",
    "webapp.contests.ladders",
    "webapp.contests.leaderboards",
    "webapp.grading.gradebook",
    "webapp.flow.lti",
    "webapp.contests.playing",
    "webapp.contests.sharing",
    "webapp.flow.lifecycle",
    "webapp.grading.graders",
    "webapp.grading.jobs",
    "webapp.people.notifications",
    "webapp.grading.operations",
    "webapp.runtime",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "axes",
]

MIDDLEWARE = [
    "webapp.base.middleware.forwarded_headers",
    "webapp.base.middleware.request_id",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "webapp.grading.operations.requests.request_times",
    "webapp.base.middleware.content_security_policy",
    "webapp.base.middleware.request_size_limit",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "webapp.pages.errors.polls_stay",
    "webapp.pages.errors.back_to_its_page",
    "webapp.pages.errors.RefusalsAsPages",
    "webapp.people.accounts.rate_limits.rate_limits",
    "allauth.account.middleware.AccountMiddleware",
    "webapp.pages.accounts.two_factor.staff_two_factor",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "webapp.runtime.urls"
CSRF_FAILURE_VIEW = "webapp.pages.errors.csrf_failure"
WSGI_APPLICATION = "webapp.wsgi.application"

_GAMES = dict.fromkeys(folder_of(game).parent for game in GAMES.values())
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # Of a game and of an interface the folder has the page in the guide.
        "DIRS": [BASE_DIR / "webapp" / "templates", BASE_DIR / "grader" / "interfaces", *_GAMES],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            # In every template, without a line that loads them.
            "builtins": [
                "django.templatetags.static",
                "django_htmx.templatetags.django_htmx",
                "webapp.runtime.templatetags.firebox",
            ],
        },
    },
]

# --- Database: SQLite by default, PostgreSQL by DATABASE_URL ---

_sqlite = f"sqlite:///{VAR_DIR / 'firebox.sqlite3'}"
DATABASES = {
    "default": dj_database_url.parse(
        env.str("DATABASE_URL", _sqlite), conn_max_age=60, conn_health_checks=True
    )
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Write transactions take their lock when they begin: they wait for it (seconds, below) instead
    # of failing half-way. Readers never wait: that is what the write-ahead log is for.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
CACHES = {
    # Counts of wrong codes, and codes that were used: every process of the site must see them.
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "firebox_cache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
MESSAGE_TAGS = {messages.SUCCESS: "good", messages.WARNING: "warn", messages.ERROR: "bad"}
"""Classes of ``components.css`` for the boxes of messages."""

# --- Accounts ---

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
_validation = "django.contrib.auth.password_validation."
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": _validation + "UserAttributeSimilarityValidator"},
    {"NAME": _validation + "MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": _validation + "CommonPasswordValidator"},
    {"NAME": _validation + "NumericPasswordValidator"},
]

# --- Signing in with a provider, by django-allauth ---

SIGN_IN_PROVIDERS = (
    *read_providers("openid_connect", env.json("FIREBOX_OIDC_PROVIDERS", [])),
    *read_providers("saml", env.json("FIREBOX_SAML_PROVIDERS", [])),
)
"""Providers that the sign-in page offers, in this order."""
PASSWORD_SIGN_IN = env.bool("FIREBOX_PASSWORD_SIGN_IN", True)
"""Passwords for others than operators: to sign in, to register, to accept invitations."""
STAFF_TWO_FACTOR = env.bool("FIREBOX_STAFF_TWO_FACTOR", False)
"""Staff of courses and operators must set up a second factor before they can do anything."""
SOCIALACCOUNT_PROVIDERS = allauth_settings(SIGN_IN_PROVIDERS)
SOCIALACCOUNT_ADAPTER = "webapp.pages.accounts.adapters.SocialAccountAdapter"
SOCIALACCOUNT_LOGIN_ON_GET = True  # a link: forms may lead to no other site
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_REQUESTS_TIMEOUT = 10
ACCOUNT_ADAPTER = "webapp.pages.accounts.adapters.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_RATE_LIMITS = {"login_failed": "5/300s/key"}  # wrong codes of one account
MFA_ADAPTER = "webapp.pages.accounts.two_factor.MFAAdapter"
MFA_TOTP_ISSUER = "Firebox"
MFA_TOTP_TOLERANCE = 1  # clocks of phones are up to half a minute wrong
ACCOUNT_EMAIL_VERIFICATION = "none"  # this site confirms addresses itself
LOGIN_URL = "accounts:sign_in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

# Guessing passwords: after 10 failures the pair of account and address is locked for 15 minutes.
# Not the account alone (anybody could lock anybody out), nor the address (a whole lecture hall).
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_USERNAME_CALLABLE = "webapp.people.accounts.throttling.account_name"
AXES_CLIENT_IP_CALLABLE = "webapp.people.accounts.throttling.client_address"
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False

PROXIES = env.int("FIREBOX_PROXIES", 0)
"""Reverse proxies of ours before the site; their X-Forwarded-For and -Proto are believed."""
_THIS_HOST = "127.0.0.0/8,::1/128"
PROXY_NETWORKS = [
    ip_network(network)
    for network in env.list("FIREBOX_PROXY_NETWORKS", _THIS_HOST.split(","), subcast=str)
]
"""The addresses of the proxy next to the site: from others, these headers are dropped."""
AXES_LOCKOUT_TEMPLATE = "lockout.html"

# --- Transport security: on as soon as the site is reached by https ---

_https = _site.scheme == "https"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _https
SESSION_COOKIE_HTTPONLY = True
SECURE_SSL_REDIRECT = _https
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PROXIES else None
SECURE_HSTS_SECONDS = env.int("FIREBOX_HSTS_SECONDS", 31_536_000) if _https else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = _https
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
FRAME_ANCESTORS: list[str] = env.list("FIREBOX_FRAME_ANCESTORS", [])
"""Sites that may show games of public links in a frame: ``https://blog.example.edu``."""

# --- Language, time, mail, files ---

LANGUAGE_CODE = "en-gb"
TIME_ZONE = env.str("FIREBOX_TIME_ZONE", "UTC")
USE_I18N = False
USE_TZ = True

EMAIL_HOST = env.str("FIREBOX_EMAIL_HOST", "")
EMAIL_PORT = env.int("FIREBOX_EMAIL_PORT", 587)
EMAIL_HOST_USER = env.str("FIREBOX_EMAIL_USER", "")
EMAIL_HOST_PASSWORD = env.str("FIREBOX_EMAIL_PASSWORD", "")
EMAIL_USE_TLS = env.bool("FIREBOX_EMAIL_TLS", True)
EMAIL_TIMEOUT = 10
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
_sender = env.str("FIREBOX_EMAIL_FROM", f"firebox@{_site.hostname or 'localhost'}")
DEFAULT_FROM_EMAIL = SERVER_EMAIL = _sender if "<" in _sender else f"Firebox <{_sender}>"

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "webapp" / "static", *static_folders()]
SERIALIZATION_MODULES = {"json": "webapp.base.dumping"}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if not DEBUG
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG
DOWNLOAD_DIR = VAR_DIR / "download"
"""The wheel for students: ``python -m webapp build_wheel`` puts it there."""

# --- Uploads and grading ---

MAX_UPLOAD_BYTES = env.int("FIREBOX_MAX_UPLOAD_MIB", 1) << 20
MAX_ARCHIVE_BYTES = env.int("FIREBOX_MAX_ARCHIVE_MIB", 50) << 20
"""A zip as it is sent, with what no agent reads; ``MAX_UPLOAD_BYTES`` holds for the rest."""
MAX_IMPORT_BYTES = env.int("FIREBOX_MAX_IMPORT_MIB", 32) << 20
"""A course file that a page takes; the command line takes any."""
DATA_UPLOAD_MAX_MEMORY_SIZE = FILE_UPLOAD_MAX_MEMORY_SIZE = MAX_UPLOAD_BYTES + (64 << 10)

BROKER_URL = env.str("FIREBOX_BROKER_URL", "redis://127.0.0.1:6390/0")
STORE_URL = env.str("FIREBOX_STORE_URL", str(VAR_DIR / "store"))

LEASE_SECONDS = env.float("FIREBOX_LEASE_SECONDS", 60.0)
"""The silence after which a batch that left its queue is lost: its missing games are sent again."""
TICK_SECONDS = env.float("FIREBOX_TICK_SECONDS", 10.0)
"""The interval at which the periodic task looks for batches to send or send again."""

QUEUE_CACHE_SECONDS = 3.0
"""The maximum age of what pages say about the queues."""

# Upper bounds of an assignment's limits, set by the operator.
MAX_TURN_SECONDS = env.float("FIREBOX_MAX_TURN_SECONDS", 10.0)
MAX_START_SECONDS = env.float("FIREBOX_MAX_START_SECONDS", 60.0)
MAX_MEMORY_MIB = env.int("FIREBOX_MAX_MEMORY_MIB", 2048)
MAX_GAMES = env.int("FIREBOX_MAX_GAMES", 10_000, validate=validate.Range(1, VERIFIED_GAMES))
MAX_HUMAN_GAMES = env.int("FIREBOX_MAX_HUMAN_GAMES", 100)
"""The number of games that people may play with agents at once."""

# --- Being looked after ---

LOGGING = logging_config(
    level=env.str("FIREBOX_LOG_LEVEL", "INFO"),
    as_json=env.bool("FIREBOX_LOG_JSON", False),
)

METRICS_TOKEN = env.str("FIREBOX_METRICS_TOKEN", "")
"""The bearer token for ``/metrics``; empty: no token opens it."""
METRICS_NETWORKS = [
    ip_network(network) for network in env.list("FIREBOX_METRICS_NETWORKS", [], subcast=str)
]
"""Networks from which ``/metrics`` is open without a token."""

if SENTRY_DSN := env.str("FIREBOX_SENTRY_DSN", ""):
    from webapp.base.sentry import send_errors  # its package is loaded where errors are sent alone

    send_errors(SENTRY_DSN)

env.seal()
