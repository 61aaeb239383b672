"""Retiming of a transcript without a model: against another track of the film, against its sound, or by hand."""
