"""Asking language models: selectors, the provider table, one adapter per wire protocol, prompts, the breakdown."""
