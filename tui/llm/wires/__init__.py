"""Wire formats: each makes calls out of requests and reads what comes back. No network in here."""
