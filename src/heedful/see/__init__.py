"""Where a model looks: `recording` keeps it, `pictures` draw it."""
