"""What runs of clips, of cameras and playbacks have in common: threads and queues, states, meter, changes."""
