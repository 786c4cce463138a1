"""A whole corpus to ids: by blocks of lines, in several processes, each word cut but once."""
