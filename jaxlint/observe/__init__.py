"""What a run of the user's own program showed, and how that is kept."""
