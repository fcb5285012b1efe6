-- Games that ended long ago lie in bundles, one file each. Of such a game the first event and the last stay in
-- es.event, with their hidden parts: a reader notices the gap between them and turns to the bundle, so that games which
-- are not archived cost nothing more. Positions, leaves, keys and the lobby's row stay too.
CREATE TABLE es.archived (
  game_id  uuid    PRIMARY KEY,
  url      text    NOT NULL,                       -- where the bundle is
  digest   bytea   NOT NULL CHECK (octet_length(digest) = 32),   -- SHA-256 of the file
  bytes    bigint  NOT NULL CHECK (bytes > 0),     -- of the file
  last     bigint  NOT NULL CHECK (last >= 1),     -- the game's last event
  head     bytea   NOT NULL CHECK (octet_length(head) = 32),     -- its hash
  position bigint  NOT NULL,                       -- its place in the order of all events
  made     timestamptz NOT NULL DEFAULT now(),
  dropped  boolean NOT NULL DEFAULT false          -- whether the rows that the bundle holds are gone
);

-- What must be so before any row of a game goes, whoever asks. The bundle itself was read back and verified by whoever
-- wrote the row; here stands what the database can tell: the game has ended with that event, and all that follows the
-- log has come past it.
CREATE FUNCTION es.may_be_dropped(a es.archived) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN NOT EXISTS (SELECT FROM es.event e WHERE e.game_id = a.game_id AND e.seq = a.last AND e.hash = a.head
                      AND e.body::json->>'t' IN ('TableClosed', 'TableAbandoned'))
      THEN 'the game has not ended with the event that is named'
    WHEN EXISTS (SELECT FROM es.event e WHERE e.game_id = a.game_id AND e.seq > a.last)
      THEN 'events follow on the one that is named'
    WHEN EXISTS (SELECT FROM es.fresh f WHERE f.game_id = a.game_id)
      OR NOT EXISTS (SELECT FROM es.log l WHERE l.position = a.position AND l.game_id = a.game_id AND l.seq = a.last)
      THEN 'its last event does not have that position'
    WHEN EXISTS (SELECT FROM es.projection p WHERE p.lane = get_byte(uuid_send(a.game_id), 15) & 63
                  AND p.position < a.position)
      OR EXISTS (SELECT FROM public.rating_state r WHERE r.position < a.position)
      THEN 'the read models have not come so far'
    WHEN EXISTS (SELECT FROM es.tree t WHERE t.position < a.position)
      THEN 'the log of all games has not come so far'
    WHEN EXISTS (SELECT FROM es.parked p WHERE p.game_id = a.game_id)
      THEN 'a read model has set the game aside'
    WHEN EXISTS (SELECT FROM es.frozen f WHERE f.game_id = a.game_id)
      THEN 'the game is frozen'
  END $$;

-- Once the rows are gone the bundle is all there is: then only its place may change. A row that says so from the
-- beginning comes from a backup.
CREATE FUNCTION es.check_archived() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE reason text;
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.dropped THEN
    IF (NEW.game_id, NEW.digest, NEW.bytes, NEW.last, NEW.head, NEW.position, NEW.made, NEW.dropped)
       IS DISTINCT FROM (OLD.game_id, OLD.digest, OLD.bytes, OLD.last, OLD.head, OLD.position, OLD.made, OLD.dropped)
    THEN
      reason := 'its bundle is all there is';
    END IF;
  ELSIF TG_OP = 'UPDATE' AND NEW.dropped THEN
    reason := es.may_be_dropped(NEW);
  ELSIF TG_OP = 'INSERT' AND NEW.dropped AND EXISTS
      (SELECT FROM es.event e WHERE e.game_id = NEW.game_id AND e.seq > 1 AND e.seq < NEW.last) THEN
    reason := 'its events are still there';
  END IF;
  IF reason IS NOT NULL THEN
    RAISE EXCEPTION 'the game % cannot be archived so: %', NEW.game_id, reason USING ERRCODE = 'ES405';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER checked BEFORE INSERT OR UPDATE ON es.archived FOR EACH ROW EXECUTE FUNCTION es.check_archived();
CREATE TRIGGER immutable BEFORE DELETE ON es.archived FOR EACH ROW EXECUTE FUNCTION es.refuse();
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON es.archived FOR EACH STATEMENT EXECUTE FUNCTION es.refuse();

-- The log only grows, but for what lies in a verified bundle; and of that the first event and the last stay.
CREATE FUNCTION es.keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT FROM es.archived a WHERE a.game_id = OLD.game_id AND a.dropped
              AND OLD.seq > 1 AND OLD.seq < a.last) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% on %.% is forbidden: the log only grows', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME
    USING ERRCODE = 'ES405';
END $$;
-- Where the tables are spread over several machines, triggers on them want this said; elsewhere it means nothing.
SET LOCAL citus.enable_unsafe_triggers = on;
DROP TRIGGER immutable ON es.event;
DROP TRIGGER immutable ON es.secret;
CREATE TRIGGER immutable BEFORE UPDATE ON es.event FOR EACH ROW EXECUTE FUNCTION es.refuse();
CREATE TRIGGER immutable BEFORE UPDATE ON es.secret FOR EACH ROW EXECUTE FUNCTION es.refuse();
CREATE TRIGGER kept BEFORE DELETE ON es.event FOR EACH ROW EXECUTE FUNCTION es.keep();
CREATE TRIGGER kept BEFORE DELETE ON es.secret FOR EACH ROW EXECUTE FUNCTION es.keep();

-- The one way in which events go. `stored` is the digest of the bundle as it was read back; the row must say the same.
-- Answers how many events went: 0 where that was done before.
CREATE FUNCTION es.drop_archived(game uuid, stored bytea) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE until bigint; gone bigint;
BEGIN
  UPDATE es.archived a SET dropped = true WHERE a.game_id = game AND a.digest = stored AND NOT a.dropped
    RETURNING a.last INTO until;
  IF NOT FOUND THEN
    IF EXISTS (SELECT FROM es.archived a WHERE a.game_id = game AND a.digest = stored) THEN RETURN 0; END IF;
    RAISE EXCEPTION 'no bundle of the game % with that digest is recorded', game USING ERRCODE = 'ES405';
  END IF;
  -- What is found by the keys of commands, which go: uses of invitations that came to something.
  UPDATE public.invitation_use u SET settled = true WHERE u.subject = game AND NOT u.settled
    AND EXISTS (SELECT FROM es.event e WHERE e.game_id = game AND e.keyed = u.claim);
  DELETE FROM es.secret s WHERE s.game_id = game AND s.seq > 1 AND s.seq < until;
  DELETE FROM es.event e WHERE e.game_id = game AND e.seq > 1 AND e.seq < until;
  GET DIAGNOSTICS gone = ROW_COUNT;
  DELETE FROM es.snapshot s WHERE s.game_id = game;
  DELETE FROM public.history h WHERE h.game_id = game;   -- it is told from the bundle
  RETURN gone;
END $$;
REVOKE ALL ON FUNCTION es.drop_archived(uuid, bytea) FROM PUBLIC;
