-- Who plays: ordinary, erasable tables. Nothing of them enters the log, where seats are pseudonyms.
CREATE TABLE account (
  id         uuid PRIMARY KEY,
  name       text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE token (
  hash       bytea PRIMARY KEY CHECK (octet_length(hash) = 32),   -- SHA-256; the token itself is shown once and not kept
  account_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE seat (
  game_id    uuid NOT NULL,
  seat       smallint NOT NULL,
  account_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
  PRIMARY KEY (game_id, seat)
);
CREATE INDEX seat_account ON seat (account_id, game_id);
CREATE TABLE game_owner (
  game_id    uuid PRIMARY KEY,
  account_id uuid REFERENCES account ON DELETE SET NULL
);
-- Which game an Idempotency-Key made, so that a request to make one can be sent again. Stays for good.
CREATE TABLE founding (
  account_id uuid  NOT NULL,
  key        text  NOT NULL,
  request    bytea NOT NULL CHECK (octet_length(request) = 32),   -- SHA-256 of what was asked for
  game_id    uuid  NOT NULL,
  PRIMARY KEY (account_id, key)
);
