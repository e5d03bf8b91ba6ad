import pytest

from setwise.calibration import Profile, profile_of
from setwise.objectives import Regime
from tests.calibration.made_up import attempts


@pytest.fixture(scope="session")
def profile() -> Profile:
    return profile_of(attempts(200, 2, seed=11), Regime.EXCLUSIVE, about={"model": "made-up"})
