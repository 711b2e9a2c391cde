"""Every tag and filter of the site, under one name: ``{% load firebox %}``."""

from django import template

from webapp.runtime.templatetags import badges, figures, guide, moments, navigation, tables

register = template.Library()
for part in (badges, figures, guide, moments, navigation, tables):
    register.tags |= part.register.tags
    register.filters |= part.register.filters
