"""Checks whether a task is fit to train on: every gold earns its point through `score`, and nothing is empty or
duplicated.

All golds of a problem are written into one completion and scored by the one pipeline. A gold that earns nothing there
could never be learned. Two golds that count as one answer cannot both be in a set; scored separately, each would pass.
Code has no golds; its reference solution must pass.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from setwise.answers import Rule
from setwise.errors import InputError, MissingDependency
from setwise.matching.protocol import let_go_after
from setwise.objectives import MOST_K, PAPER_K, Objective
from setwise.prompting import messages
from setwise.questions import Problem
from setwise.scoring import Score, score_batch
from setwise.tasks import Task
from setwise.workflows.blind_guess import BlindGuess, BlindSearch, write_completion

BATCH = 256
COMPLAINTS_KEPT = 20
CHARACTERS_A_TOKEN = 4

CountTokens = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Lengths:
    """Lengths of some texts, in tokens."""

    mean: float
    median: int
    p95: int
    longest: int

    @classmethod
    def of(cls, counts: Sequence[int]) -> "Lengths":
        """
        >>> Lengths.of([1, 2, 3, 10])
        Lengths(mean=4.0, median=2, p95=10, longest=10)
        """
        ordered = sorted(counts)
        median, p95 = (ordered[max(0, -(-len(ordered) * percent // 100) - 1)] for percent in (50, 95))
        return cls(fmean(ordered), median, p95, ordered[-1])


@dataclass(frozen=True, slots=True)
class DataReport:
    """What a check found."""

    task: str
    problems: int
    golds: int
    blind_guess: BlindGuess | None
    """The best K answers to give every problem; None without golds."""
    left_out: Counter[str]
    complaints: tuple[str, ...]
    """The first ones; `n_complaints` counts all."""
    n_complaints: int
    prompt_lengths: Lengths
    answer_lengths: Lengths
    lengths_are_estimates: bool

    @property
    def passed(self) -> bool:
        return self.n_complaints == 0


def check_task(
    task: Task,
    *,
    k: int = PAPER_K,
    count_tokens: CountTokens | None = None,
    on_progress: Callable[[int], None] = lambda done: None,
) -> DataReport:
    """Read the whole task once and check every problem."""
    asked, search = Objective("rlcr-multi", k, regime=task.regime), BlindSearch(task.matcher, task.regime)
    check = _Check(task, asked, count_tokens or estimate_tokens, search)
    with let_go_after(task.matcher):
        for done, problem in enumerate(task, start=1):
            check.add(problem)
            on_progress(done)
        check.score_all()
        if not check.prompts:
            raise InputError("the task has no problems", place=task.name, value=dict(task.left_out))
        blind_guess = search.guess(k)
    return DataReport(
        task=task.name,
        problems=len(check.prompts),
        golds=check.golds,
        blind_guess=blind_guess,
        left_out=Counter(task.left_out),
        complaints=tuple(check.complaints[:COMPLAINTS_KEPT]),
        n_complaints=len(check.complaints),
        prompt_lengths=Lengths.of(check.prompts),
        answer_lengths=Lengths.of(check.answers or [0]),
        lengths_are_estimates=count_tokens is None,
    )


@dataclass(slots=True)
class _Check:
    """A check in progress."""

    task: Task
    asked: Objective
    count: CountTokens
    search: BlindSearch
    ids: set[str] = field(default_factory=set)
    golds: int = 0
    complaints: list[str] = field(default_factory=list)
    prompts: list[int] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    waiting: dict[int, list[tuple[Problem, Sequence[str]]]] = field(default_factory=lambda: defaultdict(list))
    """Answer sets still to be scored, by size."""

    def add(self, problem: Problem) -> None:
        self.complaints += _complaints_about(problem, self.ids)
        self.ids.add(problem.id)
        chat = messages(problem.question, self.asked, instruction=self.task.instruction)
        self.prompts.append(sum(self.count(message["content"]) for message in chat))
        self.golds += len(problem.golds or ())
        self.search.add(problem)
        answers = _right_answers(problem)
        self.answers += map(self.count, answers)
        for start in range(0, len(answers), MOST_K):  # the most that a completion may contain
            part = answers[start : start + MOST_K]
            self.waiting[len(part)].append((problem, part))
            if len(self.waiting[len(part)]) >= BATCH:
                self.score_sets_of(len(part))

    def score_all(self) -> None:
        for size in list(self.waiting):
            self.score_sets_of(size)

    def score_sets_of(self, size: int) -> None:
        sets = self.waiting.pop(size)
        objective = Objective("rlvr-multi", size, regime=self.task.regime)
        scores = score_batch(
            [write_completion(answers, objective) for _, answers in sets],
            [problem for problem, _ in sets],
            objective,
            matcher=self.task.matcher,
        )
        self.complaints += [
            f"{problem.id}: {_fault(score, answers)}"
            for (problem, answers), score in zip(sets, scores, strict=True)
            if score.terms.get("correctness") != size
        ]


def estimate_tokens(text: str) -> int:
    """An estimate for when no tokenizer is given: about four characters per token in English."""
    return -(-len(text) // CHARACTERS_A_TOKEN)


def read_tokenizer(path: str) -> CountTokens:
    """Counts with the tokenizer of a model folder, a `tokenizer.json`, or a model's hub id."""
    given = Path(path)
    file = given / "tokenizer.json" if given.is_dir() else given
    if file.is_file():
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise MissingDependency("counting tokens", package="tokenizers", extra="train") from None
        try:
            tokenizer = Tokenizer.from_file(str(file))
        except Exception as error:  # its exceptions have no narrower type
            raise _no_tokenizer(path, error) from None
        return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)
    try:
        from transformers import AutoTokenizer
    except ImportError:
        raise MissingDependency("counting tokens", package="transformers", extra="train") from None
    try:
        loaded = AutoTokenizer.from_pretrained(path)
    except (OSError, ValueError) as error:
        raise _no_tokenizer(path, error) from None
    return lambda text: len(loaded.encode(text, add_special_tokens=False))


def _no_tokenizer(path: str, error: Exception) -> InputError:
    return InputError("no tokenizer can be read there", place=path, value=str(error).partition("\n")[0])


def _complaints_about(problem: Problem, seen: set[str]) -> Iterator[str]:
    if problem.id in seen:
        yield f"{problem.id}: another problem has this id"
    if not problem.question.text.strip():
        yield f"{problem.id}: the question is empty"
    if problem.golds is None and not problem.reference.strip():
        yield f"{problem.id}: a code problem without a reference solution cannot be checked"


def _right_answers(problem: Problem) -> list[str]:
    if problem.golds is None:
        return [problem.reference] if problem.reference.strip() else []
    return [gold.text for gold in problem.golds]


def _fault(score: Score, answers: Sequence[str]) -> str:
    """Why a set of right answers earns less than all of them."""
    if score.violated is Rule.DUPLICATES:
        alike: dict[Hashable, list[str]] = defaultdict(list)
        for answer, form in zip(answers, score.forms, strict=True):
            alike[form].append(repr(answer))
        doubled = ", ".join(" = ".join(spellings) for spellings in alike.values() if len(spellings) > 1)
        return f"golds that count as one answer: {doubled}; make one an alias of the other"
    wrong = [answer for answer, right in zip(answers, score.labels, strict=False) if not right]
    return f"nothing is earned by {wrong or list(answers)}{_why(score)}"


def _why(score: Score) -> str:
    evidence = "; ".join(match.evidence for match in score.matches if not match.correct and match.evidence)
    reason = score.error or score.malformed or score.violated or evidence
    return f" ({reason})" if reason else ""
