-- Talk: streams of the log beside the games'. What was said stands in es.text with the field `said`, and can be erased.

-- Who may read a whisper: the accounts that held the seats when it was said, its author's among them. Written before
-- the log, as claims to seats are: a row means nothing while no event has its command id.
CREATE TABLE talk_reader (
  game_id    uuid     NOT NULL,
  cmd        uuid     NOT NULL,
  seat       smallint NOT NULL CHECK (seat >= 0),
  account_id uuid     NOT NULL,
  PRIMARY KEY (game_id, cmd, seat)
);
CREATE INDEX talk_reader_account ON talk_reader (account_id);

-- Whose messages an account does not want to read.
CREATE TABLE mute (
  account_id uuid        NOT NULL REFERENCES account ON DELETE CASCADE,
  muted      uuid        NOT NULL REFERENCES account ON DELETE CASCADE,
  since      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, muted)
);
CREATE INDEX mute_muted ON mute (muted);

-- Messages that somebody who could read them has reported to the operator.
CREATE TABLE message_report (
  game_id    uuid        NOT NULL,
  n          bigint      NOT NULL,                -- the event of the talk
  account_id uuid        NOT NULL,                -- who reports
  reason     text,
  made_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_id, n, account_id)
);
