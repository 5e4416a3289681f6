"""The language server: what editors are told, over the protocol that they share.

It needs pygls (the extra `server`); nothing else in jaxlint imports it.
"""
