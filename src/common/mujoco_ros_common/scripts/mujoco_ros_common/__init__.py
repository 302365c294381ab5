"""What two or more of the systems need, once. Imports nothing: take the module you need."""
