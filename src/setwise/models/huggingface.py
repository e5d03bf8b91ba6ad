"""A model of the transformers library, in this process, in batches. A LoRA folder also loads its base model."""

import gc
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from setwise.contract import CONFIDENCE_BEGINS
from setwise.errors import InputError, MissingDependency, ModelError
from setwise.models.local_text import ADAPTER_FILE, end_tokens, in_batches, is_adapter, rendered
from setwise.models.model_path import nearest_folder
from setwise.models.protocol import Completion, Reply, Request
from setwise.models.weight_bars import no_weight_bars

_log = logging.getLogger(__name__)

FEW, MANY = 16, 512


@dataclass
class HuggingFaceModel:
    """A causal language model from a folder or a hub id. The weights load at the first request."""

    path: str
    at_once: int | None = None
    """Completions together; by default `batch_size`."""
    device: str = ""
    """`cuda`, `cpu`, ...; by default, an accelerator if there is one."""

    @property
    def name(self) -> str:
        return f"hf:{self.path}"

    def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """Replies in the order of the requests. A batch that runs out of memory is asked again in halves, and later
        ones are no larger. Each part is drawn with the seed of its first request, like a batch of that size."""
        _transformers()
        for batch in in_batches(requests, self.batch_size):
            size = self.batch_size
            while batch:
                asked = batch[: self.batch_size]
                answers = self._generate_if_it_fits(asked)
                if answers is not None:
                    yield from zip(asked, answers, strict=True)
                    batch = batch[len(asked) :]
                elif len(asked) > 1:
                    self.batch_size = len(asked) // 2
                    _log.warning(
                        "%s: out of memory with %d at once; going on with %d", self.name, len(asked), self.batch_size
                    )
                else:
                    # A server goes on without this request, and the others did fit.
                    self.batch_size = size
                    raise ModelError(f"{self.name}: out of memory with 1 at once; free some, or lower --max-tokens")

    @cached_property
    def tokenizer(self) -> Any:
        transformers = _transformers()
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(_tokenizer_path(self.path), padding_side="left")
        except (OSError, ValueError) as error:
            raise self._unloadable("tokenizer", error) from None
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token
        return tokenizer

    @cached_property
    def model(self) -> Any:
        transformers = _transformers()
        from torch import OutOfMemoryError

        if is_adapter(self.path):
            _require_peft()
        try:
            with no_weight_bars():
                model = transformers.AutoModelForCausalLM.from_pretrained(self.path, dtype="auto")
        except (OSError, ValueError) as error:
            raise self._unloadable("model", error) from None
        try:
            return model.to(self._placed).eval()
        except OutOfMemoryError:
            raise ModelError(f"{self.name}: out of memory while its weights were loaded") from None

    @cached_property
    def batch_size(self) -> int:
        """As many completions together as told; else few, or many on a GPU where equal prompts are read once.
        Fewer after they ran out of memory."""
        from setwise.models.shared_prompt.support import why_not

        return self.at_once or (FEW if self._placed == "cpu" or why_not(self.model) else MANY)

    @property
    def _placed(self) -> str:
        _transformers()
        import torch

        return self.device or ("cuda" if torch.cuda.is_available() else "cpu")

    def _unloadable(self, what: str, error: Exception) -> InputError:
        rule = f"no {what} can be loaded ({_first_line(error)})"
        return InputError(rule, place=self.name, remedy="" if Path(self.path).is_dir() else nearest_folder(self.path))

    def _generate_if_it_fits(self, batch: Sequence[Request]) -> list[Completion] | None:
        """None if it runs out of memory; what the try held is free again."""
        import torch

        try:
            return self._generate(batch)
        except torch.OutOfMemoryError:
            pass
        # Not above, where the error still holds the batch. The decoder keeps room for the largest batch so far.
        vars(self).pop("_decoder", None)
        gc.collect()
        torch.cuda.empty_cache()
        return None

    def _generate(self, batch: Sequence[Request]) -> list[Completion]:
        import torch

        from setwise.models.shared_prompt.support import why_not

        texts = [rendered(request, self.tokenizer, self.path) for request in batch]
        if batch[0].seed is not None:
            torch.manual_seed(batch[0].seed)
        return self._by_library(batch, texts) if why_not(self.model) else self._by_groups(batch, texts)

    def _by_groups(self, batch: Sequence[Request], texts: Sequence[str]) -> list[Completion]:
        """Runs equal prompts once."""
        from setwise.models.shared_prompt.completions import SampleLimits
        from setwise.models.shared_prompt.drawing import TokenDrawing

        first = batch[0]
        prompts = self.tokenizer(list(texts), add_special_tokens=False)["input_ids"]
        limits = SampleLimits(
            first.sampling.max_tokens,
            ended=_ends_at(first.sampling.stop, self.tokenizer),
            first=self._number_tokens if first.number else None,
        )
        drawing = TokenDrawing(first.sampling.temperature, first.sampling.top_p)
        drawn = self._decoder.one_each(prompts, drawing, limits)
        return [
            self._completion(own.ids, len(prompt), first.sampling.stop)
            for own, prompt in zip(drawn, prompts, strict=True)
        ]

    def _by_library(self, batch: Sequence[Request], texts: Sequence[str]) -> list[Completion]:
        import torch

        tokenizer, model = self.tokenizer, self.model
        inputs = tokenizer(list(texts), return_tensors="pt", padding=True, add_special_tokens=False).to(model.device)
        width = inputs["input_ids"].shape[1]
        with torch.inference_mode():
            output = model.generate(
                input_ids=inputs["input_ids"],
                attention_mask=inputs["attention_mask"],
                generation_config=self._settings(batch[0]),
                stopping_criteria=_stop_at(batch[0].sampling.stop, tokenizer, width),
                logits_processor=[self._number_first(width)] if batch[0].number else [],
            )
        added = output[:, width:].tolist()
        prompts = inputs["attention_mask"].sum(dim=1).tolist()
        return [self._completion(ids, n, batch[0].sampling.stop) for ids, n in zip(added, prompts, strict=True)]

    def _settings(self, request: Request) -> Any:
        sampling = request.sampling
        drawn = {"do_sample": True, "temperature": sampling.temperature, "top_p": sampling.top_p, "top_k": 0}
        return _transformers().GenerationConfig(
            max_new_tokens=sampling.max_tokens,
            eos_token_id=self._end_tokens or None,
            pad_token_id=self.tokenizer.pad_token_id,
            **(drawn if sampling.temperature > 0 else {"do_sample": False}),
        )

    def _number_first(self, prompt_width: int) -> Callable[[Any, Any], Any]:
        """Forbids every first token that does not begin a number."""

        def masked(input_ids: Any, scores: Any) -> Any:
            if input_ids.shape[1] > prompt_width:
                return scores
            return scores.masked_fill(~self._number_tokens.to(scores.device), -float("inf"))

        return masked

    @cached_property
    def _number_tokens(self) -> Any:
        import torch

        width = self.model.get_output_embeddings().weight.shape[0]
        texts = self.tokenizer.batch_decode([[token] for token in range(width)])
        return torch.tensor([CONFIDENCE_BEGINS.fullmatch(text.strip()) is not None for text in texts])

    @cached_property
    def _end_tokens(self) -> list[int]:
        return end_tokens(self.model, self.tokenizer)

    @cached_property
    def _decoder(self) -> Any:
        from setwise.models.shared_prompt.decoder import GroupDecoder

        return GroupDecoder(self.model, self._end_tokens)

    def _completion(self, ids: list[int], prompt_tokens: int, stop: tuple[str, ...]) -> Completion:
        end = next((i for i, token in enumerate(ids) if token in self._end_tokens), None)
        kept = ids if end is None else ids[:end]
        while end is None and kept and kept[-1] == self.tokenizer.pad_token_id:
            kept = kept[:-1]
        text = self.tokenizer.decode(kept, skip_special_tokens=True)
        stopped = end is not None
        for word in stop:
            before, found, _ = text.partition(word)
            text, stopped = before, stopped or bool(found)
        used = len(kept) + (end is not None)
        return Completion(text, "stop" if stopped else "length", used, prompt_tokens)


