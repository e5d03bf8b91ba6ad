"""What runs outside the trainer: the referee, the zygote, and the little that shares a process with the program.

Both processes are started by path and import this folder as a top-level package, so they load nothing of setwise or
site-packages. Everything here therefore uses relative imports and the standard library only.
"""
