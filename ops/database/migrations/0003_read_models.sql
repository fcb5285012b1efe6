-- Read models. All of it can be dropped and built again from the log (`rutter rebuild`).
CREATE TABLE lobby (
  game_id     uuid PRIMARY KEY,
  title       text NOT NULL,
  version     int NOT NULL,
  status      text NOT NULL,
  seats       json NOT NULL,                -- [{"seat", "open" | "bot" | "claim"}]
  waiting_for smallint[] NOT NULL,
  house       boolean NOT NULL,             -- whether the house is awaited
  bot         smallint,                     -- the lowest seat of a bot that is awaited
  analysis    boolean NOT NULL,
  outcome     json,
  seq         bigint NOT NULL,
  created_at  timestamptz NOT NULL
);
CREATE INDEX lobby_status ON lobby (status, game_id DESC);
CREATE INDEX lobby_pending ON lobby (game_id) WHERE status = 'running' AND (house OR bot IS NOT NULL);

CREATE TABLE history (
  game_id uuid NOT NULL,
  seq     bigint NOT NULL,
  viewer  smallint NOT NULL,                -- seat, or -1 for everybody; a seat's own line stands before the public one
  text    text NOT NULL,
  PRIMARY KEY (game_id, seq, viewer)
);
