"""Addresses of public links."""

from django.urls import path

from webapp.pages.sharing import views

app_name = "sharing"

urlpatterns = [
    path("share/<str:column>/<int:key>/", views.share, name="share"),
    path("share/<int:pk>/take-back/", views.take_back, name="take_back"),
    path("house-games/<uuid:uuid>/<int:index>/", views.house_game, name="house_game"),
    path("shared/visitors/<str:token>/", views.visitor_game, name="visitor_game"),
    path("shared/<str:token>/", views.game, name="game"),
    path("shared/<str:token>/embed/", views.embed, name="embed"),
    path("shared/<str:token>/picture.png", views.picture, name="picture"),
]
