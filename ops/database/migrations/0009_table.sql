-- Who directs a table, by the number that the log has for him. Written before the log, as claims to seats are: rows
-- hold whose claim is the command id of the game's first event.
CREATE TABLE game_director (
  game_id    uuid     NOT NULL,
  claim      uuid     NOT NULL,
  director   smallint NOT NULL CHECK (director >= 1),
  account_id uuid,                                -- null once the account is erased
  PRIMARY KEY (game_id, claim, director)
);
CREATE INDEX game_director_account ON game_director (account_id, game_id);

-- What somebody wrote beside a command: the log holds a salted digest of it only, so it can be erased.
CREATE TABLE es.text (
  game_id    uuid  NOT NULL,
  cmd        uuid  NOT NULL,                      -- of the command; means nothing while no event names it
  field      text  NOT NULL,
  salt       bytea NOT NULL,
  body       text  NOT NULL,
  account_id uuid,                                -- whose words they are
  PRIMARY KEY (game_id, cmd, field)
);
CREATE INDEX text_account ON es.text (account_id) WHERE account_id IS NOT NULL;

-- Vacations of accounts: at most one stands at a time; `used_ms` adds up those of a calendar year.
CREATE TABLE vacation (
  account_id uuid        PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  year       smallint    NOT NULL,
  used_ms    bigint      NOT NULL,
  begins     timestamptz,
  ends       timestamptz
);

ALTER TABLE lobby ADD COLUMN free boolean NOT NULL DEFAULT false;   -- whether somebody may take over a seat
CREATE INDEX lobby_free ON lobby (game_id DESC) WHERE free;

-- Snapshots tell less than is folded now (who held a seat, how many people began); they are a cache and made anew.
DELETE FROM es.snapshot;
