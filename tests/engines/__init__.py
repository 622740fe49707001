"""Private database servers for the tests: on sockets in temporary folders, gone with their process."""
