-- Signs of life of all processes of the service, one row a host, by the database's clock. A time without any is an
-- outage, for which players are given back what they lost; it is written down by whoever comes back first.
CREATE TABLE house_heartbeat (
  host text        PRIMARY KEY,
  at   timestamptz NOT NULL
);

CREATE TABLE outage (
  since   timestamptz PRIMARY KEY,
  until   timestamptz NOT NULL,
  settled boolean     NOT NULL DEFAULT false
);
CREATE INDEX outage_unsettled ON outage (until) WHERE NOT settled;

-- `lobby.due` from now on tells of any game when the first of its timers is due, not only before it begins. Games that
-- run already get theirs with their next event; none of them has a clock.
COMMENT ON COLUMN lobby.due IS 'when the house has something to do by itself: opening, expiry, end of a pause, time-out';
