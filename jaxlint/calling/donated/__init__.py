"""What a call donates."""
