"""The parts of the documentation that are made from jaxlint itself: tables, pages, pictures and charts."""
