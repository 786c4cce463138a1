"""A model folder: `config.json`, `model.safetensors`, the tokenizer. Nobody needs more."""
