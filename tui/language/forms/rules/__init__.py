"""Rules of single languages for what simplemma's lists do not say, or say as a stem that is no word of a dictionary.

Each module has ``find_lemma(form, listed)``: the dictionary form of a folded word, None where the rules say nothing.
``listed`` is the look-up in the language's list. ``table.py`` has them by language.
"""
