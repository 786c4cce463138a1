"""A small grammatical corpus round "The animal didn't cross the street because it was too ..."."""
