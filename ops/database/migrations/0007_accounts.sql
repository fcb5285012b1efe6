-- Accounts with handles, programs of accounts, and tokens that can be told apart. Nothing of it enters the log.
ALTER TABLE account
  ADD COLUMN kind  text NOT NULL DEFAULT 'personal' CHECK (kind IN ('personal', 'service')),
  ADD COLUMN owner uuid REFERENCES account ON DELETE CASCADE,    -- of a service account
  ADD CONSTRAINT service_has_owner CHECK ((kind = 'service') = (owner IS NOT NULL));
CREATE INDEX account_owner ON account (owner) WHERE owner IS NOT NULL;

-- Who is called by a handle; one that was given up, or whose account was deleted, stays reserved for a while.
CREATE TABLE handle (
  handle     text PRIMARY KEY,
  account_id uuid REFERENCES account ON DELETE SET NULL,
  since      timestamptz NOT NULL DEFAULT now(),
  until      timestamptz                          -- when a handle that is not used any more becomes free; null: used
);
CREATE UNIQUE INDEX handle_account ON handle (account_id) WHERE until IS NULL;

ALTER TABLE token
  ADD COLUMN id           uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  ADD COLUMN label        text NOT NULL DEFAULT '',
  ADD COLUMN scopes       text[] NOT NULL DEFAULT
    '{game:read,game:play,game:create,game:direct,tournament:enter,tournament:direct,account:write,webhook:write,token:write}',
  ADD COLUMN games        uuid[],                 -- the only games that it is good for; null: all
  ADD COLUMN expires_at   timestamptz,
  ADD COLUMN last_used_at timestamptz;            -- to the minute
CREATE INDEX token_account ON token (account_id);
ALTER TABLE token ALTER COLUMN scopes DROP DEFAULT;

-- Codes that open an account whose tokens are lost, each once.
CREATE TABLE recovery_code (
  hash       bytea PRIMARY KEY CHECK (octet_length(hash) = 32),   -- SHA-256
  account_id uuid NOT NULL REFERENCES account ON DELETE CASCADE,
  batch      uuid NOT NULL,                       -- those that were shown together
  made_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX recovery_code_account ON recovery_code (account_id);

-- Which Idempotency-Keys have been answered with a secret: it is not shown again, but what it opens can be revoked.
CREATE TABLE shown_once (
  account_id uuid  NOT NULL REFERENCES account ON DELETE CASCADE,
  key        text  NOT NULL,
  request    bytea NOT NULL CHECK (octet_length(request) = 32),   -- SHA-256 of what was asked for
  shown      uuid  NOT NULL,                      -- the id by which it is revoked
  PRIMARY KEY (account_id, key)
);
