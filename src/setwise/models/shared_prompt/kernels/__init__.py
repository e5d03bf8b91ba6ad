"""Kernels in Triton, for GPUs. Only imported where there is one."""
