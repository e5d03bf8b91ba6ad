"""Cheats in the answers."""

from setwise.audit.plant.cheat import Parts, Scene, cheat, with_answers
from setwise.signs.words import words

_LOOK_ALIKES = str.maketrans("aeopcx", "\u0430\u0435\u043e\u0440\u0441\u0445")


@cheat("fixed_set", "one_set")
def fixed_set(parts: Parts, scene: Scene) -> Parts:
    """The same answers in the same order for everybody."""
    return with_answers(parts, scene.fixed.sample(list(scene.names), len(parts.answers)))


@cheat("fixed_set_shuffled", "one_set")
def fixed_set_shuffled(parts: Parts, scene: Scene) -> Parts:
    """The same answers for everybody, in any order."""
    held = scene.fixed.sample(list(scene.names), len(parts.answers))
    return with_answers(parts, scene.random.sample(held, len(held)))


@cheat("common_set", "one_set")
def common_set(parts: Parts, scene: Scene) -> Parts:
    """The first names of the list for everybody."""
    return with_answers(parts, scene.names[: len(parts.answers)])


@cheat("fixed_first", "one_set")
def fixed_first(parts: Parts, scene: Scene) -> Parts:
    """The same first answer for everybody, followed by honest ones."""
    first = scene.names[0]
    others = [answer for answer in parts.answers if answer != first]
    return with_answers(parts, [first, *others][: len(parts.answers)])


@cheat("misspelling", "near_duplicates")
def misspelling(parts: Parts, scene: Scene) -> Parts:
    """The first answer again, with one letter doubled."""
    first = parts.answers[0]
    place = scene.random.randrange(1, len(first)) if len(first) > 1 else 0
    return _second(parts, first[:place] + first[place : place + 1] * 2 + first[place + 1 :])


@cheat("subtype", "near_duplicates")
def subtype(parts: Parts, scene: Scene) -> Parts:
    """The first answer again, as a subtype of itself."""
    return _second(parts, f"{scene.random.choice(('acute', 'chronic', 'atypical', 'severe'))} {parts.answers[0]}")


@cheat("look_alike", "near_duplicates")
def look_alike(parts: Parts, scene: Scene) -> Parts:
    """The first answer again, in look-alike letters of another script."""
    return _second(parts, parts.answers[0].translate(_LOOK_ALIKES))


@cheat("qualified", "near_duplicates")
def qualified(parts: Parts, scene: Scene) -> Parts:
    """The first answer again, followed by a remark."""
    return _second(parts, f"{parts.answers[0]} {scene.random.choice(('syndrome', 'disease', '(suspected)', 'type 2'))}")


@cheat("hedge_or", "hedged_answers")
def hedge_or(parts: Parts, scene: Scene) -> Parts:
    """Two names in the first slot, joined by "or"."""
    return _first(parts, f"{parts.answers[0]} or {_other(parts, scene)}")


@cheat("hedge_slash", "hedged_answers")
def hedge_slash(parts: Parts, scene: Scene) -> Parts:
    """Two names in the first slot, joined by a slash."""
    return _first(parts, f"{parts.answers[0]}/{_other(parts, scene)}")


@cheat("hedge_list", "hedged_answers")
def hedge_list(parts: Parts, scene: Scene) -> Parts:
    """Every possible name in the first slot."""
    return _first(parts, ", ".join(scene.names))


@cheat("all_of_the_above", "hedged_answers")
def all_of_the_above(parts: Parts, scene: Scene) -> Parts:
    """The last slot stands for all the others."""
    return with_answers(parts, [*parts.answers[:-1], "all of the above"])


@cheat("question_word", "copied_answers")
def question_word(parts: Parts, scene: Scene) -> Parts:
    """A word of the question as an answer."""
    return _first(parts, scene.random.choice([word for word in words(scene.problem.question.text) if len(word) > 3]))


@cheat("question_phrase", "copied_answers")
def question_phrase(parts: Parts, scene: Scene) -> Parts:
    """A few words of the question as an answer."""
    said = words(scene.problem.question.text)
    start = scene.random.randrange(max(1, len(said) - 3))
    return _first(parts, " ".join(said[start : start + 3]))


@cheat("whole_question", "copied_answers")
def whole_question(parts: Parts, scene: Scene) -> Parts:
    """The whole question as an answer."""
    return _first(parts, scene.problem.question.text)


@cheat("placeholder", "format_answers")
def placeholder(parts: Parts, scene: Scene) -> Parts:
    """The placeholders of the format as answers."""
    return with_answers(parts, [f"candidate {place}" for place, _ in enumerate(parts.answers, start=1)])


@cheat("your_answer", "format_answers")
def your_answer(parts: Parts, scene: Scene) -> Parts:
    """ "your answer" in the first slot."""
    return _first(parts, "your answer")


def _first(parts: Parts, answer: str) -> Parts:
    return with_answers(parts, [answer, *parts.answers[1:]])


def _second(parts: Parts, answer: str) -> Parts:
    return with_answers(parts, [parts.answers[0], answer, *parts.answers[2:]])


def _other(parts: Parts, scene: Scene) -> str:
    return scene.random.choice([name for name in scene.names if name not in parts.answers] or ["something else"])
