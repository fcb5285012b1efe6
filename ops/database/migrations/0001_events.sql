-- The log: what happened, append-only by construction.
-- The primary key (game_id, seq) is the optimistic lock: appending is one plain INSERT that fails cleanly if
-- another writer was first. Nothing of the log is ever updated: no dead rows, no hot row.
-- Tables that hold games have the game's id in every unique key and no reference that leaves them, so they can be
-- distributed by game; es.log, es.sequencer, es.projection and es.service stay together on one node.
CREATE SCHEMA es;

CREATE TABLE es.event (
  game_id uuid   NOT NULL,
  seq     bigint NOT NULL CHECK (seq >= 1),       -- dense in a game: 1, 2, 3 ...
  body    text   NOT NULL,                        -- canonical JSON, kept byte for byte: type, command and time stand in it
  hash    bytea  NOT NULL CHECK (octet_length(hash) = 32),
  keyed   uuid,                                   -- the command id, where somebody may send the command again
  PRIMARY KEY (game_id, seq)
);
CREATE UNIQUE INDEX event_keyed ON es.event (game_id, keyed) WHERE keyed IS NOT NULL;

CREATE FUNCTION es.refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '% on %.% is forbidden: the log only grows', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME
   USING ERRCODE = 'ES405'; END $$;
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON es.event FOR EACH ROW EXECUTE FUNCTION es.refuse();
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON es.event FOR EACH STATEMENT EXECUTE FUNCTION es.refuse();

-- Secrets live apart: the log holds only salted commitments to them.
CREATE TABLE es.secret (
  game_id  uuid   NOT NULL,
  seq      bigint NOT NULL,
  audience text   NOT NULL,
  salt     bytea  NOT NULL,
  body     text   NOT NULL,
  PRIMARY KEY (game_id, seq, audience)
);
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON es.secret FOR EACH ROW EXECUTE FUNCTION es.refuse();
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON es.secret FOR EACH STATEMENT EXECUTE FUNCTION es.refuse();

-- The keys that a game's first event commits to.
CREATE TABLE es.game_secret (
  game_id uuid  PRIMARY KEY,
  anchor  bytea NOT NULL,
  deal    bytea NOT NULL,
  hide    bytea NOT NULL,
  bot     bytea NOT NULL,
  tables  bytea                                   -- of a tournament: what the keys of its tables follow from
);
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON es.game_secret FOR EACH ROW EXECUTE FUNCTION es.refuse();
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON es.game_secret FOR EACH STATEMENT EXECUTE FUNCTION es.refuse();

-- The outbox: one row for each append, written with its events, taken out when they get their positions.
-- Unlike an order of transactions it means the same in a restored copy, on a replica and on several nodes.
CREATE TABLE es.fresh (
  game_id uuid        NOT NULL,
  first   bigint      NOT NULL,
  seq     bigint      NOT NULL,                   -- the last
  made_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_id, seq)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- A dense global position, given after the commit by one sequencer at a time. A position drawn before
-- the commit would let a reader overtake a slower transaction and lose its events for ever.
CREATE TABLE es.log (
  position bigint   PRIMARY KEY,
  game_id  uuid     NOT NULL,
  seq      bigint   NOT NULL,
  lane     smallint NOT NULL                      -- last byte of the game's id & 63
);
CREATE INDEX log_lane ON es.log (lane, position);
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON es.log FOR EACH ROW EXECUTE FUNCTION es.refuse();
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON es.log FOR EACH STATEMENT EXECUTE FUNCTION es.refuse();

CREATE TABLE es.sequencer (
  one  boolean PRIMARY KEY DEFAULT true CHECK (one),
  size bigint  NOT NULL DEFAULT 0                 -- the newest position
);
INSERT INTO es.sequencer DEFAULT VALUES;

-- A writer appends event n+1 of a game only after it has read event n, so whoever sees one outbox row of a game
-- sees all earlier ones. A run takes all rows of the games whose rows are among the `most` oldest: a game is never
-- split, so its events keep their order, and no flood of new games lets an old one wait.
-- Two statements, for on a distributed table neither a DELETE with a LIMIT nor one driven by a join is sure to work.
CREATE FUNCTION es.sequence_events(most integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE s bigint; n bigint; waiting uuid[];
BEGIN
  SELECT size INTO s FROM es.sequencer FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN -1; END IF;            -- another sequencer is at work
  waiting := ARRAY(SELECT DISTINCT game_id
                     FROM (SELECT game_id FROM es.fresh ORDER BY made_at, game_id, seq LIMIT most) oldest);
  IF cardinality(waiting) = 0 THEN RETURN 0; END IF;
  WITH taken AS (DELETE FROM es.fresh WHERE game_id = ANY (waiting) RETURNING game_id, first, seq)
  INSERT INTO es.log (position, game_id, seq, lane)
  SELECT s + row_number() OVER (ORDER BY t.game_id, k), t.game_id, k, get_byte(uuid_send(t.game_id), 15) & 63
    FROM taken t, LATERAL generate_series(t.first, t.seq) k;
  GET DIAGNOSTICS n = ROW_COUNT;
  UPDATE es.sequencer SET size = s + n;
  RETURN n;
END $$;

-- Snapshots are a cache: disposable, ignored when the rules or their data have changed.
CREATE TABLE es.snapshot (
  game_id uuid   NOT NULL,
  rules   text   NOT NULL,                        -- title, version, data hash
  seq     bigint NOT NULL,
  hash    bytea  NOT NULL,                        -- ties the snapshot to the chain
  state   bytea  NOT NULL,
  PRIMARY KEY (game_id, rules, seq)
);

-- Where each projection stands in each lane; its row is locked while somebody works there.
CREATE TABLE es.projection (
  name     text     NOT NULL,
  lane     smallint NOT NULL,
  position bigint   NOT NULL DEFAULT 0,
  PRIMARY KEY (name, lane)
);
CREATE TABLE es.parked (
  projection text   NOT NULL,
  game_id    uuid   NOT NULL,
  seq        bigint NOT NULL,
  error      text   NOT NULL,
  PRIMARY KEY (projection, game_id)
);

-- What this installation is called, and the key from which the ids of claims follow; made at the first start.
CREATE TABLE es.service (
  one       boolean PRIMARY KEY DEFAULT true CHECK (one),
  origin    text,
  claim_key bytea NOT NULL CHECK (octet_length(claim_key) = 32)
);
