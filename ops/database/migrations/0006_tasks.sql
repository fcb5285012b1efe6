-- What waits for a bot or the house, in the order in which it is served; what failed; who is at work.

-- The first three are told by the log like the rest of the row; `owner` and `held` belong to this table alone.
ALTER TABLE lobby
  ADD COLUMN person boolean NOT NULL DEFAULT false,   -- whether a person sits at the table, and so waits with it
  ADD COLUMN since  timestamptz,                      -- since when a bot or the house is awaited; null if neither is
  ADD COLUMN owner  uuid NOT NULL DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff',  -- whoever made the game, if known
  ADD COLUMN held   boolean NOT NULL DEFAULT false;   -- nobody is asked, for this failed a moment ago or for good

UPDATE lobby l SET
  person = EXISTS (SELECT FROM json_array_elements(l.seats) s WHERE s->>'claim' IS NOT NULL),
  since = CASE WHEN l.status = 'running' AND (l.house OR l.bot IS NOT NULL) THEN
    (SELECT (e.body::json->>'at')::timestamptz FROM es.event e WHERE e.game_id = l.game_id AND e.seq = l.seq) END,
  owner = coalesce(
    (SELECT c.account_id FROM seat_claim c JOIN es.event e ON e.game_id = c.game_id AND e.seq = 1
      WHERE c.game_id = l.game_id AND c.seat = -1 AND c.claim = (e.body::json->>'cmd')::uuid), l.owner);

DROP INDEX lobby_pending;
CREATE INDEX lobby_pending ON lobby (house, person, owner, since)
  WHERE status = 'running' AND (house OR bot IS NOT NULL) AND NOT held;

-- Tasks that failed: tried again at `again_at`; set aside where that is null, until the program is another one or
-- the operator asks for it; 'infinity' while they are being tried.
CREATE TABLE es.failed (
  game_id  uuid        NOT NULL,
  kind     text        NOT NULL,                      -- bot, house
  seq      bigint      NOT NULL,                      -- the event after which it failed
  error    text        NOT NULL,
  attempts integer     NOT NULL,
  program  text        NOT NULL,                      -- what failed: see projections/program.py
  since    timestamptz NOT NULL DEFAULT now(),
  again_at timestamptz,
  PRIMARY KEY (game_id, kind)
);
CREATE INDEX failed_again ON es.failed (again_at);

ALTER TABLE es.parked
  ADD COLUMN program text        NOT NULL DEFAULT '',
  ADD COLUMN since   timestamptz NOT NULL DEFAULT now();

-- Dispatchers and workers: each says every moment that it is alive.
CREATE TABLE es.alive (
  name    text        PRIMARY KEY,
  duty    text        NOT NULL,                       -- dispatcher, ai, house
  beat_at timestamptz NOT NULL
);
