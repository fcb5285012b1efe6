"""What may happen in a game, and what did happen: a functional core, and the shell around it.

The **core** is pure: no clock, no global randomness, no I/O, no shared state.

* `fact`, `drawn`, `steps`, `title`, `chance` are what a title is made of, and `kit` is what titles share;
* `table`, `game`, `folding` and `engine` are a game around a title;
* `table_commands` are what is asked of the table itself (`leaving`, `offers`, `rulings`, `expiry`,
  `vacations`, with the facts in `table_facts`); `absence` and `absences` say who plays on for whom;
* `terms`, `opening` and `beacon` are how it comes to begin, and who contributes to its randomness;
* `canonical`, `chain`, `proof`, `record`, `signed`, `bundle` and `verify` are what is recorded and how it is
  proved.

The **shell** touches the world, each module in one way: `log` (Postgres; the only one that writes events),
`past` (a copy of it, for old ones), `login`, `signing` (which keys sign), `replay` and `recent` (what is kept
in memory), `games` (the one loop that writes, and its clock), `catalogue` (which titles there are), `data`
(a title's files), `fast_chance` (a generator) and `vectors` (files of examples). Import rules hold the two
apart.
"""
