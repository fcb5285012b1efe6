-- An archived game can be put back: its rows are written again, and this table keeps the word about the bundle. Then the
-- game is read from the database, and may be archived again.
ALTER TABLE es.archived ADD COLUMN back timestamptz;   -- when it was put back; null: it never was

-- What is wrong with the rows of a game up to an event; null if nothing is. The chain is computed from the bodies, and
-- each hidden part opens the digest that stands in its event.
CREATE FUNCTION es.find_flaw(game uuid, until bigint, head bytea) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  zero CONSTANT bytea := '\x00';
  computed bytea := sha256(convert_to('bg/genesis/1', 'UTF8') || zero || convert_to(game::text, 'UTF8'));
  n bigint := 0; digests bigint := 0; parts bigint; opened bigint;
  one record;
BEGIN
  FOR one IN SELECT e.seq, e.body, e.hash FROM es.event e WHERE e.game_id = game AND e.seq <= until ORDER BY e.seq LOOP
    n := n + 1;
    IF one.seq <> n THEN RETURN format('its event %s is missing', n); END IF;
    computed := sha256(convert_to('bg/event/1', 'UTF8') || zero || computed || convert_to(one.body, 'UTF8'));
    IF computed <> one.hash THEN RETURN format('its event %s does not match its hash', n); END IF;
    IF position('"hid":{' IN one.body) > 0 THEN
      digests := digests + (SELECT count(*) FROM json_object_keys(one.body::json->'hid'));
    END IF;
  END LOOP;
  IF n <> until OR computed <> head THEN RETURN 'its last event is another one'; END IF;
  SELECT count(*), count(*) FILTER (WHERE e.body::json->'hid'->>s.audience
      = encode(sha256(convert_to('bg/hidden/1', 'UTF8') || zero || s.salt || convert_to(s.body, 'UTF8')), 'base64'))
    INTO parts, opened
    FROM es.secret s JOIN es.event e ON e.game_id = s.game_id AND e.seq = s.seq
    WHERE s.game_id = game AND s.seq <= until;
  IF parts <> digests OR opened <> digests THEN RETURN 'its hidden parts are not those of its events'; END IF;
  RETURN NULL;
END $$;

-- As before, and: the game ended at least 30 days ago; the rows themselves give the head and the count; the tree of all
-- games has the last event; and where witnesses cosign, one of their checkpoints covers it.
CREATE OR REPLACE FUNCTION es.may_be_dropped(a es.archived) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN NOT EXISTS (SELECT FROM es.event e WHERE e.game_id = a.game_id AND e.seq = a.last AND e.hash = a.head
                      AND e.body::json->>'t' IN ('TableClosed', 'TableAbandoned'))
      THEN 'the game has not ended with the event that is named'
    WHEN EXISTS (SELECT FROM es.event e WHERE e.game_id = a.game_id AND e.seq = a.last
                  AND (e.body::json->>'at')::timestamptz > now() - interval '30 days')
      THEN 'it ended less than 30 days ago'
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
      OR NOT EXISTS (SELECT FROM es.leaf f WHERE f.n = a.last AND f.name
          = substr(sha256(convert_to('bg/log-game/1', 'UTF8') || '\x00'::bytea || uuid_send(a.game_id)), 1, 16))
      THEN 'the log of all games has not come so far'
    WHEN EXISTS (SELECT FROM es.cosignature)
      AND NOT EXISTS (SELECT FROM es.leaf f WHERE f.n = a.last AND f.name
          = substr(sha256(convert_to('bg/log-game/1', 'UTF8') || '\x00'::bytea || uuid_send(a.game_id)), 1, 16)
          AND f.index < (SELECT max(c.size) FROM es.cosignature c))
      THEN 'no witness has cosigned a checkpoint over its last event yet'
    WHEN EXISTS (SELECT FROM es.parked p WHERE p.game_id = a.game_id)
      THEN 'a read model has set the game aside'
    WHEN EXISTS (SELECT FROM es.frozen f WHERE f.game_id = a.game_id)
      THEN 'the game is frozen'
    ELSE es.find_flaw(a.game_id, a.last, a.head)
  END $$;

-- Once the rows are gone, the row may say two things more: another place of the bundle, or that the game is back. The
-- latter only when all its rows are there again.
CREATE OR REPLACE FUNCTION es.check_archived() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE reason text;
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.dropped THEN
    IF (NEW.game_id, NEW.digest, NEW.bytes, NEW.last, NEW.head, NEW.position, NEW.made)
       IS DISTINCT FROM (OLD.game_id, OLD.digest, OLD.bytes, OLD.last, OLD.head, OLD.position, OLD.made)
       OR NEW.dropped AND NEW.back IS DISTINCT FROM OLD.back
    THEN
      reason := 'its bundle is all there is';
    ELSIF NOT NEW.dropped AND (NEW.back IS NULL OR es.find_flaw(NEW.game_id, NEW.last, NEW.head) IS NOT NULL) THEN
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
