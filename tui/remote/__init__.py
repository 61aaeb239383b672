"""The service over HTTP: a library on another machine, used as if it were on this one."""
