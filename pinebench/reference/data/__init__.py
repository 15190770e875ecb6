"""Generated tables of the reference: plain literals, loaded when first asked for."""
