"""The steps of the turn and the Characters: who may act, what is accepted, what it does, what follows.

Modules that kept bots import stay here, also those of the Endeavour and of later phases.
"""
