"""Pictures of records and runs, one module each; matplotlib is loaded when one is drawn."""
