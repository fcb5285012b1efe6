-- A log whose key, or whose newest part, was lost is succeeded by another under a name of its own. The new one begins
-- with two entries that say so, then come the entries of the old one that its last checkpoint covers, and with the
-- games that end there it goes on.
CREATE TABLE es.succession (
  id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  former text   NOT NULL UNIQUE,                   -- the name of the old log
  origin text   NOT NULL UNIQUE,                   -- that of the new one
  note   text   NOT NULL,                          -- the old log's last checkpoint, with its cosignatures
  size   bigint NOT NULL CHECK (size >= 0),        -- of the new log when it began
  root   bytea  NOT NULL CHECK (octet_length(root) = 32),
  signed bytea,                                    -- the root that log.state remembered of the old log, if it did
  made   timestamptz NOT NULL DEFAULT now()
);
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON es.succession FOR EACH ROW EXECUTE FUNCTION es.refuse();
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON es.succession FOR EACH STATEMENT EXECUTE FUNCTION es.refuse();

-- What the old logs signed, and who cosigned it: what stands there was said, and is kept. Their leaves and tiles follow
-- from the entries that the new log begins with.
CREATE TABLE es.former_checkpoint (
  origin text   NOT NULL,
  size   bigint NOT NULL,
  root   bytea  NOT NULL,
  note   text   NOT NULL,
  made   timestamptz NOT NULL,
  PRIMARY KEY (origin, size)
);
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON es.former_checkpoint
  FOR EACH ROW EXECUTE FUNCTION es.refuse();
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON es.former_checkpoint
  FOR EACH STATEMENT EXECUTE FUNCTION es.refuse();
CREATE TABLE es.former_cosignature (
  origin  text   NOT NULL,
  size    bigint NOT NULL,
  witness text   NOT NULL,
  line    text   NOT NULL,
  made    timestamptz NOT NULL,
  PRIMARY KEY (origin, size, witness)
);
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON es.former_cosignature
  FOR EACH ROW EXECUTE FUNCTION es.refuse();
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON es.former_cosignature
  FOR EACH STATEMENT EXECUTE FUNCTION es.refuse();

-- Games that reach beyond the last checkpoint of a log that was succeeded. They can be read; nothing follows in them.
-- Few and fixed: where there are several machines, each has a copy.
CREATE TABLE es.frozen (
  game_id uuid   PRIMARY KEY,
  last    bigint NOT NULL CHECK (last >= 0),       -- the last event that the old log vouches for; 0: none
  former  text   NOT NULL,                         -- the name of that log
  made    timestamptz NOT NULL DEFAULT now()
);
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON es.frozen FOR EACH ROW EXECUTE FUNCTION es.refuse();
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON es.frozen FOR EACH STATEMENT EXECUTE FUNCTION es.refuse();

-- `old`: from here on it is the keys of another log, which succeeds that of the rows before. `note` is its checkpoint.
ALTER TABLE es.key ADD COLUMN note text;
ALTER TABLE es.key DROP CONSTRAINT key_word_check;
ALTER TABLE es.key ADD CONSTRAINT key_word_check CHECK (word IN ('first', 'add', 'end', 'revoke', 'old'));
ALTER TABLE es.key ADD CONSTRAINT key_note CHECK ((word = 'old') = (note IS NOT NULL));

-- The origin is given once, and again only where another log succeeds this one.
CREATE OR REPLACE FUNCTION es.keep_origin() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
  IF OLD.origin IS NOT NULL AND NEW.origin IS DISTINCT FROM OLD.origin
     AND NOT EXISTS (SELECT FROM es.succession s WHERE s.former = OLD.origin AND s.origin = NEW.origin) THEN
    RAISE EXCEPTION 'the origin of a log is given once' USING ERRCODE = 'ES405';
  END IF;
  RETURN NEW;
END $$;
