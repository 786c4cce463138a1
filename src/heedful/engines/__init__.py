"""What searches for translations: torch, for every model, or CTranslate2, for speed."""
