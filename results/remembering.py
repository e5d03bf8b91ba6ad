"""A matcher that judges each answer to each problem once, however many runs give it."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from setwise.answers import Match
from setwise.matching.code import CodeMatcher
from setwise.questions import Problem


@dataclass
class Remembering:
    """For a code matcher, whose verdict on a program does not depend on the others in its set."""

    matcher: CodeMatcher
    known: dict[tuple[str, str], Match] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.matcher.name

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        new = [answer for answer in dict.fromkeys(answers) if (problem.id, answer) not in self.known]
        if new:
            found = zip(new, self.matcher.match(new, problem), strict=True)
            self.known.update({(problem.id, answer): match for answer, match in found})
        return [self.known[problem.id, answer] for answer in answers]

    def same(self, answers: Sequence[str], problem: Problem) -> list[Hashable]:
        return self.matcher.same(answers, problem)
