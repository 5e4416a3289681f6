"""What bytes say as text: encodings, comments, notebooks, places, and LibCST's parse."""
