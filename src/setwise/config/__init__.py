"""Recipes: one YAML file per run. Unknown keys are errors; `--set a.b=c` changes a value from the command line."""

from setwise.config.reader import read_recipe, recipe_from
from setwise.config.recipe import ObjectiveSection, Recipe, RewardSection, TaskSection

__all__ = ["ObjectiveSection", "Recipe", "RewardSection", "TaskSection", "read_recipe", "recipe_from"]
