"""Every row of the real files loads, or is left out by a named, counted rule."""

from hashlib import sha256

import pytest

from setwise.tasks import load_task
from setwise.tasks.ddxplus_tables import load_tables, render
from tests.tasks.made_up import real

APPENDIX_CODES = (
    "E_45 E_53 E_54_@_V_179 E_55_@_V_29 E_55_@_V_170 E_55_@_V_171 E_56_@_5 E_57_@_V_123 E_58_@_6 E_59_@_5 E_66 E_91 "
    "E_94 E_129 E_130_@_V_156 E_131_@_V_12 E_132_@_1 E_133_@_V_42 E_134_@_0 E_135_@_V_10 E_136_@_0 E_144 E_175 E_201 "
    "E_78 E_106 E_123 E_204_@_V_10 E_208"
)
APPENDIX_LINES = [
    "Demographics: Age: 61, Sex: M",
    "  1. Symptom: Have you been coughing up blood? -> Yes",
    "  3. Symptom: Characterize your pain:: a knife stroke",
    "  5. Symptom: Do you feel pain somewhere?: posterior chest wall(R)",
    "  16. Symptom: Do your lesions peel off?: Y",
    "  4. Antecedent: Have you traveled out of the country in the last 4 weeks?: N",
]
APPENDIX_SHA256 = "2165fcb89718f08f1ee8ac17c76ccb6065d977c1c68061f59f28f4b91f701010"


def test_the_appendix_example_is_rendered_to_the_letter():
    folder = real("ddxplus")
    tables = load_tables(folder / "release_evidences.json", folder / "release_conditions.json")
    text = render(61, "M", APPENDIX_CODES.split(), tables)
    lines = text.split("\n")
    assert [line for line in APPENDIX_LINES if line not in lines] == []
    assert sha256(text.encode()).hexdigest() == APPENDIX_SHA256


@pytest.mark.parametrize(
    ("name", "rows"),
    [("train", 2109), ("validate", 588), ("test", 500), ("train_short_differentials", 15301)],
)
def test_every_patient_loads(name: str, rows: int):
    task = load_task("ddxplus", path=real("ddxplus") / f"{name}.csv")
    assert sum(1 for _ in task) == rows
    assert not task.left_out
    assert len(task.answer_names) == 49


def test_a_minimum_probability_leaves_out_by_name():
    task = load_task("ddxplus", path=real("ddxplus"), split="test", min_probability=0.3)
    assert sum(1 for _ in task) + task.left_out["no diagnosis reaches min_probability"] == 500


@pytest.mark.parametrize("policy", ["paper", "rlcr"])
@pytest.mark.parametrize(("split", "rows", "left_out"), [("train", 1685, 11), ("test", 500, 2)])
def test_every_question_loads_or_lacks_ten_paragraphs(split: str, rows: int, left_out: int, policy: str):
    task = load_task("hotpotqa-modified", path=real("hotpotqa"), split=split, policy=policy)
    kept = {len(problem.question.text.split("\n\n")) - 2: problem for problem in task}
    assert set(kept) == ({8, 9} if policy == "paper" else {8})
    assert task.left_out == {"not 10 paragraphs": left_out}
    assert sum(1 for _ in task) == rows - left_out


@pytest.mark.parametrize(
    ("version", "counts"), [("full", (974, 374, 90, 500, 10)), ("sanitized", (427, 120, 43, 257, 7))]
)
def test_every_program_loads_in_its_official_split(version: str, counts: tuple[int, ...]):
    splits = ("all", "train", "validation", "test", "prompt")
    tasks = [load_task("mbpp", path=real("mbpp"), split=split, version=version) for split in splits]
    assert tuple(sum(1 for _ in task) for task in tasks) == counts
    assert not any("\r" in text for p in tasks[0] for text in (p.question.text, p.reference, p.setup, *p.tests))
