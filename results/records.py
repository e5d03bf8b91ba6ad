"""Records of published runs, small enough to commit and without the rows of the datasets.

    python results/records.py pack runs/ddxplus results/ddxplus-seed0.tar.xz     # the folder that table.sh filled
    python results/records.py unpack results/ddxplus-seed0.tar.xz runs/published/ddxplus-seed0

An archive has the config, all completions with their problems' ids, the judged sets and the metrics of every
evaluation, and the settings, log and alarms of every training run. Questions and golds stay with their datasets, and
the seed of a completion is left out: it follows from the run's (`setwise.evaluation.generation.request_seed`).
"""

import io
import json
import lzma
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

EVALUATED = ("config.json", "metrics.json", "scores.jsonl", "samples.jsonl")
TRAINED = ("config.yaml", "log.jsonl", "alarms.jsonl")


def pack(folder: Path, archive: Path, preset: int = 9 | lzma.PRESET_EXTREME) -> None:
    """The same folder gives the same bytes. An older archive stays until the new one is whole."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    draft = archive.with_name(f"{archive.name}.part")
    try:
        with lzma.open(draft, "w", preset=preset) as packed, tarfile.open(fileobj=packed, mode="w") as out:
            for kind, names in (("eval", EVALUATED), ("train", TRAINED)):
                for run in sorted((folder / kind).glob("*")):
                    for name in names:
                        if (run / name).is_file():
                            _add(out, f"{kind}/{run.name}/{name}", run / name)
        draft.replace(archive)
    finally:
        draft.unlink(missing_ok=True)


def unpack(archive: Path, folder: Path) -> None:
    with tarfile.open(archive, "r:xz") as packed:
        packed.extractall(folder, filter="data")


def _add(out: tarfile.TarFile, name: str, path: Path) -> None:
    content = "".join(_without_rows(path)).encode() if path.name == "samples.jsonl" else path.read_bytes()
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    out.addfile(entry, io.BytesIO(content))


def _without_rows(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            record.pop("seed", None)
            yield json.dumps({**record, "problem": {"id": record["problem"]["id"]}}) + "\n"


def main(arguments: list[str]) -> int:
    match arguments:
        case ["pack", folder, archive]:
            pack(Path(folder), Path(archive))
        case ["unpack", archive, folder]:
            unpack(Path(archive), Path(folder))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
