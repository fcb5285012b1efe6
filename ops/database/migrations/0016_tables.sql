-- Notes that somebody keeps beside a game, for himself: to the game as a whole or to its events. They are no part of the
-- log and go with the account.
CREATE TABLE note (
  game_id    uuid        NOT NULL,
  account_id uuid        NOT NULL,
  version    bigint      NOT NULL CHECK (version >= 1),   -- how often they were changed; rows stay, so it never repeats
  notes      json        NOT NULL,                        -- [{"event", "text"}]
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_id, account_id)
);
CREATE INDEX note_account ON note (account_id);

-- Accounts that may sit down nowhere any more, because the operator says so.
CREATE TABLE ban (
  account_id uuid        PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  reason     text,
  since      timestamptz NOT NULL DEFAULT now()
);
