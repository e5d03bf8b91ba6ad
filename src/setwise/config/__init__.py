"""Recipes: one YAML file per run, closed to unknown keys, changed from the command line with `--set a.b=c`."""

from setwise.config.reader import read_recipe, recipe_from
from setwise.config.recipe import ObjectiveSection, Recipe, RewardSection, TaskSection

__all__ = ["ObjectiveSection", "Recipe", "RewardSection", "TaskSection", "read_recipe", "recipe_from"]
