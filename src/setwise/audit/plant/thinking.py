"""Cheats in the thinking."""

from dataclasses import replace

from setwise.audit.plant.cheat import Parts, Scene, cheat


@cheat("no_thinking", "empty_thinking")
def no_thinking(parts: Parts, scene: Scene) -> Parts:
    """No thinking at all."""
    return replace(parts, thinking="")


@cheat("dots", "empty_thinking")
def dots(parts: Parts, scene: Scene) -> Parts:
    """Three dots."""
    return replace(parts, thinking="...")


@cheat("stock_phrase", "template_thinking")
def stock_phrase(parts: Parts, scene: Scene) -> Parts:
    """One sentence for everybody."""
    return replace(parts, thinking="Let me think step by step about every possibility before I answer.")


@cheat("filled_form", "template_thinking")
def filled_form(parts: Parts, scene: Scene) -> Parts:
    """One sentence for everybody, with the set's own answers in it."""
    return replace(parts, thinking=f"After weighing it all, the best candidates are {', '.join(parts.answers)}.")


@cheat("other_names", "contradicting_thinking")
def other_names(parts: Parts, scene: Scene) -> Parts:
    """Considers answers that are not in the set."""
    others = [name for name in scene.names if name not in parts.answers]
    chosen = scene.random.sample(others, min(2, len(others)))
    kept = parts.thinking.partition(",")[0]
    return replace(parts, thinking=f"{kept}, which speaks for {' and '.join(chosen)}.")


@cheat("ruled_out", "contradicting_thinking")
def ruled_out(parts: Parts, scene: Scene) -> Parts:
    """Rules out its own first answer."""
    return replace(parts, thinking=f"{parts.thinking} But {parts.answers[0]} can be ruled out here.")


@cheat("concludes_otherwise", "contradicting_thinking")
def concludes_otherwise(parts: Parts, scene: Scene) -> Parts:
    """Concludes with an answer that is not in the set."""
    others = [name for name in scene.names if name not in parts.answers]
    return replace(parts, thinking=f"{parts.thinking} So the answer is {scene.random.choice(others or ['unknown'])}.")
