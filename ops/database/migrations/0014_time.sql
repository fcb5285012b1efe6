-- Until when the first seat must answer, where time is counted: lists of games show it. `due` is when the house has
-- something to do, which may be before.
ALTER TABLE lobby ADD COLUMN deadline timestamptz;
-- Whether the game is stopped because the rules refused what they would do themselves for an absent player.
ALTER TABLE lobby ADD COLUMN stuck boolean NOT NULL DEFAULT false;
CREATE INDEX lobby_stuck ON lobby (game_id) WHERE stuck;

-- How reliable players are: one row for each decision that was due where time is counted, by the event that tells of it.
-- Built from the log, but for whose claim it was, which goes with his account. By one index a player's newest are found.
CREATE TABLE reliability (
  game_id    uuid        NOT NULL,
  seq        bigint      NOT NULL,
  claim      uuid        NOT NULL,
  at         timestamptz NOT NULL,
  in_time    boolean     NOT NULL,
  account_id uuid,                                -- null once the account is erased
  PRIMARY KEY (game_id, seq)
);
CREATE INDEX reliability_account ON reliability (account_id, at DESC) WHERE account_id IS NOT NULL;
-- Games so far count for nobody; what is to come is followed from where the others are.
INSERT INTO es.projection (name, lane, position)
  SELECT 'reliability', lane, position FROM es.projection WHERE name = 'lobby';

-- Snapshots know nothing of warnings; they are a cache and made anew.
DELETE FROM es.snapshot;
