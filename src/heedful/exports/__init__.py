"""A trained model in the files of other software."""
