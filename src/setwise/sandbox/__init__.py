"""setwise.sandbox"""
