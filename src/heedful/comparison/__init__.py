"""The family side by side: on a user's text, and in three studies of what the papers say."""
