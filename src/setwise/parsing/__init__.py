"""setwise.parsing"""
