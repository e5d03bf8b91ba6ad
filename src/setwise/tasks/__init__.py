"""setwise.tasks"""
