-- A webhook that fails rests before its next call, whatever that call is about: longer each time, until one arrives.
ALTER TABLE webhook
  ADD COLUMN failures    integer     NOT NULL DEFAULT 0,   -- failed calls since the last that arrived
  ADD COLUMN rests_until timestamptz;
