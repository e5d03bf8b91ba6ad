"""Colours by name, for light and dark. The series colours are those of Okabe and Ito, which readers with any colour
vision can tell apart; black, yellow and the dark blue are adjusted for contrast with the background."""

LIGHT = {
    "paper": "#ffffff",
    "ink": "#1f2328",
    "muted": "#5c636b",
    "grid": "#e3e6ea",
    "band": "#c9ced6",
    "orange": "#e69f00",
    "sky": "#56b4e9",
    "green": "#009e73",
    "yellow": "#c7a600",
    "blue": "#0072b2",
    "vermillion": "#d55e00",
    "purple": "#cc79a7",
    "grey": "#7a7f87",
}
DARK = {
    **LIGHT,
    "paper": "#16191d",
    "ink": "#e6e8eb",
    "muted": "#9aa2ab",
    "grid": "#2c3138",
    "band": "#454c55",
    "yellow": "#f0e442",
    "blue": "#4a9fe0",
    "vermillion": "#f07b2e",
    "green": "#2cc49a",
    "grey": "#a3a9b1",
}

METHOD_COLOURS = {
    "rlvr-single": "orange",
    "rlvr-single-prompted-multi": "purple",
    "rlvr-zero-shot": "grey",
    "rlvr-multi": "vermillion",
    "rlcr-single": "sky",
    "rlcr-single-prompted-multi": "green",
    "rlcr-zero-shot": "yellow",
    "rlcr-multi": "blue",
}
SERIES = ("blue", "vermillion", "green", "purple", "orange", "sky", "yellow", "grey")


def css_variables(colours: dict[str, str]) -> str:
    return "".join(f"--{name}:{value};" for name, value in colours.items())
