"""`heedful serve`: models behind HTTP, for the clients of LibreTranslate and for people."""
