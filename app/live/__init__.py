"""Recording and replaying: a camera or a clip into a session, and the session again."""
