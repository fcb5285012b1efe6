-- The log: what happened, append-only by construction.
-- The primary key (game_id, seq) is the optimistic lock: appending is one plain INSERT that fails
-- cleanly if another writer was first. Nothing is ever updated: no dead rows, no hot row.
-- Every unique key begins with game_id (a UUIDv7), so the tables can be distributed by game, or
-- partitioned by range of time, without a change to the code.
CREATE SCHEMA es;

CREATE TABLE es.event (
  game_id     uuid        NOT NULL,
  seq         bigint      NOT NULL CHECK (seq >= 1),               -- dense in a game: 1, 2, 3 ...
  command_id  uuid        NOT NULL,                                -- idempotency key of the command
  part        smallint    NOT NULL CHECK (part >= 0),              -- index within the command's events
  type        text        NOT NULL,
  body        json        NOT NULL,                                -- canonical text, kept byte for byte (jsonb would not)
  hash        bytea       NOT NULL CHECK (octet_length(hash) = 32),
  txid        xid8        NOT NULL DEFAULT pg_current_xact_id(),   -- only for the sequencer's window
  PRIMARY KEY (game_id, seq)
);
CREATE UNIQUE INDEX event_command ON es.event (game_id, command_id) WHERE part = 0;
CREATE INDEX event_fence ON es.event (txid);

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
  body     json   NOT NULL,
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
  bot     bytea NOT NULL
);
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON es.game_secret FOR EACH ROW EXECUTE FUNCTION es.refuse();
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON es.game_secret FOR EACH STATEMENT EXECUTE FUNCTION es.refuse();

-- A dense global position, given after the commit by one sequencer at a time. A position drawn before
-- the commit would let a reader overtake a slower transaction and lose its events for ever.
CREATE TABLE es.log (
  position bigint PRIMARY KEY,
  game_id  uuid   NOT NULL,
  seq      bigint NOT NULL,
  UNIQUE (game_id, seq)
);
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON es.log FOR EACH ROW EXECUTE FUNCTION es.refuse();
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON es.log FOR EACH STATEMENT EXECUTE FUNCTION es.refuse();

CREATE TABLE es.sequencer (
  one   boolean PRIMARY KEY DEFAULT true CHECK (one),
  fence xid8    NOT NULL DEFAULT '0',     -- everything of older transactions has its position
  size  bigint  NOT NULL DEFAULT 0
);
INSERT INTO es.sequencer DEFAULT VALUES;

-- A writer appends event n+1 of a game only after it has read event n, so every snapshot of the database
-- sees an unbroken prefix of every game. Whatever is visible and has no position yet may get the next ones,
-- in an order that keeps seq within each game. The fence is read before the scan: what commits later lies above it.
CREATE FUNCTION es.sequence_events() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE low xid8; s bigint; x xid8; n bigint; gap uuid;
BEGIN
  SELECT fence, size INTO low, s FROM es.sequencer FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN -1; END IF;            -- another sequencer is at work
  x := pg_snapshot_xmin(pg_current_snapshot());
  INSERT INTO es.log (position, game_id, seq)
  SELECT s + row_number() OVER (ORDER BY k, game_id, seq), game_id, seq
    FROM (SELECT e.game_id, e.seq,
                 max(e.txid::text::bigint) OVER (PARTITION BY e.game_id ORDER BY e.seq) AS k
            FROM es.event e
           WHERE e.txid >= low
             AND NOT EXISTS (SELECT 1 FROM es.log l WHERE l.game_id = e.game_id AND l.seq = e.seq)) fresh;
  GET DIAGNOSTICS n = ROW_COUNT;
  IF n > 0 THEN                                   -- guard against a writer that skipped a number
    SELECT l.game_id INTO gap FROM es.log l
     WHERE l.position > s AND l.seq > 1
       AND NOT EXISTS (SELECT 1 FROM es.log p WHERE p.game_id = l.game_id AND p.seq = l.seq - 1 AND p.position < l.position)
     LIMIT 1;
    IF gap IS NOT NULL THEN RAISE EXCEPTION 'game % has a gap in its events', gap USING ERRCODE = 'ES409'; END IF;
  END IF;
  UPDATE es.sequencer SET fence = x, size = s + n WHERE n > 0 OR fence < x;
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

-- Where each projection stands; moved in the same transaction as its rows.
CREATE TABLE es.projection (
  name     text   PRIMARY KEY,
  position bigint NOT NULL DEFAULT 0
);
CREATE TABLE es.parked (
  projection text NOT NULL,
  game_id    uuid NOT NULL,
  seq        bigint NOT NULL,
  error      text NOT NULL,
  PRIMARY KEY (projection, game_id)
);

-- Roles for production: the service cannot rewrite history even without the triggers; an auditor never sees secrets.
DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'es_app') THEN CREATE ROLE es_app; END IF;
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'es_auditor') THEN CREATE ROLE es_auditor; END IF;
EXCEPTION WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN
  RAISE NOTICE 'roles es_app and es_auditor were not created';
END $$;
DO $$ BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'es_app') THEN
    GRANT USAGE ON SCHEMA es TO es_app, es_auditor;
    GRANT SELECT, INSERT ON es.event, es.secret, es.game_secret, es.snapshot, es.log TO es_app;
    GRANT SELECT, INSERT, UPDATE ON es.sequencer, es.projection TO es_app;
    GRANT SELECT, INSERT, DELETE ON es.parked TO es_app;
    GRANT DELETE ON es.snapshot TO es_app;
    GRANT SELECT ON es.event, es.log TO es_auditor;
  END IF;
EXCEPTION WHEN insufficient_privilege OR undefined_object THEN
  RAISE NOTICE 'no privileges were granted';
END $$;
