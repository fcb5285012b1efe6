-- Ratings. Games count in the order of es.log, of which there is one: so all of this stays on one node.

-- Who is rated: random names, which say nothing once the account is gone. Then only the first table forgets.
CREATE TABLE subject (
  account_id uuid PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  subject    uuid NOT NULL UNIQUE
);
-- By the claims of seats who played: kept for good, so that the others' ratings come out the same again.
CREATE TABLE subject_claim (
  game_id uuid NOT NULL,
  claim   uuid NOT NULL,
  subject uuid NOT NULL,
  PRIMARY KEY (game_id, claim)
);

-- Read model: the games that the rules have ended, in order, and what of them counts.
CREATE TABLE rating_game (
  position bigint      PRIMARY KEY,               -- of TableClosed
  game_id  uuid        NOT NULL UNIQUE,
  head     bytea       NOT NULL,                  -- the hash of TableClosed
  at       timestamptz NOT NULL,
  shown_at timestamptz NOT NULL,                  -- when everybody may know how it ended
  pool     text,                                  -- null: it does not count
  why      text,                                  -- why it does not
  players  json        NOT NULL,                  -- [{"seat", "place", "subject"}]
  CHECK ((pool IS NULL) = (why IS NOT NULL))
);
CREATE INDEX rating_game_pool ON rating_game (pool, position) WHERE pool IS NOT NULL;
-- Games that a ruling of their tournament has taken out.
CREATE TABLE rating_void (game_id uuid PRIMARY KEY);

-- Read model: what each game changed, one row for each player.
CREATE TABLE rating_change (
  position     bigint           NOT NULL,
  seat         smallint         NOT NULL,
  pool         text             NOT NULL,
  subject      uuid             NOT NULL,
  place        smallint         NOT NULL,
  months       integer          NOT NULL,         -- whole months since the game before
  mu_before    double precision NOT NULL,
  sigma_before double precision NOT NULL,
  mu           double precision NOT NULL,
  sigma        double precision NOT NULL,
  games        integer          NOT NULL,         -- this one included
  at           timestamptz      NOT NULL,
  shown_at     timestamptz      NOT NULL,         -- of the game, and of every game on which this one follows
  PRIMARY KEY (position, seat)
);
CREATE UNIQUE INDEX rating_change_subject ON rating_change (pool, subject, position);
-- Read model: the newest change of each.
CREATE TABLE rating (
  pool     text             NOT NULL,
  subject  uuid             NOT NULL,
  mu       double precision NOT NULL,
  sigma    double precision NOT NULL,
  games    integer          NOT NULL,
  at       timestamptz      NOT NULL,
  shown_at timestamptz      NOT NULL,
  PRIMARY KEY (pool, subject)
);
CREATE INDEX rating_subject ON rating (subject);
CREATE INDEX rating_best ON rating (pool, (mu - 3 * sigma) DESC);

-- How far the log has been followed, and by which model.
CREATE TABLE rating_state (
  one      boolean PRIMARY KEY DEFAULT true CHECK (one),
  position bigint  NOT NULL DEFAULT 0,
  model    text    NOT NULL DEFAULT ''
);
INSERT INTO rating_state DEFAULT VALUES;
