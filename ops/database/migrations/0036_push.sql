-- Web Push: a browser that is told of turns is a webhook with keys, so both have one outbox. It goes with its token.
ALTER TABLE webhook
  ADD COLUMN token_id   uuid REFERENCES token (id) ON DELETE CASCADE,   -- which made it; null: an ordinary webhook
  ADD COLUMN push_point bytea CHECK (octet_length(push_point) = 65),    -- the browser's public key
  ADD COLUMN push_auth  bytea CHECK (octet_length(push_auth) = 16),     -- its secret
  ADD CONSTRAINT webhook_push CHECK ((token_id IS NULL) = (push_point IS NULL) AND (token_id IS NULL) = (push_auth IS NULL));
CREATE INDEX webhook_token ON webhook (token_id) WHERE token_id IS NOT NULL;
