"""`heedful see`: a model and a sentence, or a record of them -> a picture, or the page."""
