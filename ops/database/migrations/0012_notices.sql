-- Whose turn it is, what accounts are told, and the receivers that they name.

-- Read model: the seats that people have held in games that have begun, and whether the game awaits them. A seat that
-- is not awaited has no kinds. `warned` belongs to this table alone.
CREATE TABLE turn (
  game_id  uuid     NOT NULL,
  seat     smallint NOT NULL,
  seq      bigint   NOT NULL,                      -- the event after which this was so
  claim    uuid,                                   -- by which its holder holds it
  kinds    text[]   NOT NULL,                      -- of the decisions that are awaited
  since    timestamptz,                            -- since when it has been awaited
  deadline timestamptz,                            -- null: no time runs
  armed    bigint,                                 -- the event since which the deadline is this one
  near     timestamptz,                            -- when its holder is to be told that little time is left
  stands   boolean  NOT NULL,                      -- whether the game is paused, so that nobody can answer
  warned   boolean  NOT NULL DEFAULT false,        -- whether he was told of this deadline
  PRIMARY KEY (game_id, seat)
);
CREATE INDEX turn_awaited ON turn (game_id, claim) WHERE kinds <> '{}';
CREATE INDEX turn_near ON turn (near) WHERE near IS NOT NULL AND NOT warned;

-- What an account is told, numbered 1, 2, 3 ... for each: the lock on its row gives the numbers in order of commit, so
-- whoever has read up to a number has missed none before it. Goes after 90 days. It stays on one node.
ALTER TABLE account ADD COLUMN notices bigint NOT NULL DEFAULT 0;    -- the newest number
CREATE TABLE notice (
  account_id uuid        NOT NULL REFERENCES account ON DELETE CASCADE,
  number     bigint      NOT NULL,
  type       text        NOT NULL,
  stream     uuid        NOT NULL,                 -- the game, or the webhook, that it is about
  seq        bigint      NOT NULL,
  data       json        NOT NULL,                 -- ids, numbers and words of ours; nothing secret, nothing anybody wrote
  at         timestamptz NOT NULL,
  PRIMARY KEY (account_id, number)
);
CREATE UNIQUE INDEX notice_once ON notice (account_id, type, stream, seq);
CREATE INDEX notice_at ON notice (at);

-- Whom the service calls when an account is told something. The secret has to sign, so it is kept as it is.
CREATE TABLE webhook (
  id             uuid        PRIMARY KEY,
  account_id     uuid        NOT NULL REFERENCES account ON DELETE CASCADE,
  url            text        NOT NULL,
  types          text[]      NOT NULL,
  game           uuid,                             -- only what this game tells; null: all
  secret         bytea       NOT NULL,
  previous       bytea,                            -- the secret before, which signs too until then
  previous_until timestamptz,
  enabled        boolean     NOT NULL DEFAULT true,
  disabled_for   text,                             -- why the service disabled it
  failing_since  timestamptz,                      -- since when nothing has arrived; null: the last one did
  made_at        timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhook_account ON webhook (account_id);

CREATE TABLE webhook_delivery (
  webhook_id uuid        NOT NULL REFERENCES webhook ON DELETE CASCADE,
  account_id uuid        NOT NULL,
  number     bigint      NOT NULL,
  tries      integer     NOT NULL DEFAULT 0,
  next_at    timestamptz NOT NULL DEFAULT now(),   -- while it is under way: when its worker counts as dead
  status     text        NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'delivered', 'dead')),
  answer     integer,                              -- the status of the last answer
  error      text,                                 -- why the last try failed
  PRIMARY KEY (webhook_id, number),
  FOREIGN KEY (account_id, number) REFERENCES notice ON DELETE CASCADE
);
CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook_id, next_at) WHERE status = 'waiting';
CREATE INDEX webhook_delivery_notice ON webhook_delivery (account_id, number);

-- Nobody is told of what happened before there were notices. Whose turn it is now, is told from the beginning.
INSERT INTO es.projection (name, lane, position)
  SELECT 'notice', lane, size FROM generate_series(0, 63) lane, es.sequencer;
