"""Long work in processes of its own: batches, exports, replays, rehearsals."""
