"""What happens without the other package: one line, and only when it is really needed."""

import importlib
import subprocess
import sys

import pytest

from setwise.adapters import inspect_ai, skyrl, verifiers
from setwise.adapters.missing import imported
from setwise.errors import MissingDependency

NEEDS = [
    ("setwise.adapters.verifiers", "SetwiseTaskset", "verifiers", "pip install 'setwise[verifiers]'"),
    ("setwise.adapters.skyrl", "SetwiseEnv", "skyrl_gym", "pip install 'setwise[skyrl]'"),
    ("setwise.adapters.nemo_rl", "SetwiseEnvironment", "nemo_rl", "install it as its own documentation says"),
    ("setwise.adapters.skyrl_generator", "SetwiseGenerator", "skyrl", "install it as its own documentation says"),
    ("setwise.adapters.prime_rl", "SetwiseAlgorithm", "prime_rl", "install it as its own documentation says"),
    ("setwise.adapters.open_instruct", "SetwiseVerifier", "open_instruct", "install it as its own documentation says"),
]


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has none of the engines, whatever this one has."""
    for package in ("verifiers", "verifiers.v1", "inspect_ai", "skyrl_gym", "skyrl_gym.envs.base_text_env"):
        monkeypatch.setitem(sys.modules, package, None)
    for made in (verifiers._classes, inspect_ai._made, skyrl._environment):
        made.cache_clear()
    for package in ("nemo_rl", "open_instruct", "skyrl", "prime_rl"):
        monkeypatch.setitem(sys.modules, package, None)


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(("module", "name", "package", "remedy"), NEEDS)
def test_a_missing_engine_is_one_line(module: str, name: str, package: str, remedy: str) -> None:
    with pytest.raises(MissingDependency) as caught:
        getattr(importlib.import_module(module), name)
    assert f"needs {package}" in str(caught.value)
    assert remedy in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("bare")
def test_missing_inspect_is_one_line() -> None:
    from setwise.adapters.inspect_ai import inspect_task

    with pytest.raises(
        MissingDependency, match=r"the inspect adapter needs inspect_ai: pip install 'setwise\[inspect\]'"
    ):
        inspect_task("clinic", limit=1)


def test_a_broken_engine_is_not_called_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    (tmp_path / "half_installed.py").write_text("import what_it_needs")  # pyright: ignore
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ModuleNotFoundError, match="what_it_needs"):
        imported("half_installed", adapter="half", extra="half")


def test_a_name_that_no_adapter_has_is_an_attribute_error() -> None:
    for module, *_ in NEEDS:
        with pytest.raises(AttributeError, match="no attribute Nothing"):
            _ = importlib.import_module(module).Nothing


def test_the_core_imports_no_adapter_and_an_adapter_no_engine() -> None:
    engines = "verl verifiers inspect_ai skyrl_gym skyrl prime_rl ray torch nemo_rl open_instruct pyarrow"
    program = f"""
import sys, setwise, setwise.scoring, setwise.tasks
assert not [name for name in sys.modules if name.startswith("setwise.adapters")]
import setwise.adapters.verl, setwise.adapters.verifiers, setwise.adapters.inspect_ai, setwise.adapters.engines
from setwise.adapters import openrlhf, skyrl, skyrl_generator, slime, nemo_rl, open_instruct, prime_rl, trace_credit
assert not set("{engines}".split()) & set(sys.modules), set("{engines}".split()) & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
