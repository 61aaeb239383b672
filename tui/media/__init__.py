"""Media: what recordings and films have in them, and sound cut out of them.

Only ``service`` knows this room. PyAV (FFmpeg) is an extra, ``lode[media]``, and imported where a file is opened.
"""
