"""Documents -> passages to translate, and the documents again with their translations: everything
that is not translated stays as it was, to the letter."""
