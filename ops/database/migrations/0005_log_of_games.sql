-- The log of all games: one Merkle tree over an entry for each batch of every game, in the order of positions. It is
-- a function of what is committed, made in the background; only what is signed over it is new. It stays on one node.
CREATE TABLE es.leaf (
  index    bigint PRIMARY KEY CHECK (index >= 0),  -- dense
  position bigint NOT NULL,                        -- of the batch's last event; of an entry about keys, what it came after
  name     bytea  CHECK (octet_length(name) = 16), -- of the game, as the tree has it
  n        bigint,                                 -- the batch's last event
  key      bigint,                                 -- of an entry about keys: its row in es.key
  entry    bytea  NOT NULL,
  CHECK ((name IS NULL) = (n IS NULL) AND (name IS NULL) = (key IS NOT NULL))
);
CREATE UNIQUE INDEX leaf_game ON es.leaf (name, n) WHERE name IS NOT NULL;
CREATE UNIQUE INDEX leaf_key ON es.leaf (key) WHERE key IS NOT NULL;
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON es.leaf FOR EACH ROW EXECUTE FUNCTION es.refuse();
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON es.leaf FOR EACH STATEMENT EXECUTE FUNCTION es.refuse();

-- Full tiles of 256 hashes. What stands to the right of them follows from the newest leaves and from `root`.
CREATE TABLE es.tile (
  level  smallint NOT NULL,
  n      bigint   NOT NULL,
  hashes bytea    NOT NULL CHECK (octet_length(hashes) = 8192),
  root   bytea    NOT NULL CHECK (octet_length(root) = 32),  -- the hash of this tile in the tile above
  PRIMARY KEY (level, n)
);
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON es.tile FOR EACH ROW EXECUTE FUNCTION es.refuse();
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON es.tile FOR EACH STATEMENT EXECUTE FUNCTION es.refuse();

-- What was signed, and published with the commit.
CREATE TABLE es.checkpoint (
  size bigint PRIMARY KEY CHECK (size >= 0),
  root bytea  NOT NULL CHECK (octet_length(root) = 32),
  note text   NOT NULL,
  made timestamptz NOT NULL DEFAULT now()
);
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON es.checkpoint FOR EACH ROW EXECUTE FUNCTION es.refuse();
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON es.checkpoint FOR EACH STATEMENT EXECUTE FUNCTION es.refuse();

-- What witnesses put under it: one line for each witness and size.
CREATE TABLE es.cosignature (
  size    bigint NOT NULL REFERENCES es.checkpoint,
  witness text   NOT NULL,                         -- its vkey
  line    text   NOT NULL,
  made    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (size, witness)
);
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON es.cosignature FOR EACH ROW EXECUTE FUNCTION es.refuse();
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON es.cosignature FOR EACH STATEMENT EXECUTE FUNCTION es.refuse();

-- What was said about the keys that sign. The first key is there from the start; of any other the tree tells.
CREATE TABLE es.key (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  word     text   NOT NULL CHECK (word IN ('first', 'add', 'end', 'revoke')),
  vkey     text   NOT NULL,
  size     bigint,                                 -- from which on it no longer signs, or is no longer believed
  position bigint,                                 -- how far the tree had come when it was said
  made     timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX key_first ON es.key ((true)) WHERE word = 'first';
CREATE UNIQUE INDEX key_once ON es.key (vkey, word);
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON es.key FOR EACH ROW EXECUTE FUNCTION es.refuse();
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON es.key FOR EACH STATEMENT EXECUTE FUNCTION es.refuse();

-- How far the tree has come. Whoever makes it grow holds the row's lock: one at a time.
CREATE TABLE es.tree (
  one      boolean PRIMARY KEY DEFAULT true CHECK (one),
  size     bigint NOT NULL DEFAULT 0,
  position bigint NOT NULL DEFAULT 0,              -- events up to here have their leaves
  key      bigint NOT NULL DEFAULT 0,              -- entries about keys up to here too
  root     bytea  NOT NULL DEFAULT '\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  set_back boolean NOT NULL DEFAULT false          -- a larger or another tree was signed: read only
);
INSERT INTO es.tree DEFAULT VALUES;

-- The origin is given once.
CREATE FUNCTION es.keep_origin() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
  IF OLD.origin IS NOT NULL AND NEW.origin IS DISTINCT FROM OLD.origin THEN
    RAISE EXCEPTION 'the origin of a log is given once' USING ERRCODE = 'ES405';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_origin BEFORE UPDATE ON es.service FOR EACH ROW EXECUTE FUNCTION es.keep_origin();
