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
-- Who says that a seat is his. Written before the log, which alone decides: the command id of the event that took a
-- seat (of event 1 for seat -1, whoever made the game) is the claim that holds. The others mean nothing.
CREATE TABLE seat_claim (
  game_id    uuid     NOT NULL,
  claim      uuid     NOT NULL,
  seat       smallint NOT NULL CHECK (seat >= -1),
  account_id uuid,                                -- null once the account is erased
  salt       bytea,
  made_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_id, claim, seat)
);
CREATE INDEX seat_claim_account ON seat_claim (account_id, game_id);
-- Which game an Idempotency-Key made, so that a request to make one can be sent again. Stays for good.
CREATE TABLE founding (
  account_id uuid  NOT NULL,
  key        text  NOT NULL,
  request    bytea NOT NULL CHECK (octet_length(request) = 32),   -- SHA-256 of what was asked for
  game_id    uuid  NOT NULL,
  PRIMARY KEY (account_id, key)
);
