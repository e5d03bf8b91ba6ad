"""setwise.rewards"""
