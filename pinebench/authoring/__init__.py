"""Write a script, compile it and repair it until it compiles: the loop, its authors, and the templates."""
