"""What transitions have in common: a module per PostgreSQL routine of the same name."""
