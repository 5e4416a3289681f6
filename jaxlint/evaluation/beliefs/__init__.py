"""What is believed of values of which a program does not show what they are."""
