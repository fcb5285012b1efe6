-- Tournaments: streams of the log like games. Who plays in them and who runs them are ordinary, erasable rows.

-- Who says that he entered. Written before the log, as claims to seats are: the row holds whose claim is the command id
-- of an event that tells of an entrant. `key` is the Idempotency-Key of the request, where it had one.
CREATE TABLE entrant (
  tournament uuid NOT NULL,
  claim      uuid NOT NULL,
  account_id uuid,                                -- null once the account is erased
  key        text,
  made_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tournament, claim)
);
CREATE INDEX entrant_account ON entrant (account_id, tournament);

-- Who runs it, likewise: of those who are named with the tournament the row holds whose claim is the command id of its
-- first event, under the number that the log has for him; of the others the claim alone tells which number that is.
CREATE TABLE tournament_director (
  tournament uuid     NOT NULL,
  claim      uuid     NOT NULL,
  director   smallint NOT NULL CHECK (director >= 0),
  account_id uuid,                                -- null once the account is erased
  PRIMARY KEY (tournament, claim, director)
);
CREATE INDEX tournament_director_account ON tournament_director (account_id, tournament);

-- Read model: one row a tournament, with what a list shows and what its steward looks for. `looked` and `looked_at`
-- belong to this table alone: up to which event, and when, the steward has found nothing left to do.
CREATE TABLE tournament (
  tournament uuid PRIMARY KEY,
  title      text        NOT NULL,
  status     text        NOT NULL,
  seq        bigint      NOT NULL,
  name       text,                                -- the digest of its name
  formats    text[]      NOT NULL,                -- of its stages
  entrants   integer     NOT NULL,
  most       integer     NOT NULL,
  stage      smallint    NOT NULL,
  round      smallint    NOT NULL,                -- the newest that has started; 0 before the first
  created_at timestamptz NOT NULL,
  starts_at  timestamptz,
  opened     uuid        NOT NULL,                -- the command id of the first event
  claims     uuid[]      NOT NULL,                -- by which those take part whom the log names
  over       boolean     NOT NULL,
  delayed    boolean     NOT NULL,                -- whether spectators see results later
  playing    uuid[]      NOT NULL,                -- games whose results are awaited
  dues       timestamptz[] NOT NULL,              -- when the house has something to do
  looked     bigint      NOT NULL DEFAULT 0,
  looked_at  timestamptz NOT NULL DEFAULT '-infinity'
);
CREATE INDEX tournament_served ON tournament (tournament) WHERE NOT over;

-- Of which tournament a game is, where it is of one.
ALTER TABLE lobby ADD COLUMN tournament uuid;
CREATE INDEX lobby_tournament ON lobby (tournament, game_id) WHERE tournament IS NOT NULL;

-- The command id that the log must name for a claim to hold, where that is not the claim itself: of a game of a
-- tournament all seats are taken by one command.
ALTER TABLE seat_claim ADD COLUMN made_by uuid;

ALTER TABLE webhook ADD COLUMN tournament uuid;   -- only what this tournament tells; null: all

-- There are no tournaments yet: what is to come is followed from where games are.
INSERT INTO es.projection (name, lane, position)
  SELECT 'tournament', lane, position FROM es.projection WHERE name = 'lobby';
