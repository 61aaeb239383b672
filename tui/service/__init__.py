"""What Lode does: see ``protocol`` for the contract and ``local`` for the one over a database on this machine."""
