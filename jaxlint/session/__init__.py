"""Runs: what is kept between them, and which processes they use."""
