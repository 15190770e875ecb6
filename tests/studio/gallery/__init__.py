"""Pictures of what scripts show: the scripts, how they are drawn, and what is kept of pictures that were looked at."""
