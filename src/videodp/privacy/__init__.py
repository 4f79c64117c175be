"""Statements of what is guaranteed, and the randomness behind them."""
