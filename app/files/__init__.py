"""Files as all rooms write and name them: whole or absent, one writer a folder, JSON, what is missing."""
