"""Wire formats: what each makes of a request, and how it reads what comes back. No network in here."""
