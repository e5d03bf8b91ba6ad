"""Which base model the runs of a report began with, by name."""

from setwise.models import folder_of
from setwise.records.manifest import Manifest


def base_model(spec: str) -> str:
    """The base model of a spec such as `hf:PATH`; empty for a trained model whose folder is not here.

    >>> base_model("vllm:Qwen/Qwen3-8B"), base_model("hf:runs/gone/model")
    ('Qwen/Qwen3-8B', '')
    """
    name = folder_of(spec) or spec
    passed: set[str] = set()
    while name not in passed and (manifest := Manifest.read(name)) is not None and manifest.base_model:
        passed.add(name)
        name = manifest.base_model
    trained = name.endswith("/model") or "/checkpoint-" in name
    return "" if trained and not passed else name
