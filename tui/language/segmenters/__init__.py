"""Word segmenters of single languages, each over a library that is an extra of the installation; ``table.py`` has them.

A segmenter knows where the words of its language end, their dictionary forms and, where the script hides the sound, how
they are read. Without the extra, words are cut as ``language.words`` cuts them, and have neither.
"""
