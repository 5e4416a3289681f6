"""What tests show: what holds from here on, and which value a variable has under which tests."""
