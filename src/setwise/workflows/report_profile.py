"""The profile in a run folder, as a report draws it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from setwise.calibration import Profile
from setwise.calibration.profile import PROFILE
from setwise.calibration.rule import ALPHAS
from setwise.reports.inputs import CurvePoint, ProfileCurves, Promise


def read_profile_curves(folder: Path) -> ProfileCurves | None:
    """None if the run has no profile."""
    if not (folder / PROFILE).is_file():
        return None
    profile = Profile.read(folder / PROFILE)
    done = zip(ALPHAS, *(profile.answered[name] for name in ("answered", "size", "right")), strict=True)
    return ProfileCurves(
        _curves(profile, "before"),
        _curves(profile, "after"),
        [Promise(alpha, *rest) for alpha, *rest in done if profile.reachable(alpha)],
    )


def _curves(profile: Profile, side: str) -> Mapping[str, Sequence[CurvePoint]]:
    return {
        level: [CurvePoint(int(n), confidence, right) for n, confidence, right in curves[side]]
        for level, curves in profile.held_out.curves.items()
    }
