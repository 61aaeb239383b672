"""Uses of Textual beyond its public interface; ``tests/test_compat.py`` guards each part."""
