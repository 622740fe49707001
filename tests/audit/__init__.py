"""`byssus audit`: what it finds in damaged databases, and that it finds nothing in sound ones."""
