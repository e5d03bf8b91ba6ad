from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn.attention.flex_attention import BlockMask, create_mask

from setwise.training import shared_prompt_attention
from setwise.training.shared_prompt_attention import attend, build_block_mask, build_mask, install
from setwise.training.shared_prompt_masks import dense_sight
from setwise.training.shared_prompt_packing import PackedSequence, Row, pack
from tests.training.shared_prompt_cases import VOCABULARY, toy_model

torch.set_num_threads(1)
CPU = torch.device("cpu")
UNFUSED = pytest.mark.filterwarnings("ignore:.*flex_attention called without torch.compile.*")


@pytest.fixture
def packed() -> PackedSequence:
    chance = np.random.default_rng(0)
    prompts = [chance.integers(3, VOCABULARY, length) for length in (150, 90)]
    rows = [Row(prompt, chance.integers(3, VOCABULARY, n)) for prompt in prompts for n in (40, 7, 90)]
    (sequence,) = pack(rows, budget=10_000, multiple=128)
    return sequence


@pytest.fixture
def without_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not every CPU can compile FlexAttention; uncompiled it computes the same, slowly."""
    monkeypatch.setattr(shared_prompt_attention, "_compiled_flex", lambda: shared_prompt_attention._flex)


def test_the_block_mask_is_the_dense_mask(packed: PackedSequence):
    mask = build_block_mask(packed.segments, CPU)
    tokens = packed.segments.tokens
    assert (create_mask(mask.mask_mod, 1, 1, tokens, tokens, "cpu")[0, 0].numpy() == dense_sight(packed.segments)).all()


def test_the_tables_of_the_block_mask_leave_no_visible_block_out(packed: PackedSequence):
    mask = build_block_mask(packed.segments, CPU)
    dense = dense_sight(packed.segments)
    blocks = len(dense) // 128
    visible = dense.reshape(blocks, 128, blocks, 128).any(axis=(1, 3))
    assert (mask.to_dense()[0, 0].bool().numpy() == visible).all()
    assert mask.full_kv_num_blocks is not None
    assert mask.full_kv_num_blocks.sum() > 0


@UNFUSED
@pytest.mark.usefixtures("without_compiler")
def test_flex_attention_agrees_with_the_dense_mask(packed: PackedSequence):
    module = torch.nn.Module()
    module.__dict__["num_key_value_groups"] = 2
    torch.manual_seed(0)
    query, key, value = (torch.randn(1, heads, packed.segments.tokens, 8) for heads in (4, 2, 2))
    dense, _ = attend(module, query, key, value, build_mask(packed.segments, CPU), scaling=0.5)
    flex, _ = attend(module, query, key, value, build_block_mask(packed.segments, CPU), scaling=0.5)
    torch.testing.assert_close(flex, dense)


@UNFUSED
@pytest.mark.usefixtures("without_compiler")
def test_flex_attention_takes_what_rotary_embeddings_leave_under_autocast(packed: PackedSequence):
    query, key, value = (torch.randn(1, 2, packed.segments.tokens, 8) for _ in range(3))
    with torch.autocast("cpu", torch.bfloat16):
        output, _ = attend(torch.nn.Module(), query, key, value.bfloat16(), build_block_mask(packed.segments, CPU))
    assert output.dtype == torch.bfloat16


@UNFUSED
@pytest.mark.usefixtures("without_compiler")
@pytest.mark.parametrize("family", ["llama", "qwen3", "gemma"])
@torch.no_grad()
def test_a_model_with_it_installed_runs_block_masks_and_everything_else_as_before(family: str, packed: PackedSequence):
    model = toy_model(family)
    ids, positions = (torch.from_numpy(column)[None] for column in (packed.token_ids, packed.position_ids))
    plain_before = model(input_ids=ids[:, :9]).logits
    dense = model(input_ids=ids, position_ids=positions, attention_mask=build_mask(packed.segments, CPU)).logits
    install(model)
    mask = build_block_mask(packed.segments, CPU)
    assert isinstance(mask, BlockMask)
    torch.testing.assert_close(model(input_ids=ids, position_ids=positions, attention_mask=mask).logits, dense)
    torch.testing.assert_close(model(input_ids=ids[:, :9]).logits, plain_before)


def test_an_installed_attention_does_not_hinder_generation_and_is_not_saved(tmp_path: Path):
    model = toy_model("llama")
    ids = torch.tensor([[0, 0, 5, 6], [7, 8, 9, 10]])
    mask = (ids != 0).long()
    options = {"attention_mask": mask, "do_sample": False, "max_new_tokens": 6}
    before = model.generate(ids, **options)
    install(model)
    assert (model.generate(ids, **options) == before).all()
    model.save_pretrained(tmp_path)
    assert shared_prompt_attention.ATTENTION not in (tmp_path / "config.json").read_text()
