"""Word segmenters of single languages, which ``language.segmentation`` has a table of.

That of Japanese comes with Lode, the others are extras. A segmenter knows where the words of its language end, their
dictionary forms and, where the script hides the sound, how they are read. Without its library, words are cut as
``language.words`` cuts them, and have neither.
"""
