"""vLLM's offline engine: the samples of one prompt are drawn together, and its prefix is computed once."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from setwise.contract import CONFIDENCE_BEFORE_A_TAG
from setwise.errors import MissingDependency
from setwise.models.local_text import ADAPTER_FILE, in_batches, is_adapter, rendered
from setwise.models.protocol import Completion, Reply, Request

LARGEST_LORA_RANK = 512


@dataclass
class VLLMModel:
    """A model from a folder or a hub id, in this process. The engine starts at the first request."""

    path: str
    batch_size: int = 2048
    """Completions asked for at a time; a killed run can lose this many."""
    cache_gb: float | None = None
    """Size of the cache, for a GPU that other programs use too. By default, vLLM takes nearly all memory."""
    seed: int = field(default=0, init=False)
    """The first request's seed, used for all: with separate seeds vLLM samples each request by itself, which is slow
    and fails on a CPU. A resumed run begins with another request, so it does not draw the same samples again."""

    @property
    def name(self) -> str:
        return f"vllm:{self.path}"

    def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
        for batch in in_batches(requests, self.batch_size):
            if "engine" not in vars(self):
                self.seed = batch[0].seed or 0
            groups = [list(group) for _, group in groupby(batch, key=lambda each: (each.messages, each.prefix))]
            yield from self._generate(groups)

    def _generate(self, groups: Sequence[Sequence[Request]]) -> Iterator[Reply]:
        tokenizer = self.engine.get_tokenizer()
        prompts = [rendered(group[0], tokenizer, self.path) for group in groups]
        outputs = self.engine.generate(
            prompts, [self._settings(group) for group in groups], lora_request=self._adapter, use_tqdm=False
        )
        for group, output in zip(groups, outputs, strict=True):
            for request, drawn in zip(group, output.outputs, strict=True):
                used = len(drawn.token_ids)
                yield request, Completion(drawn.text, drawn.finish_reason, used, len(output.prompt_token_ids))

    @cached_property
    def engine(self) -> Any:
        vllm = _vllm()
        options = {"enable_prefix_caching": True, "seed": self.seed, **cache_options(self.cache_gb)}
        if not is_adapter(self.path):
            return vllm.LLM(model=self.path, **options)
        config = json.loads((Path(self.path) / ADAPTER_FILE).read_text(encoding="utf-8"))
        rank = min(LARGEST_LORA_RANK, 1 << max(3, (int(config["r"]) - 1).bit_length()))
        base = config["base_model_name_or_path"]
        return vllm.LLM(model=base, enable_lora=True, max_lora_rank=rank, **options)

    @cached_property
    def _adapter(self) -> Any:
        if not is_adapter(self.path):
            return None
        from vllm.lora.request import LoRARequest  # pyright: ignore[reportMissingImports]

        return LoRARequest("adapter", 1, self.path)

    def _settings(self, group: Sequence[Request]) -> Any:
        sampling = group[0].sampling
        limits = {}
        if group[0].number:
            from vllm.sampling_params import StructuredOutputsParams  # pyright: ignore[reportMissingImports]

            limits["structured_outputs"] = StructuredOutputsParams(regex=CONFIDENCE_BEFORE_A_TAG)
        return _vllm().SamplingParams(
            n=len(group),
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            max_tokens=sampling.max_tokens,
            stop=list(sampling.stop) or None,
            **limits,
        )


def cache_options(gigabytes: float | None) -> dict[str, Any]:
    """Options for `vllm.LLM` that fix the size of the cache. The memory share is then only what must be free at the
    start."""
    if gigabytes is None:
        return {}
    return {"kv_cache_memory_bytes": round(gigabytes * 1e9), "gpu_memory_utilization": 0.05}


def _vllm() -> Any:
    try:
        import vllm  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise MissingDependency("a vllm: model", package="vllm", extra="vllm") from None
    return vllm
