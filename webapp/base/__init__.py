"""Code that every floor above uses: Celery, mail, stores, values and checks of fields."""
