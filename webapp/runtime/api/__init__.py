"""The JSON API at ``/api/v1/``, which ``firebox submit`` uses. ``openapi.json`` describes it."""
