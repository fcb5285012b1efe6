"""The read models: a module each, and a catalogue of them all."""
