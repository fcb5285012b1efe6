-- Numbering takes rows from the outbox, which may be on another machine, and writes positions here. On a cluster of Citus
-- a transaction that changes one other machine alone is committed there first: a coordinator that died before its own
-- commit would lose the rows, and their events never got positions. A change of a table that Citus knows here as well
-- (`rutter distribute` sees to it) makes it prepare both sides: they are committed together, or not at all.
CREATE TABLE es.handover (
  one  boolean PRIMARY KEY DEFAULT true CHECK (one),
  runs bigint  NOT NULL DEFAULT 0
);
INSERT INTO es.handover DEFAULT VALUES;

CREATE OR REPLACE FUNCTION es.sequence_games(waiting uuid[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE s bigint; n bigint;
BEGIN
  SELECT size INTO s FROM es.sequencer FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN -1; END IF;            -- another sequencer is at work
  IF cardinality(waiting) = 0 THEN RETURN 0; END IF;
  IF current_setting('citus.version', true) <> '' THEN    -- null or empty: there is no Citus
    UPDATE es.handover SET runs = runs + 1;
  END IF;
  WITH taken AS (DELETE FROM es.fresh WHERE game_id = ANY (waiting) RETURNING game_id, first, seq)
  INSERT INTO es.log (position, game_id, seq, lane)
  SELECT s + row_number() OVER (ORDER BY t.game_id, k), t.game_id, k, get_byte(uuid_send(t.game_id), 15) & 63
    FROM taken t, LATERAL generate_series(t.first, t.seq) k;
  GET DIAGNOSTICS n = ROW_COUNT;
  UPDATE es.sequencer SET size = s + n;
  RETURN n;
END $$;

-- The games of the `most` oldest rows: none is split, and no flood of new games lets an old one wait.
CREATE OR REPLACE FUNCTION es.sequence_events(most integer) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM es.sequencer FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN -1; END IF;            -- another sequencer is at work
  RETURN es.sequence_games(ARRAY(SELECT DISTINCT game_id
    FROM (SELECT game_id FROM es.fresh ORDER BY made_at, game_id, seq LIMIT most) oldest));
END $$;
