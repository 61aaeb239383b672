"""Correction and translation of subtitles by a model: what it is sent, and what of its answer is believed.

A model changes texts and nothing else: times are never sent, and an answer counts for the line whose text it repeats.
"""
