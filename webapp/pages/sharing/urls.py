"""Addresses of public links."""

from django.urls import path

from webapp.pages.sharing import public_views, views

app_name = "sharing"

urlpatterns = [
    path("share/<str:column>/<int:key>/", views.share, name="share"),
    path("share/<int:pk>/take-back/", views.take_back, name="take_back"),
    path("house-games/<uuid:uuid>/<int:index>/", public_views.house_game, name="house_game"),
    path("shared/<str:token>/", public_views.game, name="game"),
    path("shared/<str:token>/embed/", public_views.embed, name="embed"),
    path("shared/<str:token>/picture.png", public_views.picture, name="picture"),
]
