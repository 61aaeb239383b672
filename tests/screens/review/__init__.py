"""The review screens, key by key."""
