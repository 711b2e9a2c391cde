"""The pages' scripts, and the pages without them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from tests.support import world as worlds
from tests.support.browsing import SignIn, every, one, press, resize, text, until
from tests.support.pages import ASSIGNMENT, signed_in
from tests.support.world import World
from webapp.grading.submissions.models import KeptUpload, Submission
from webapp.teaching.courses.models import Assignment

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

NEW_ASSIGNMENT = "/courses/coop/new-assignment/"
UPLOAD = "form[data-page] button"


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    path = tmp_path / "agent.py"
    path.write_bytes(worlds.SOURCE)
    return path


@pytest.fixture
def cut_off(browser: Chrome) -> Iterator[Callable[[bool], None]]:
    def switch(away: bool) -> None:  # noqa: FBT001 - the only thing it says
        conditions = {
            "offline": away,
            "latency": 0,
            "downloadThroughput": -1,
            "uploadThroughput": -1,
        }
        browser.execute_cdp_cmd("Network.enable", {})
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)

    yield switch
    switch(False)


@pytest.fixture
def without_scripts(browser: Chrome) -> Iterator[None]:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    yield
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_chosen_file_is_described_and_one_that_is_too_large_reported(
    browser: Chrome, sign_in: SignIn, world: World, agent: Path
) -> None:
    sign_in(world.ada, ASSIGNMENT)
    browser.find_element(By.NAME, "file").send_keys(str(agent))
    assert "agent.py, " in browser.find_element(By.CSS_SELECTOR, "[data-hint]").text
    large = agent.with_name("large.py")
    large.write_bytes(b"#" * (51 << 20))
    browser.find_element(By.NAME, "file").send_keys(str(large))
    assert "at most 50" in browser.find_element(By.CSS_SELECTOR, "[data-hint]").text


def test_a_file_can_be_dropped(browser: Chrome, sign_in: SignIn, world: World) -> None:
    sign_in(world.ada, ASSIGNMENT)
    browser.execute_script(
        "const data = new DataTransfer();"
        "data.items.add(new File(['class A: pass'], 'dropped.py'));"
        "document.querySelector('[data-drop]').dispatchEvent("
        "  new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));"
    )
    assert "dropped.py, 13 bytes" in text(browser)
    press(browser, "Upload", then="Submission 1")


def test_a_file_survives_an_expired_session(
    browser: Chrome, site: LiveServer, sign_in: SignIn, world: World, agent: Path
) -> None:
    sign_in(world.ada, ASSIGNMENT)
    browser.find_element(By.NAME, "file").send_keys(str(agent))
    browser.delete_cookie("sessionid")
    one(browser, UPLOAD).click()
    until(browser, lambda: "You have been signed out" in text(browser))
    assert browser.current_url == site.url + ASSIGNMENT
    client = signed_in(world.ada)
    browser.add_cookie({"name": "sessionid", "value": client.cookies["sessionid"].value})
    browser.delete_cookie("csrftoken")
    press(browser, "Upload", then="Submission 1")


def test_the_button_is_off_while_a_file_is_sent(
    browser: Chrome, sign_in: SignIn, world: World, agent: Path
) -> None:
    sign_in(world.ada, ASSIGNMENT)
    browser.find_element(By.NAME, "file").send_keys(str(agent))
    press_twice = "const button = document.querySelector(arguments[0]); button.click();"
    press_twice += "const off = button.disabled; button.click(); return off;"
    assert browser.execute_script(press_twice, UPLOAD) is True
    until(browser, lambda: "Submission 1" in browser.title)
    assert Submission.objects.count() == 1
    browser.back()
    until(browser, lambda: one(browser, UPLOAD).is_enabled())


def test_a_kept_file_is_sent_once(browser: Chrome, sign_in: SignIn, world: World) -> None:
    now = timezone.now()
    KeptUpload.objects.create(
        user=world.ada, assignment=world.assignment, filename="a.py", data=worlds.SOURCE, at=now
    )
    sign_in(world.ada, ASSIGNMENT)
    press(browser, "Upload this file")
    until(browser, lambda: "Submission 1" in browser.title)
    assert Submission.objects.count() == 1


def test_a_double_click_without_scripts_is_one_upload(
    browser: Chrome, sign_in: SignIn, world: World, agent: Path, without_scripts: None
) -> None:
    sign_in(world.ada, ASSIGNMENT)
    browser.find_element(By.NAME, "file").send_keys(str(agent))
    ActionChains(browser).double_click(one(browser, UPLOAD)).perform()
    until(browser, lambda: "Submission 1" in browser.title)
    assert Submission.objects.count() == 1


UNCHANGED = """
const asked = performance.getEntriesByType("resource");
return asked.filter((entry) => entry.responseStatus === 304).length;
"""


def test_a_page_follows_its_evaluations_while_nothing_changes_too_and_stops_asking(
    browser: Chrome, sign_in: SignIn, world: World
) -> None:
    submission = worlds.upload(world, world.ada)
    smoke = worlds.play(submission.evaluations.get(), upto=1)
    sign_in(world.ada, f"/submissions/{submission.pk}/")
    assert "1 of 3 games" in text(browser)
    assert browser.title.startswith("Playing first test · ")
    until(browser, lambda: browser.execute_script(UNCHANGED) >= 2)
    worlds.play(smoke)
    worlds.play(submission.evaluations.get(kind="practice"), upto=5)
    until(browser, lambda: "5 of 12 games" in text(browser))
    worlds.play(submission.evaluations.get(kind="practice"))
    until(browser, lambda: "mean, 95% interval" in text(browser))
    until(browser, lambda: browser.title.startswith("Accepted · Submission 1 of "))
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, "[hx-get]"))


def test_grades_can_be_sorted(browser: Chrome, sign_in: SignIn, world: World) -> None:
    for user, agent in ((world.ada, "iggi"), (world.ben, "random_legal")):
        worlds.submit_and_practise(world, user, agent=agent)
        worlds.grade(world, user, agent=agent)
    sign_in(world.ida, ASSIGNMENT + "grades/")
    header = browser.find_element(By.XPATH, "//th[contains(., 'Points')]")
    header.find_element(By.TAG_NAME, "button").click()
    assert header.get_attribute("aria-sort") == "ascending"
    names = [row.text for row in browser.find_elements(By.CSS_SELECTOR, "tbody th")]
    assert names == ["Ben Okri", "Ada Lovelace"]


def test_a_command_can_be_copied(browser: Chrome, site: LiveServer, sign_in: SignIn) -> None:
    sign_in(None)
    permissions = {"permissions": ["clipboardSanitizedWrite"], "origin": site.url}
    browser.execute_cdp_cmd("Browser.grantPermissions", permissions)
    browser.get(site.url + "/guide/command/")
    button = browser.find_element(By.CSS_SELECTOR, ".command button")
    button.click()
    until(browser, lambda: button.text in ("Copied", "Select and copy by hand"))


def test_the_first_tab_offers_to_skip_to_the_content(browser: Chrome, sign_in: SignIn) -> None:
    sign_in(None, "/guide/rules/")
    browser.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    focused = browser.switch_to.active_element
    assert focused.text == "Skip to the content"
    focused.send_keys(Keys.ENTER)
    until(browser, lambda: browser.switch_to.active_element.tag_name == "main")


@pytest.mark.parametrize("address", [NEW_ASSIGNMENT, "/new-course/"])
def test_the_short_name_follows_the_title_until_it_is_edited(
    address: str, browser: Chrome, sign_in: SignIn, world: World
) -> None:
    sign_in(world.ida, address)
    if address == NEW_ASSIGNMENT:
        unfold(browser, "Description")
    title, slug = (browser.find_element(By.NAME, name) for name in ("title", "slug"))
    title.send_keys("Hanabi für zwei: Teil 1!")
    assert slug.get_property("value") == "hanabi-fur-zwei-teil-1"
    slug.clear()
    slug.send_keys("mine")
    title.send_keys(" more")
    assert slug.get_property("value") == "mine"


def test_a_site_that_does_not_answer_is_reported_and_the_page_recovers(
    browser: Chrome, sign_in: SignIn, world: World, cut_off: Callable[[bool], None]
) -> None:
    submission = worlds.upload(world, world.ada)
    sign_in(world.ada, f"/submissions/{submission.pk}/")
    assert "cannot be reached" not in text(browser)
    cut_off(True)
    until(browser, lambda: "The site cannot be reached" in text(browser))
    cut_off(False)
    until(browser, lambda: "The site cannot be reached" not in text(browser))


def test_the_list_of_submissions_follows_what_happens(
    browser: Chrome, sign_in: SignIn, world: World
) -> None:
    submission = worlds.upload(world, world.ada)
    sign_in(world.ada, ASSIGNMENT)
    assert "Accepted" not in text(browser)
    worlds.play(submission.evaluations.get(kind="smoke"))
    until(browser, lambda: "Accepted" in text(browser))


def test_a_page_that_polls_says_that_its_session_is_over_and_continues_after_signing_in(
    browser: Chrome, sign_in: SignIn, world: World
) -> None:
    submission = worlds.upload(world, world.ada)
    sign_in(world.ada, ASSIGNMENT)
    session = browser.get_cookie("sessionid")
    assert session is not None
    browser.delete_cookie("sessionid")
    until(browser, lambda: "You have been signed out" in text(browser))
    assert "Newest first" in text(browser)
    browser.add_cookie({"name": "sessionid", "value": session["value"]})
    worlds.play(submission.evaluations.get(kind="smoke"))
    until(browser, lambda: "Accepted" in text(browser))
    assert "You have been signed out" not in text(browser)


def test_a_file_is_kept_when_the_site_answers_with_an_error(
    browser: Chrome, sign_in: SignIn, world: World, agent: Path
) -> None:
    sign_in(world.ada, ASSIGNMENT)
    browser.find_element(By.NAME, "file").send_keys(str(agent))
    browser.execute_script("document.querySelector('[data-page]').dataset.page = '/nowhere/'")
    one(browser, UPLOAD).click()
    until(browser, lambda: "Your file is still selected" in text(browser))
    assert not Submission.objects.exists()


def unfold(browser: Chrome, subject: str) -> None:
    browser.find_element(By.XPATH, f"//summary[starts-with(., '{subject}')]").click()


def test_an_assignment_is_five_questions_and_a_fold_with_an_error_opens(
    browser: Chrome, site: LiveServer, sign_in: SignIn, world: World
) -> None:
    sign_in(world.ida)
    resize(browser, 1280, 800)
    browser.get(site.url + NEW_ASSIGNMENT)
    assert len(every(browser, "fieldset > legend")) == 5
    assert not every(browser, "main details[open]")
    assert browser.execute_script("return document.documentElement.scrollHeight") < 2 * 800
    browser.find_element(By.NAME, "title").send_keys("Third week")
    press(browser, "Create assignment", then="Assignment created.")
    made = Assignment.objects.get(slug="third-week")
    browser.get(f"{site.url}/courses/coop/assignments/{made.slug}/edit/")
    unfold(browser, "Limits of one agent")
    memory = browser.find_element(By.NAME, "memory_mib")
    memory.clear()
    memory.send_keys("1")
    press(browser, "Save assignment", then="Not saved.")
    (opened,) = every(browser, "main details[open]")
    assert opened.text.startswith("Limits of one agent")
    assert browser.find_element(By.NAME, "memory_mib").get_property("value") == "1"


def select_named(browser: Chrome, name: str) -> Select:
    return Select(browser.find_element(By.NAME, name))


def values(browser: Chrome, name: str) -> list[str | None]:
    return [option.get_attribute("value") for option in select_named(browser, name).options]


def test_the_assignment_form_follows_variant_and_game_and_keeps_what_was_typed(
    browser: Chrome, sign_in: SignIn, world: World
) -> None:
    sign_in(world.ida, NEW_ASSIGNMENT)
    browser.find_element(By.NAME, "title").send_keys("Mine")
    games = browser.find_element(By.NAME, "n_games")
    games.clear()
    games.send_keys("77")
    unfold(browser, "Rules")
    unfold(browser, "Languages and interfaces")
    select_named(browser, "variant").select_by_value("gcc")
    until(browser, lambda: values(browser, "players") == ["2"])
    until(browser, lambda: "needs Western Australia rules" in text(browser))
    select_named(browser, "variant").select_by_value("uwa")
    until(browser, lambda: values(browser, "players") == ["2", "3", "4", "5"])
    until(browser, lambda: "needs Western Australia rules" not in text(browser))
    select_named(browser, "game").select_by_value("hearts")
    until(browser, lambda: "Opponents" in text(browser))
    unfold(browser, "Rules")
    select_named(browser, "variant").select_by_value("fit2102")
    until(browser, lambda: values(browser, "players") == ["2", "4"])
    for name, value in (("title", "Mine"), ("slug", "mine"), ("n_games", "77")):
        assert browser.find_element(By.NAME, name).get_property("value") == value
    assert not Assignment.objects.filter(game="hearts").exists()


def test_the_assignment_form_is_shown_for_another_game_without_scripts(
    browser: Chrome, sign_in: SignIn, world: World, without_scripts: None
) -> None:
    sign_in(world.ida, NEW_ASSIGNMENT)
    browser.find_element(By.NAME, "title").send_keys("Mine")
    select_named(browser, "game").select_by_value("hearts")
    press(browser, "Show the fields of this game and variant", then="Opponents")
    assert browser.find_element(By.NAME, "title").get_attribute("value") == "Mine"
