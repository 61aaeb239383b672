"""Language models: selectors, providers, one adapter per wire format, the breakdown."""
