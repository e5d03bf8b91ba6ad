"""setwise.prompting"""
