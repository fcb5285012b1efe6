-- Which game an Idempotency-Key made, so that a request to make one can be sent again.
CREATE TABLE founding (
  account_id uuid  NOT NULL REFERENCES account ON DELETE CASCADE,
  key        text  NOT NULL,
  request    bytea NOT NULL CHECK (octet_length(request) = 32),   -- SHA-256 of what was asked for
  game_id    uuid  NOT NULL,
  PRIMARY KEY (account_id, key)
);
