"""Unsloth's GRPO, for `step.py`. It is imported before TRL, transformers and PEFT, which it rewrites."""

import os
import sys
from importlib import import_module
from typing import Any

LONGEST_SEQUENCE = 4_096
"""It asks in advance."""
LINEAR_LAYERS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def unsloth_trainer(job: Any) -> Any:
    """Unsloth's GRPO with our reward and its documented settings for adapters on 16-bit weights.

    Three settings differ from its examples. AdamW is PyTorch's, as in the other ways, because the 8-bit one needs
    bitsandbytes and adapters leave it little to do. Activations are kept rather than recomputed, also as in the other
    ways. And vLLM may run all completions at once, where unsloth would choose fewer for the memory that it gets.
    """
    # It writes compiled code and an adapter's settings to where it runs.
    os.chdir(job.folder)
    os.environ |= {"UNSLOTH_DISABLE_STATISTICS": "1", "HF_HUB_OFFLINE": "1"}
    # Before TRL, transformers and PEFT, which it rewrites as it is imported.
    loader, trl = import_module("unsloth").FastLanguageModel, import_module("trl")

    from setwise.credit import CompletionDecoder
    from setwise.training.run.arguments import engine_arguments
    from setwise.training.run.dataset import training_rows
    from setwise.training.run.reward import SetReward

    lora, generation = job.model.lora, job.generation
    if lora is None:
        sys.exit("unsloth shares its weights with vLLM only under adapters: --set model.lora.rank=16")
    engine = {
        "fast_inference": True,
        "max_lora_rank": lora.rank,
        "gpu_memory_utilization": generation.vllm_memory_share,
        # One more, because it takes 256 for "not given".
        "max_num_seqs": generation.completions_per_step + 1,
    }
    model, tokenizer = loader.from_pretrained(
        job.model.location,
        max_seq_length=LONGEST_SEQUENCE,
        load_in_4bit=False,
        **(engine if generation.backend == "vllm" else {}),
    )
    # It only warns of what it could not do.
    if hasattr(model, "vllm_engine") != (generation.backend == "vllm") or "Unsloth" not in trl.GRPOTrainer.__name__:
        sys.exit("unsloth fell back on another sampler or trainer")
    model = loader.get_peft_model(
        model,
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules=LINEAR_LAYERS if lora.targets == "all-linear" else lora.targets,
        use_gradient_checkpointing=job.model.gradient_checkpointing,
        random_state=job.run.seed,
    )
    arguments = {**engine_arguments(job, processes=1), "generation_kwargs": None, "optim": "adamw_torch_fused"}
    decoder = CompletionDecoder(tokenizer)
    return trl.GRPOTrainer(
        model=model,
        reward_funcs=SetReward(job.objective, job.task.matcher, decoder, generation.group_size),
        args=trl.GRPOConfig(**arguments),
        train_dataset=training_rows(job, job.objective),
        processing_class=tokenizer,
    )