def _ends_at(words: Sequence[str], tokenizer: Any) -> Callable[[Any], Any] | None:
    """Whether rows of tokens contain one of the words."""
    if not words:
        return None
    import numpy as np

    tail = max(map(len, words)) + 1

    def ended(ids: Any) -> Any:
        texts = tokenizer.batch_decode(ids[:, -tail:], skip_special_tokens=True)
        return np.array([any(word in text for word in words) for text in texts])

    return ended


def _stop_at(words: Sequence[str], tokenizer: Any, prompt_width: int) -> list[Any]:
    """Ends a row at a word. The library's own stop strings fail with some tokenizers, such as word-level ones."""
    ended = _ends_at(words, tokenizer)
    if ended is None:
        return []
    import torch

    def found(input_ids: Any, scores: Any, **_: Any) -> Any:
        return torch.from_numpy(ended(input_ids[:, prompt_width:])).to(input_ids.device)

    return [found]


def _transformers() -> Any:
    try:
        import torch  # noqa: F401
        import transformers
    except ImportError:
        raise MissingDependency("a hf: model", package="torch and transformers", extra="hf") from None
    return transformers


def _require_peft() -> None:
    try:
        import peft  # noqa: F401
    except ImportError:
        raise MissingDependency("a LoRA folder", package="peft", extra="hf") from None


def _tokenizer_path(path: str) -> str:
    """The folder itself, or the base model of an adapter that was saved without a tokenizer."""
    if not is_adapter(path) or (Path(path) / "tokenizer_config.json").is_file():
        return path
    return json.loads((Path(path) / ADAPTER_FILE).read_text(encoding="utf-8"))["base_model_name_or_path"]


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
