"""The process that does what the fast engine cannot: models that only torch knows, beams that are
streamed, terms that must stand in a translation, records of attention."""
