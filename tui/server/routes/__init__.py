"""The paths of the service, one module per resource: what is asked is checked, the service does it, it is answered."""
