"""The rules, one file each; `jaxlint.rule.registry` finds them here."""
