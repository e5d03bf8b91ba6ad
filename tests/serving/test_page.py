"""The page at `/`, driven in a real browser against a real server whose model says what its script says."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from setwise.serving.examples import PageExample
from tests.reports.browser import chromium
from tests.reports.test_hostile_text import HOSTILE
from tests.serving.made_up import COUGH, MUMBLE, SCRIPT, TOE, completion, scripted
from tests.serving.opened import honest_profile, opened
from tests.serving.running import Running, running

LONG = "Which one is long?"
HOSTILE_QUESTIONS = {
    f"Hostile {place}": (completion((text, 0.6), (f"2 {text}", 0.3), ("Gout", 0.1), thinking=f"I think {text}"),)
    for place, text in enumerate(HOSTILE)
}
LONG_WORD = "incomprehensibilities" * 30
REPLIES = {**SCRIPT, **HOSTILE_QUESTIONS, LONG: (completion((LONG_WORD, 0.6), ("b\n" * 9, 0.2), ("c", 0.1)),)}
BELIEFS = (("Pneumonia", 0.7), ("Influenza", 0.2), ("Gout", 0.1))
CONTRASTS = """() => {
  const light = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map((part) => part / 255)
    .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, place) => sum + part * [0.2126, 0.7152, 0.0722][place], 0);
  const behind = (part) => {
    const colour = getComputedStyle(part).backgroundColor;
    return colour !== 'rgba(0, 0, 0, 0)' || !part.parentElement ? colour : behind(part.parentElement);
  };
  return [...document.querySelectorAll('body *')]
    .filter((part) => part.offsetParent && [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .map((part) => [light(getComputedStyle(part).color), light(behind(part)), part.textContent.slice(0, 40)])
    .map(([ink, paper, text]) => [text, (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05)]);
}"""
REFUSALS = (
    (400, "", "The server refused the question: what the server said"),
    (413, "", "too long for this server"),
    (429, "7", "busy with other questions. Try again in 7 seconds."),
    (502, "", "does not answer. Try again in a moment."),
    (503, "1", "takes no questions at the moment. Try again in 1 second."),
    (504, "", "took too long"),
)
EXAMPLES = (PageExample("The cough", COUGH, BELIEFS), PageExample("The toe", TOE))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server without a profile."""
    with running(scripted(tmp_path_factory.mktemp("plain"), REPLIES), examples=EXAMPLES) as server:
        yield server


@pytest.fixture(scope="module")
def profiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    model = replace(scripted(tmp_path_factory.mktemp("profiled"), REPLIES), profile=honest_profile())
    with running(model, examples=EXAMPLES, alpha=0.2) as server:
        yield server


def test_it_works_without_a_complaint_and_asks_nobody_but_its_own_server(browser: Any, profiled: Running):
    with opened(browser, profiled) as found:
        found.ask(COUGH)
        assert found.answers == ["Pneumonia", "Bronchitis", "Influenza"]
        assert found.complaints == []
        assert all(url.startswith((profiled.url, "data:,")) for url in found.requests)


def test_each_answer_has_a_bar_for_what_is_stated_and_one_for_what_that_is_worth(browser: Any, profiled: Running):
    _, body = profiled.chat(TOE)
    with opened(browser, profiled) as found:
        found.page.get_by_label("Question").fill(TOE)
        found.page.get_by_role("button", name="Ask").click()
        found.page.wait_for_selector("#answers li")
        assert found.answers == ["Gout", "Cellulitis", "Fracture"]
        for place, answer in enumerate(body["setwise"]["answers"]):
            shown = [f"{name}\n{100 * answer[name]:.0f} %" for name in ("stated", "calibrated")]
            assert found.bars(place) == shown
        widths = found.page.eval_on_selector_all(
            "#answers li:first-child .bar", "bars => bars.map(bar => bar.firstChild.offsetWidth / bar.offsetWidth)"
        )
        first = body["setwise"]["answers"][0]
        assert widths == pytest.approx([first["stated"], first["calibrated"]], abs=0.02)


def test_the_slider_keeps_what_the_server_would_keep(browser: Any, profiled: Running):
    with opened(browser, profiled) as found:
        found.ask(COUGH)
        slider = found.page.get_by_role("slider")
        assert slider.input_value() == "20"
        for key in ("ArrowLeft", "ArrowLeft", "PageUp", "PageUp", "PageUp", "End", "Home"):
            slider.press(key)
            _, body = profiled.chat(COUGH, setwise={"alpha": int(slider.input_value()) / 100})
            decision = body["setwise"]["decision"]
            assert len(found.kept) == decision["kept"]
            assert found.kept == found.answers[: decision["kept"]]
            verdict = found.page.locator("#verdict").inner_text()
            assert verdict.startswith("Abstains") is decision["abstained"]


def test_the_set_shrinks_as_more_risk_is_accepted_and_abstains_at_none(browser: Any, profiled: Running):
    with opened(browser, profiled) as found:
        found.ask(COUGH)
        slider, sizes = found.page.get_by_role("slider"), []
        slider.press("Home")
        assert found.kept == []
        assert "cannot promise a risk below" in found.page.locator("#verdict").inner_text()
        for _ in range(60):
            sizes.append(int(found.page.locator("#steps .now").get_attribute("data-kept")))
            slider.press("ArrowRight")
        answered = [size for size in sizes if size]
        assert sizes == [0] * (len(sizes) - len(answered)) + sorted(answered, reverse=True)
        assert len(set(answered)) > 1
        assert len(found.kept) == answered[-1] == 1


def test_what_the_slider_does_is_said_and_not_only_drawn(browser: Any, profiled: Running):
    with opened(browser, profiled) as found:
        found.ask(COUGH)
        found.page.get_by_role("slider").press("End")
        assert found.page.get_by_role("slider").get_attribute("aria-valuetext") == "99 %"
        verdict = found.page.locator("#verdict")
        assert verdict.get_attribute("aria-live") == "polite"
        assert verdict.inner_text() == "Keeps 1 of 3 answers."
        assert found.page.locator("#answers .mark").all_inner_texts() == ["kept", "left out", "left out"]
        assert found.page.get_by_role("status").inner_text() == "3 answers."


def test_without_a_profile_the_page_says_how_to_make_one(browser: Any, plain: Running):
    with opened(browser, plain) as found:
        found.ask(COUGH)
        assert found.bars(0) == ["stated\n60 %"]
        assert found.page.get_by_role("slider").is_hidden()
        assert "setwise calibrate RUN --out profile.json" in found.page.locator("#no-profile").inner_text()
        assert found.page.locator("#answers .mark").all_inner_texts() == ["", "", ""]
        assert found.complaints == []


def test_an_example_is_asked_with_its_exact_posterior_beside_the_answer(browser: Any, plain: Running):
    with opened(browser, plain) as found:
        found.page.get_by_role("button", name="The cough").click()
        found.page.wait_for_selector("#answers li")
        beside = found.page.get_by_role("region", name="Exact posterior")
        shown = beside.get_by_role("listitem").all_inner_texts()
        assert shown == ["Pneumonia\n70 %", "Influenza\n20 %", "Gout\n10 %"]
        assert beside.locator(".named").all_inner_texts() == shown[:2]
        found.ask(TOE)
        assert beside.is_hidden()
        pressed = found.page.locator("#examples [aria-pressed=true]").all_inner_texts()
        assert pressed == ["The toe"]


def test_thinking_is_folded_away_until_it_is_wanted(browser: Any, plain: Running):
    with opened(browser, plain) as found:
        found.ask(COUGH)
        thought = found.page.get_by_text("The lung or the airways.", exact=True)
        assert thought.is_hidden()
        found.page.get_by_text("Thinking").click()
        assert thought.is_visible()


def test_a_set_that_cannot_be_read_is_shown_as_it_was_written(browser: Any, profiled: Running):
    with opened(browser, profiled) as found:
        found.ask(COUGH)
        found.ask(MUMBLE)
        assert "No answer could be read" in found.page.get_by_role("alert").inner_text()
        assert found.page.get_by_text("mumble", exact=True).is_visible()
        assert found.answers == []
        assert found.page.get_by_role("slider").is_hidden()


def test_hostile_text_is_inert_and_shown_as_it_was_written(browser: Any, profiled: Running):
    with opened(browser, profiled) as found:
        for place, text in enumerate(HOSTILE):
            found.ask(f"Hostile {place}")
            for fold in found.page.locator("summary").all():
                fold.click()
            if text.isprintable():
                assert found.text_of("#answers .text") == text
                assert text in found.text_of("#thinking pre")
        assert found.page.evaluate("window.pwned") is None
        assert found.page.evaluate("document.querySelectorAll('img, iframe, svg, [onload], [onerror]').length") == 0
        assert found.page.evaluate("document.querySelectorAll('script').length") == 1
        assert found.complaints == []


def replying(reply: dict[str, Any]) -> Callable[[Any], None]:
    return lambda route: route.fulfill(**reply)


def test_refusals_are_told_in_plain_words_and_gone_with_the_next_answer(browser: Any, plain: Running):
    asked = "**/v1/chat/completions"
    with opened(browser, plain) as found:
        found.ask(TOE)
        for status, seconds, words in REFUSALS:
            headers = {"Retry-After": seconds} if seconds else {}
            reply = {"status": status, "headers": headers, "json": {"error": {"message": "what the server said"}}}
            found.page.route(asked, replying(reply), times=1)
            found.ask(COUGH)
            assert words in found.page.get_by_role("alert").inner_text()
            assert found.page.get_by_role("region", name="Answers").is_hidden()
        found.ask(COUGH)
        assert found.page.get_by_role("alert").is_hidden()
        assert len(found.answers) == 3


def test_a_server_that_is_gone_is_told_from_one_that_refuses(browser: Any, plain: Running):
    with opened(browser, plain) as found:
        found.page.route("**/v1/chat/completions", lambda route: route.abort())
        found.ask(COUGH)
        assert "cannot be reached" in found.page.get_by_role("alert").inner_text()


def test_a_question_that_is_too_long_for_the_real_server_is_told_so(browser: Any, plain: Running):
    assert plain.served
    with opened(browser, plain) as found:
        found.ask("x" * (plain.served.limits.body_bytes + 1))
        assert "too long for this server" in found.page.get_by_role("alert").inner_text()


def test_a_server_with_a_key_is_given_it(browser: Any, tmp_path: Any):
    with running(scripted(tmp_path), key="open-sesame", examples=EXAMPLES) as server:
        context = browser.new_context()
        page = context.new_page()
        page.goto(server.url)
        page.get_by_label("Key").fill("open-sesame")
        assert "wants a key" in page.get_by_role("alert").inner_text()
        page.get_by_label("Question").fill(COUGH)
        page.keyboard.press("Control+Enter")
        page.wait_for_selector("#answers li")
        assert page.get_by_role("alert").is_hidden()
        assert page.locator("#examples button").count() == 2
        context.close()


def test_the_question_asked_last_is_the_one_answered(browser: Any, plain: Running):
    asked = "**/v1/chat/completions"
    with opened(browser, plain) as found:
        held: list[Any] = []
        # By its words: the page may drop the first question before it comes here.
        found.page.route(asked, lambda each: held.append(each) if COUGH in each.request.post_data else each.continue_())
        with found.page.expect_request(asked):
            found.page.get_by_role("button", name="The cough").click()
        found.page.get_by_role("button", name="The toe").click()
        found.page.wait_for_selector("#answers li")
        assert found.answers == ["Gout", "Cellulitis", "Fracture"]
        assert found.page.get_by_role("alert").is_hidden()
        for each in held:
            each.abort()


def test_everything_is_reached_by_keyboard_in_reading_order(browser: Any, profiled: Running):
    with opened(browser, profiled) as found:
        found.ask(COUGH)
        found.page.get_by_label("Question").focus()
        reached = []
        for _ in range(6):
            found.page.keyboard.press("Tab")
            reached.append(found.page.evaluate("document.activeElement.id || document.activeElement.textContent"))
        assert reached[:4] == ["ask", "The cough", "The toe", "alpha"]
        assert reached[4:] == ["Thinking", "Completion, as the model wrote it"]


@pytest.mark.parametrize("question", [COUGH, LONG])
def test_nothing_is_cut_off_on_a_narrow_screen(browser: Any, profiled: Running, question: str):
    with opened(browser, profiled, width=390) as found:
        found.ask(question)
        for fold in found.page.locator("summary").all():
            fold.click()
        assert found.page.evaluate("document.documentElement.scrollWidth") <= 390
        for bar in found.page.locator(".bar").all():
            assert not bar.is_visible() or bar.bounding_box()["width"] > 60


@pytest.mark.parametrize("dark", [False, True])
def test_text_can_be_read_in_light_and_in_dark(browser: Any, profiled: Running, dark: bool):
    """WCAG 2.1, 1.4.3: text stands out from its background by 4.5 to 1."""
    with opened(browser, profiled, dark=dark) as found:
        found.ask(COUGH)
        found.page.get_by_role("slider").press("End")
        contrasts = found.page.evaluate(CONTRASTS)
        assert len(contrasts) > 30
        assert {text: ratio for text, ratio in contrasts if ratio < 4.5} == {}
        paper = found.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert paper == ("rgb(22, 25, 29)" if dark else "rgb(255, 255, 255)")
