-- Bots that think have workers of their own, one task for each seat: `bot` is from now on the lowest seat of a bot that
-- answers at once. No game has had another one yet.
ALTER TABLE lobby ADD COLUMN thinking smallint[] NOT NULL DEFAULT '{}';   -- the seats of bots that think and are awaited
CREATE INDEX lobby_thinking ON lobby (person, owner, since)
  WHERE status = 'running' AND thinking <> '{}' AND NOT held;
