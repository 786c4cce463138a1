"""What the server tells of itself: the OpenAPI document, and the page that shows it."""
