-- Games in the order in which their ends became known: an export that goes on after the last of them misses none.
-- A delayed game has two places, one for those at its table and one, when its delay is over, for all others.
CREATE TABLE game_end (
  game_id  uuid   NOT NULL,
  audience text   NOT NULL CHECK (audience IN ('all', 'table', 'others')),
  position bigint,                                 -- in es.log: of its last event, or where that ended when it became known
  nth      bigint,                                 -- 0, or its number among those that became known later
  due      timestamptz,                            -- when its delay is over; it has no position before
  PRIMARY KEY (game_id, audience)
);
CREATE INDEX game_end_place ON game_end (position, nth);
CREATE INDEX game_end_due ON game_end (due) WHERE position IS NULL;
-- Whoever takes a number holds this row until that is committed, so numbers become visible in their order.
CREATE TABLE game_end_counter (
  one    boolean PRIMARY KEY DEFAULT true CHECK (one),
  newest bigint  NOT NULL DEFAULT 0
);
INSERT INTO game_end_counter DEFAULT VALUES;
INSERT INTO game_end (game_id, audience, position, nth, due)
  SELECT game_id, CASE WHEN delay IS NULL THEN 'all' ELSE 'table' END, 0,
    row_number() OVER (ORDER BY created_at, game_id), NULL::timestamptz
  FROM lobby WHERE status IN ('finished', 'abandoned')
  UNION ALL
  SELECT game_id, 'others', NULL, NULL,
    (delay->>'at')::timestamptz + make_interval(secs => (delay->>'ms')::float8 / 1000)
  FROM lobby WHERE status IN ('finished', 'abandoned') AND delay IS NOT NULL;
UPDATE game_end_counter SET newest = (SELECT coalesce(max(nth), 0) FROM game_end);

-- Lists go by the time of the server, not by ids, which clients choose.
DROP INDEX lobby_open, lobby_ended, lobby_abandoned, lobby_title, lobby_free, lobby_origin;
CREATE INDEX lobby_created ON lobby (created_at, game_id);
CREATE INDEX lobby_open ON lobby (created_at, game_id) WHERE status = 'open' OR delay IS NOT NULL;
CREATE INDEX lobby_playing ON lobby (created_at, game_id) WHERE status = 'running' OR delay IS NOT NULL;
CREATE INDEX lobby_ended ON lobby (created_at, game_id) WHERE status IN ('finished', 'abandoned');
CREATE INDEX lobby_abandoned ON lobby (created_at, game_id) WHERE status = 'abandoned';
CREATE INDEX lobby_title ON lobby (title, created_at, game_id);
CREATE INDEX lobby_free ON lobby (created_at, game_id) WHERE free;
CREATE INDEX lobby_origin ON lobby (origin, created_at, game_id) WHERE origin IS NOT NULL;
DROP INDEX tournament_status, tournament_title;
CREATE INDEX tournament_created ON tournament (created_at, tournament);
CREATE INDEX tournament_status ON tournament (status, created_at, tournament);
CREATE INDEX tournament_title ON tournament (title, created_at, tournament);
