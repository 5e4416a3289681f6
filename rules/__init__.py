"""The rules, one file each; `jaxlint.registry` finds them here."""
