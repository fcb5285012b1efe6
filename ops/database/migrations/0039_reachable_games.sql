-- Numbers the events of games that are named: on several machines while one of them does not answer. All that waits of a
-- named game is numbered, so its events keep their order, as in es.sequence_events.
CREATE FUNCTION es.sequence_games(waiting uuid[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE s bigint; n bigint;
BEGIN
  SELECT size INTO s FROM es.sequencer FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN -1; END IF;            -- another sequencer is at work
  IF cardinality(waiting) = 0 THEN RETURN 0; END IF;
  WITH taken AS (DELETE FROM es.fresh WHERE game_id = ANY (waiting) RETURNING game_id, first, seq)
  INSERT INTO es.log (position, game_id, seq, lane)
  SELECT s + row_number() OVER (ORDER BY t.game_id, k), t.game_id, k, get_byte(uuid_send(t.game_id), 15) & 63
    FROM taken t, LATERAL generate_series(t.first, t.seq) k;
  GET DIAGNOSTICS n = ROW_COUNT;
  UPDATE es.sequencer SET size = s + n;
  RETURN n;
END $$;
