"""setwise.workflows"""
