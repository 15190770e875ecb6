"""The data tables of the reference: plain literals, loaded at the first use."""
