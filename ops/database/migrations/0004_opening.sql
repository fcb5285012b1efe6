-- Before the first move: when the house has something to do for a game that has not begun, so that reveals are closed,
-- and games begun or abandoned, without anybody asking.
ALTER TABLE lobby ADD COLUMN due timestamptz;
CREATE INDEX lobby_due ON lobby (due) WHERE due IS NOT NULL;
-- By what its maker can have a seeded game made again. It is a secret and stays out of the log; kept so that the same
-- answer can be given twice.
ALTER TABLE founding ADD COLUMN repeat text;
