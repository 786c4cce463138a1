"""Text in, token ids out: files, vocabularies, sentences. Needs no torch."""
