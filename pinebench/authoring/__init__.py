"""Write a script, compile it, fix it, until it compiles: the loop, its authors, and the templates it starts from."""
