-- From which game a fork was taken, where it is one: so that the forks of a game are found without reading others.
ALTER TABLE lobby ADD COLUMN origin uuid;
UPDATE lobby l SET origin = (e.body::json->'data'->'origin'->>'game')::uuid
  FROM es.event e WHERE l.analysis AND e.game_id = l.game_id AND e.seq = 1;
CREATE INDEX lobby_origin ON lobby (origin, game_id) WHERE origin IS NOT NULL;
