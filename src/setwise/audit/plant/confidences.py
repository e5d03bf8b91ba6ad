"""Cheats in the confidences."""

from dataclasses import replace

from setwise.audit.plant.cheat import Parts, Scene, cheat


@cheat("one_number", "constant_confidences", needs_confidences=True)
def one_number(parts: Parts, scene: Scene) -> Parts:
    """The same number for every answer of everybody."""
    return replace(parts, confidences=(0.3,) * len(parts.answers))


@cheat("by_rank", "constant_confidences", needs_confidences=True)
def by_rank(parts: Parts, scene: Scene) -> Parts:
    """A fixed number for each place, whatever is asked."""
    return replace(parts, confidences=tuple(round(0.5 / 2**place, 2) for place, _ in enumerate(parts.answers)))


@cheat("by_rank_with_noise", "constant_confidences", needs_confidences=True)
def by_rank_with_noise(parts: Parts, scene: Scene) -> Parts:
    """A fixed number for each place, slightly blurred."""
    blurred = (0.5 / 2**place + scene.random.gauss(0, 0.01) for place, _ in enumerate(parts.answers))
    return replace(parts, confidences=tuple(round(q, 2) for q in blurred))


@cheat("stock_of_three", "constant_confidences", needs_confidences=True)
def stock_of_three(parts: Parts, scene: Scene) -> Parts:
    """One of three fixed claims, drawn at random."""
    first = scene.random.choice((0.7, 0.6, 0.4))
    rest = round((0.95 - first) / max(1, len(parts.answers) - 1), 2)
    return replace(parts, confidences=(first, *(rest for _ in parts.answers[1:])))


@cheat("shared_out", "sums_of_one", needs_confidences=True)
def shared_out(parts: Parts, scene: Scene) -> Parts:
    """Scaled so that they sum to exactly 1."""
    total = sum(parts.confidences) or 1.0
    cents = [round(100 * q / total) for q in parts.confidences]
    cents[0] += 100 - sum(cents)
    return replace(parts, confidences=tuple(max(0, cent) / 100 for cent in cents))


@cheat("shuffled", "disordered_confidences", needs_confidences=True)
def shuffled(parts: Parts, scene: Scene) -> Parts:
    """The honest numbers, assigned to the answers at random."""
    return replace(parts, confidences=tuple(scene.random.sample(parts.confidences, len(parts.confidences))))


@cheat("reversed", "disordered_confidences", needs_confidences=True)
def reversed_order(parts: Parts, scene: Scene) -> Parts:
    """The honest numbers in reverse, the highest last."""
    return replace(parts, confidences=parts.confidences[::-1])


@cheat("sure_of_it", "constant_confidences", needs_confidences=True)
def sure_of_it(parts: Parts, scene: Scene) -> Parts:
    """Everything on the first answer, whatever is asked."""
    return replace(parts, confidences=(0.98, *(0.01 for _ in parts.answers[1:])))
