"""What programs that watch a server ask it: does it live, is it ready, what has it measured."""
