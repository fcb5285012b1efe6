-- The hash of an event follows from the hash before and its body. So a row within a command may go without: stored are
-- the hashes of each command's last event, and those that snapshots name. All others are computed when they are read.
ALTER TABLE es.event ALTER COLUMN hash DROP NOT NULL;

-- Programs of an earlier version need the hash in each row, and may run beside this one during an upgrade. So rows go
-- without from the beginning where the first program to start knows of it; a later migration says so of all others.
ALTER TABLE es.service ADD COLUMN omits_hashes boolean NOT NULL DEFAULT false;
ALTER TABLE es.service ALTER COLUMN omits_hashes SET DEFAULT true;

-- Within a game the keys only grow, so full pages stay full. Pages that exist stay as they are.
ALTER INDEX es.event_pkey SET (fillfactor = 100);

-- As before, and a row may go without its hash, but for the last.
CREATE OR REPLACE FUNCTION es.find_flaw(game uuid, until bigint, head bytea) RETURNS text LANGUAGE plpgsql STABLE AS $$
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
