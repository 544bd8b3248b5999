"""The peers that are written in Python."""
