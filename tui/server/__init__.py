"""``lode serve``: the service over HTTP. Needs the extra ``lode[server]``."""
