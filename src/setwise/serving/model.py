"""A model that answers with sets, ready to be asked: `setwise.load(FOLDER).ask(question)`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING

from setwise.errors import InputError
from setwise.models import Completion, Model, Request, folder_of, is_served, open_model
from setwise.questions import Question
from setwise.records.run import JUDGE
from setwise.serving.answers import Answered
from setwise.serving.asking import DRAWN, Asking, Choices, how_to_ask, spec_of_folder
from setwise.serving.reading import Reader
from setwise.serving.scripts import script_by_text

if TYPE_CHECKING:
    from setwise.calibration import Profile

MOST_JOINED = 64
SCRIPTED = "scripted:"


@dataclass(frozen=True, slots=True)
class AnswerSetModel:
    """A model, how it is asked, and what is known about its confidences."""

    model: Model
    spec: str
    asking: Asking
    profile: "Profile | None" = None

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def short_name(self) -> str:
        """The default name: of its run, its file or its upstream model."""
        place = Path(folder_of(self.spec))
        if is_served(self.spec):
            return str(place)
        inner = place.name == "model" or place.name.startswith("checkpoint-")
        run = place.parent.parent if place.parent.name == "checkpoints" else place.parent
        return (run.name if inner else place.stem if place.is_file() else place.name) or self.name

    @property
    def k(self) -> int:
        return self.asking.objective.k

    @property
    def reader(self) -> Reader:
        return Reader(self.asking, self.profile)

    def ask(
        self, question: str, *, samples: int | None = None, alpha: float | None = None, seed: int | None = None
    ) -> Answered:
        """The ranked answers to one question.

        `samples` completions are merged into one set; the default is the number the profile was learned from, or 1.
        With `alpha`, the decision keeps the fewest answers that include a right one with probability 1 - alpha.
        """
        [answered] = self.ask_all([question], samples=samples, alpha=alpha, seed=seed)
        return answered

    def ask_all(
        self,
        questions: Iterable[str],
        *,
        samples: int | None = None,
        alpha: float | None = None,
        seed: int | None = None,
    ) -> Iterator[Answered]:
        """The answers to many questions in order, each as soon as it and those before it are ready."""
        drawn_each = self.reader.samples if samples is None else samples
        require_samples(drawn_each)
        self.reader.require_profile(alpha)
        return self._asked(questions, drawn_each, alpha, seed)

    def _asked(
        self, questions: Iterable[str], samples: int, alpha: float | None, seed: int | None
    ) -> Iterator[Answered]:
        to_ask, to_answer = tee(questions)
        places: dict[int, tuple[int, int]] = {}
        drawn: dict[tuple[int, int], Completion] = {}

        def requests() -> Iterator[Request]:
            for place, question in enumerate(to_ask):
                for sample in range(samples):
                    request = self.request(question, sample, None if seed is None else seed + place * samples + sample)
                    places[id(request)] = (place, sample)
                    yield request

        replies = self.model.complete(requests())
        for place, question in enumerate(to_answer):
            wanted = [(place, sample) for sample in range(samples)]
            while not all(each in drawn for each in wanted):
                request, said = next(replies)
                if not isinstance(said, Completion):
                    raise said
                drawn[places.pop(id(request))] = said
            yield self.reader.read(question, [drawn.pop(each) for each in wanted], alpha)

    def request(self, question: str, sample: int = 0, seed: int | None = None) -> Request:
        """One completion to ask for, asked as the model was trained."""
        return Request(
            messages=self.asking.messages(question),
            sampling=self.asking.sampling,
            seed=seed,
            question=Question(question, question),
            sample=sample,
            template_options=self.asking.template_options,
        )


def load(
    model: str | Path,
    profile: "Profile | str | Path | None" = None,
    *,
    choices: Choices | None = None,
    at_once: int | None = None,
    timeout_seconds: float | None = None,
) -> AnswerSetModel:
    """Load a model to ask, from a run folder, a model folder or a spec such as `openai:NAME@URL`.

    The prompt and K are those it was trained with; without a manifest, `choices` give them. With a `profile`, or a file
    of one from `setwise calibrate`, answers carry calibrated confidences and decisions. `at_once` is the number of
    requests in flight or the batch size; `timeout_seconds` limits one completion from a server.
    """
    spec = spec_of_folder(str(model))
    known = _profile(profile)
    if known is None:
        asking = how_to_ask(spec, choices or Choices())
    else:
        asking = how_to_ask(spec, _as_for_the_profile(choices or Choices(), known), known.regime)
        _require_its_own(known, spec, asking)
    if spec.startswith(SCRIPTED):
        opened: Model = script_by_text(spec.removeprefix(SCRIPTED))
    else:
        opened = open_model(spec, at_once=at_once, timeout_seconds=timeout_seconds)
    return AnswerSetModel(opened, spec, asking, known)


def require_samples(samples: int, place: object = "") -> None:
    if isinstance(samples, bool) or not isinstance(samples, int) or not 1 <= samples <= MOST_JOINED:
        raise InputError(f"samples must be a whole number from 1 to {MOST_JOINED}", place=place, value=samples)


def _as_for_the_profile(choices: Choices, profile: "Profile") -> Choices:
    """What the user leaves open follows the profile's run: how completions are sampled, and how they are merged.

    If a model judged that run, it is not asked again.
    """
    known = {name: value for name, value in profile.sampling.items() if name in DRAWN}
    matcher = profile.about.get("matcher")
    if isinstance(matcher, str) and matcher.partition(":")[0] != JUDGE:
        known["matcher"] = matcher
    return replace(choices, **{name: value for name, value in known.items() if getattr(choices, name) is None})


def _require_its_own(profile: "Profile", spec: str, asking: Asking) -> None:
    """Refuse a profile whose promise is about another model, as far as can be told: a model may have been moved since,
    or be served under another name."""
    learned_from, regime = str(profile.about.get("model", "")), asking.objective.regime
    places = [place for place in (folder_of(learned_from), folder_of(spec)) if place and Path(place).is_dir()]
    if len({Path(place).resolve() for place in places}) == 2:
        remedy = f"learn one from a run of {spec} with setwise calibrate"
        raise InputError("this profile belongs to another model", place="profile", value=learned_from, remedy=remedy)
    if profile.regime is not regime:
        rule = f"this profile is of answers in regime {profile.regime}, and the model is asked in regime {regime}"
        remedy = f"ask with --regime {profile.regime}, or learn one from a run of this model with setwise calibrate"
        raise InputError(rule, place="profile", remedy=remedy)


def _profile(profile: "Profile | str | Path | None") -> "Profile | None":
    if not isinstance(profile, str | Path):
        return profile
    from setwise.calibration import Profile

    return Profile.read(profile)
