"""Lode's service: ``protocol`` is the interface, ``local`` the implementation over a database on this machine."""
