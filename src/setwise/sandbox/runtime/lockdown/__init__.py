"""The walls around one program, each in its own file: namespaces, Landlock, seccomp, limits, privileges."""
