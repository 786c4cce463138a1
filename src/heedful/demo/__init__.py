"""A small grammatical corpus round "The animal didn't cross the street because it was too ...".

In reading order: nouns, verbs, actions and reasons are the tables; a meaning joins them, and
english, french and korean say it; held_out and sampling decide what is drawn; corpus draws it;
judge tells whether a translation understood "it".
"""
