"""The actions of the action phase, one module each; event effects use them as bonus actions."""
