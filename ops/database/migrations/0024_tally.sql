-- How many games there are, by title and status, so that whoever wants to know need not count them. Changed with the
-- lobby's row when one of these is another; each lane has rows of its own, so that no lane waits for another.
CREATE TABLE tally (
  lane   smallint NOT NULL,                           -- last byte of the game's id & 63
  title  text     NOT NULL,
  status text     NOT NULL,
  stuck  boolean  NOT NULL,                           -- stopped by a fault of their rules
  games  bigint   NOT NULL,
  PRIMARY KEY (lane, title, status, stuck)
);
INSERT INTO tally (lane, title, status, stuck, games)
  SELECT get_byte(uuid_send(game_id), 15) & 63, title, status, stuck, count(*) FROM lobby GROUP BY 1, 2, 3, 4;

-- Calls that were made are forgotten after a while; those that were given up are counted while they are kept.
CREATE INDEX webhook_delivery_open ON webhook_delivery (status) WHERE status <> 'delivered';
