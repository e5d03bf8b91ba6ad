"""Triton kernels, for GPUs. Imported only if there is one."""
