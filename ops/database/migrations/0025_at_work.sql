-- At what a worker is, by its own word: a Redis that comes back without what it was told last says otherwise, and the
-- game of a job that is over would wait for a worker that has long gone on.
ALTER TABLE es.alive ADD COLUMN job text;             -- '': at nothing; NULL: it does not say
