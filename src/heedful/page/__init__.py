"""The page: its files, the server that shows it, the file it is saved as, the notebook's widget."""
